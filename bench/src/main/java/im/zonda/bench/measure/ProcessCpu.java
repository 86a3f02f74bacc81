package im.zonda.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The processor time of a process, from `/proc`.
public final class ProcessCpu {
  /// Linux counts in ticks of 10 ms on all common machines.
  public static final long TICK_MICROS = 10_000;

  private final Path stat;

  public ProcessCpu(long pid) {
    stat = Path.of("/proc", Long.toString(pid), "stat");
  }

  /// User and system time since the process started, in microseconds.
  public long micros() throws IOException {
    String line = Files.readString(stat);
    // The name of the program, in brackets, may hold anything.
    String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK_MICROS;
  }
}
