package im.zonda.bench.run;

import im.zonda.bench.result.Result;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// The machine of a run.
public final class Machine {
  private Machine() {}

  /// What a result says of it.
  public static Result.Machine describe() {
    var system =
        ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
    return new Result.Machine(
        processor(),
        Runtime.getRuntime().availableProcessors(),
        system.getTotalMemorySize(),
        system.getName() + " " + system.getVersion() + " " + system.getArch(),
        System.getProperty("java.vendor.version", "") + " " + Runtime.version());
  }

  private static String processor() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"), StandardCharsets.UTF_8)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown"; // another system than Linux
    }
  }

  /// How many files this process may open; very many if that is unknown.
  static long openFiles() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/limits"), StandardCharsets.UTF_8)) {
      return lines
          .filter(line -> line.startsWith("Max open files"))
          .map(line -> line.substring("Max open files".length()).strip().split(" +", -1)[0])
          .filter(limit -> !limit.equals("unlimited"))
          .mapToLong(Long::parseLong)
          .findFirst()
          .orElse(Long.MAX_VALUE);
    } catch (IOException e) {
      return Long.MAX_VALUE; // another system than Linux
    }
  }
}
