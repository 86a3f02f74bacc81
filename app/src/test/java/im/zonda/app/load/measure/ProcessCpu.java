package im.zonda.app.load.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// The processor time of a process, or of several, from `/proc`.
public final class ProcessCpu {
  /// Linux counts in ticks of 10 ms on all common machines.
  public static final long TICK_MICROS = 10_000;

  private final List<Path> stats;

  /// @param pids the processes whose times are added
  public ProcessCpu(long... pids) {
    stats =
        Arrays.stream(pids).mapToObj(pid -> Path.of("/proc", Long.toString(pid), "stat")).toList();
  }

  /// User and system time since the process started, in microseconds.
  public long micros() throws IOException {
    long sum = 0;
    for (Path stat : stats) {
      String line = Files.readString(stat);
      // The name of the program, in brackets, may hold anything.
      String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
      sum += (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK_MICROS;
    }
    return sum;
  }
}
