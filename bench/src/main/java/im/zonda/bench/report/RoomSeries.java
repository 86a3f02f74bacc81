package im.zonda.bench.report;

import im.zonda.bench.measure.MachineCpu;
import im.zonda.bench.measure.Rate;
import im.zonda.bench.measure.ServerMemory;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/// Figures of each second: number and latency of the copies, processor time and memory. Written to
/// a file while the load runs, one tab-separated line per second.
public final class RoomSeries implements AutoCloseable {
  private static final long MAX_MICROS = TimeUnit.MINUTES.toMicros(5);
  private static final String HEAD =
      "millis\tcopies\tp50_ms\tp99_ms\tp999_ms\tmax_ms\tserver_cores\town_cores\tall_cores\trss_kib\town_pause_ms";

  /// One second.
  ///
  /// @param millis when it ended, since 1970
  /// @param copies copies that were received
  /// @param p50 milliseconds from when a message was due until it came; likewise the next three
  /// @param server cores used by the server; NaN if unknown
  /// @param own cores of the generator
  /// @param all cores of the whole machine, those two among them
  /// @param rssKib the server's resident memory; 0 if unknown
  /// @param ownPause garbage collection time of the generator, in milliseconds
  public record Row(
      long millis,
      long copies,
      double p50,
      double p99,
      double p999,
      double max,
      double server,
      double own,
      double all,
      long rssKib,
      long ownPause) {

    private String line() {
      return String.format(
          Locale.ROOT,
          "%d\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%d\t%d",
          millis,
          copies,
          p50,
          p99,
          p999,
          max,
          server,
          own,
          all,
          rssKib,
          ownPause);
    }

    private static Row parse(String line) {
      String[] words = line.split("\t", -1);
      if (words.length != 11) {
        throw new IllegalArgumentException("no line of figures: " + line);
      }
      double[] n = new double[words.length];
      for (int i = 0; i < n.length; i++) {
        n[i] = Double.parseDouble(words[i]);
      }
      return new Row(
          (long) n[0],
          (long) n[1],
          n[2],
          n[3],
          n[4],
          n[5],
          n[6],
          n[7],
          n[8],
          (long) n[9],
          (long) n[10]);
    }
  }

  private final Recorder recorder = new Recorder(MAX_MICROS, 3);
  private final ServerMemory memory;
  private final MachineCpu cpu;
  private final PrintStream out;
  private final Thread thread;
  private long ownPauses;
  private volatile boolean closed;

  /// Starts.
  ///
  /// @param pid the server's process, or 0
  /// @param file the output file; empty for none
  public RoomSeries(long pid, String file) throws IOException {
    memory = new ServerMemory(pid, false);
    cpu = new MachineCpu(pid);
    out =
        file.isEmpty()
            ? new PrintStream(PrintStream.nullOutputStream(), true, StandardCharsets.UTF_8)
            : new PrintStream(Files.newOutputStream(Path.of(file)), true, StandardCharsets.UTF_8);
    out.println(HEAD);
    thread = Thread.ofPlatform().name("room-series").daemon().start(this::run);
  }

  /// Records a copy that arrives now, of a message that was due at `due`.
  public void record(long due) {
    recorder.recordValue(Math.clamp((System.nanoTime() - due) / 1_000, 0, MAX_MICROS));
  }

  private void run() {
    Rate seconds = new Rate(1);
    seconds.next();
    recorder.getIntervalHistogram();
    ownPause();
    Histogram last = null;
    for (seconds.next(); !closed; seconds.next()) {
      last = recorder.getIntervalHistogram(last);
      try {
        out.println(row(last).line());
      } catch (IOException e) {
        throw new UncheckedIOException("the server's process cannot be looked at", e);
      }
    }
  }

  private Row row(Histogram times) throws IOException {
    MachineCpu.Cores cores = cpu.look();
    boolean none = times.getTotalCount() == 0;
    return new Row(
        System.currentTimeMillis(),
        times.getTotalCount(),
        none ? Double.NaN : times.getValueAtPercentile(50) / 1e3,
        none ? Double.NaN : times.getValueAtPercentile(99) / 1e3,
        none ? Double.NaN : times.getValueAtPercentile(99.9) / 1e3,
        none ? Double.NaN : times.getMaxValue() / 1e3,
        cores.server(),
        cores.own(),
        cores.all(),
        memory.residentKib(),
        ownPause());
  }

  private long ownPause() {
    long now =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionTime)
            .sum();
    long since = now - ownPauses;
    ownPauses = now;
    return since;
  }

  /// Stops, without the current second.
  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    out.close();
  }

  /// Reads such a file.
  ///
  /// @throws IllegalArgumentException if it is not one
  public static List<Row> read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    if (lines.isEmpty() || !lines.getFirst().equals(HEAD)) {
      throw new IllegalArgumentException(file + " holds no figures of seconds");
    }
    List<Row> rows = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      rows.add(Row.parse(line));
    }
    return rows;
  }
}
