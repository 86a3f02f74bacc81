package im.zonda.study.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Figures of a process, from the kernel (Linux).
///
/// @param cpuMillis user and system time since its start, of all its threads
/// @param jitMillis the part of its compilers
/// @param gcMillis the part of its collector
/// @param faults page faults without reading since its start
/// @param kilobytes sizes by their names in `/proc`: `VmSize`, `VmRSS`, `VmHWM`, `Pss`,
///   `AnonHugePages`
record ProcessFigures(
    long cpuMillis, long jitMillis, long gcMillis, long faults, Map<String, Long> kilobytes) {
  /// The kernel counts in hundredths of a second, whatever its own tick is.
  private static final int TICK_MILLIS = 10;

  /// Beginnings of the names of threads, of which the kernel keeps 15 characters.
  private static final List<String> JIT =
      List.of("C1 CompilerThre", "C2 CompilerThre", "JVMCI CompilerT", "JVMCI-native");

  private static final List<String> GC =
      List.of(
          "GC Thread",
          "G1 ",
          "ZDriver",
          "ZWorker",
          "ZDirector",
          "ZStat",
          "Shenandoah",
          "VM Thread");

  private static final List<String> STATUS = List.of("VmSize", "VmRSS", "VmHWM");
  private static final List<String> ROLLUP = List.of("Pss", "AnonHugePages");

  /// Reads them.
  ///
  /// @throws IOException if there is no such process
  static ProcessFigures of(long pid) throws IOException {
    Path process = Path.of("/proc", Long.toString(pid));
    long[] times = {0, 0};
    try (Stream<Path> tasks = Files.list(process.resolve("task"))) {
      for (Path task : tasks.toList()) {
        add(task, times);
      }
    }
    String[] stat = afterName(Files.readString(process.resolve("stat")));
    Map<String, Long> kilobytes = new LinkedHashMap<>();
    read(process.resolve("status"), STATUS, kilobytes);
    read(process.resolve("smaps_rollup"), ROLLUP, kilobytes);
    return new ProcessFigures(cpu(stat), times[0], times[1], Long.parseLong(stat[7]), kilobytes);
  }

  private static void add(Path task, long[] times) throws IOException {
    String stat;
    try {
      stat = Files.readString(task.resolve("stat"));
    } catch (NoSuchFileException e) {
      return; // the thread has ended
    }
    String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    if (JIT.stream().anyMatch(name::startsWith)) {
      times[0] += cpu(afterName(stat));
    } else if (GC.stream().anyMatch(name::startsWith)) {
      times[1] += cpu(afterName(stat));
    }
  }

  /// The fields from the state on, which is the third in proc(5).
  private static String[] afterName(String stat) {
    return stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ", -1);
  }

  private static long cpu(String[] fields) {
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK_MILLIS;
  }

  private static void read(Path file, List<String> wanted, Map<String, Long> to)
      throws IOException {
    for (String line : Files.readAllLines(file)) {
      int colon = line.indexOf(':');
      if (colon > 0 && wanted.contains(line.substring(0, colon))) {
        String value = line.substring(colon + 1).replace("kB", "").strip();
        to.put(line.substring(0, colon), Long.parseLong(value));
      }
    }
  }
}
