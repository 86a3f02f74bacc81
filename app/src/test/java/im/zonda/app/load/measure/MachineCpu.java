package im.zonda.app.load.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// Cores used by the server, by this process and by the whole machine, from `/proc`.
public final class MachineCpu {
  private static final Path ALL = Path.of("/proc/stat");

  /// Cores in use, on average between two calls.
  ///
  /// @param server by the server; NaN if its process is unknown
  /// @param own by this process
  /// @param all by everything on the machine
  public record Cores(double server, double own, double all) {}

  private final ProcessCpu server;
  private final boolean known;
  private final ProcessCpu own = new ProcessCpu(ProcessHandle.current().pid());
  private long lookedAt;
  private long serverMicros;
  private long ownMicros;
  private long allMicros;

  /// Starts to measure.
  ///
  /// @param pid the server's process, or 0
  public MachineCpu(long pid) throws IOException {
    server = new ProcessCpu(pid);
    known = pid != 0;
    look();
  }

  /// The cores in use since the last call.
  public Cores look() throws IOException {
    long now = System.nanoTime();
    long serverNow = known ? server.micros() : 0;
    long ownNow = own.micros();
    long allNow = busyMicros();
    double micros = Math.max(1, TimeUnit.NANOSECONDS.toMicros(now - lookedAt));
    Cores cores =
        new Cores(
            known ? (serverNow - serverMicros) / micros : Double.NaN,
            (ownNow - ownMicros) / micros,
            (allNow - allMicros) / micros);
    lookedAt = now;
    serverMicros = serverNow;
    ownMicros = ownNow;
    allMicros = allNow;
    return cores;
  }

  private static long busyMicros() throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(ALL)) {
      // user nice system idle iowait irq softirq steal, after the name "cpu"
      String[] fields = lines.readLine().strip().split("\\s+", -1);
      long ticks = 0;
      for (int i = 1; i <= 8; i++) {
        ticks += i == 4 || i == 5 ? 0 : Long.parseLong(fields[i]);
      }
      return ticks * ProcessCpu.TICK_MICROS;
    }
  }
}
