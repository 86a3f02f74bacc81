package im.zonda.app.doctor.machine;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads facts of the machine and of this process from `/proc`, `/sys` and `/run` (Linux); on other
/// systems they are not known.
///
/// @param root the folder that has them: `/`
public record MachineReader(Path root) {
  private static final Logger LOG = LoggerFactory.getLogger(MachineReader.class);
  private static final long KIB = 1_024;
  private static final int MAX_CHARACTERS = 65_536;
  private static final int MAX_DEPTH = 32;
  private static final String STATUS = "proc/self/status";

  /// As `comm` has them, which is cut to 15 characters.
  private static final Set<String> TIME_SERVICES =
      Set.of(
          "chronyd",
          "ntpd",
          "ntpd-rs",
          "ntp-daemon",
          "openntpd",
          "ptp4l",
          "systemd-timesyn",
          "busybox-ntpd",
          "timesyncd",
          "VBoxService",
          "vmtoolsd");

  /// Facts of the machine.
  public MachineFacts machine() {
    Boolean asked = LinuxCalls.isClockSynchronised();
    Boolean noted =
        Files.exists(root.resolve("run/systemd/timesync/synchronized")) ? Boolean.TRUE : null;
    return new MachineFacts(
        kibibytes("proc/meminfo", "MemTotal"),
        memoryLimit(),
        kibibytes("proc/meminfo", "SwapTotal"),
        number("proc/sys/vm/swappiness"),
        chosen("sys/kernel/mm/transparent_hugepage/enabled"),
        number("proc/sys/net/core/somaxconn"),
        number("proc/sys/net/ipv4/ip_unprivileged_port_start"),
        asked == null ? noted : asked,
        timeServices());
  }

  /// Facts of this process.
  ///
  /// @param isServer whether it is the server
  public ProcessFacts process(boolean isServer) {
    return new ProcessFacts(
        isServer,
        match("proc/self/limits", "Max open files +(\\d+|unlimited)", 10),
        kibibytes(STATUS, "VmSwap"),
        match(STATUS, "Uid:\\s+\\d+\\s+(\\d+)", 10),
        match(STATUS, "CapEff:\\s+([0-9a-f]+)", 16),
        java());
  }

  private static ProcessFacts.Java java() {
    return new ProcessFacts.Java(
        Runtime.version().toString(),
        Runtime.version().feature(),
        Runtime.getRuntime().maxMemory(),
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .map(GarbageCollectorMXBean::getName)
            .toList(),
        ManagementFactory.getRuntimeMXBean().getInputArguments());
  }

  private @Nullable String read(String path) {
    Path file = root.resolve(path);
    // Files of /proc say that they are empty.
    try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      StringBuilder text = new StringBuilder();
      lines
          .takeWhile(_ -> text.length() < MAX_CHARACTERS)
          .forEach(line -> text.append(line).append('\n'));
      return text.toString();
    } catch (IOException | RuntimeException e) {
      LOG.atDebug().addKeyValue("file", file).setCause(e).log("fact_not_read");
      return null;
    }
  }

  private @Nullable Long match(String path, String pattern, int radix) {
    String text = read(path);
    Matcher matcher = Pattern.compile(pattern).matcher(text == null ? "" : text);
    if (!matcher.find()) {
      return null;
    }
    String number = matcher.group(1);
    return number.equals("unlimited") ? Long.MAX_VALUE : Long.parseUnsignedLong(number, radix);
  }

  private @Nullable Long number(String path) {
    return match(path, "^(\\d{1,18})\n", 10);
  }

  private @Nullable Long kibibytes(String path, String name) {
    Long found = match(path, "(?m)^" + name + ":\\s+(\\d{1,15}) kB$", 10);
    return found == null ? null : (Long) (found * KIB);
  }

  /// The word in brackets.
  private @Nullable String chosen(String path) {
    String text = read(path);
    Matcher matcher = Pattern.compile("\\[(\\w+)]").matcher(text == null ? "" : text);
    return matcher.find() ? matcher.group(1) : null;
  }

  /// The smallest limit of the control groups that this process is in.
  private @Nullable Long memoryLimit() {
    String text = read("proc/self/cgroup");
    Matcher matcher = Pattern.compile("(?m)^0::/(.*)$").matcher(text == null ? "" : text);
    if (!matcher.find()) {
      return null;
    }
    Path top = root.resolve("sys/fs/cgroup");
    Path group = top.resolve(matcher.group(1)).normalize();
    Long smallest = null;
    for (int i = 0; i < MAX_DEPTH && group.startsWith(top); i++) {
      Long limit = number(root.relativize(group).resolve("memory.max").toString());
      if (limit != null && (smallest == null || limit < smallest)) {
        smallest = limit;
      }
      Path parent = group.getParent();
      group = parent == null ? root : parent;
    }
    return smallest;
  }

  private List<String> timeServices() {
    Set<String> found = new TreeSet<>();
    try (DirectoryStream<Path> processes =
        Files.newDirectoryStream(root.resolve("proc"), "[0-9]*")) {
      for (Path process : processes) {
        String name = read(root.relativize(process).resolve("comm").toString());
        if (name != null && TIME_SERVICES.contains(name.strip())) {
          found.add(name.strip());
        }
      }
    } catch (IOException e) {
      LOG.atDebug().setCause(e).log("processes_not_read");
    }
    return new ArrayList<>(found);
  }
}
