package im.zonda.bench.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// Table and plot of the figures of each second, with the pauses of the server.
public final class RoomReport {
  private static final int MINUTE = 60;

  /// Seconds with a later copy are explained.
  private static final double LATE_MILLIS = 50;

  private static final int PAUSES_SHOWN = 10;

  private final List<RoomSeries.Row> rows;
  private final GcLog log;

  private RoomReport(List<RoomSeries.Row> rows, GcLog log) {
    this.rows = rows;
    this.log = log;
  }

  /// Prints the table, and writes the plot if a file is named for it.
  ///
  /// @param files the seconds, the log of collections, and where the plot goes; the latter two may
  ///   be missing
  public static void make(List<String> files, PrintStream out) throws IOException {
    List<RoomSeries.Row> rows = RoomSeries.read(Path.of(files.getFirst()));
    if (rows.isEmpty()) {
      throw new IllegalArgumentException(files.getFirst() + " holds no second");
    }
    GcLog log = files.size() < 2 ? new GcLog(List.of()) : GcLog.read(Path.of(files.get(1)));
    RoomReport report = new RoomReport(rows, log);
    report.table(out);
    report.pauses(out);
    report.late(out);
    if (files.size() == 3) {
      Files.writeString(Path.of(files.get(2)), report.plot());
    }
  }

  private void table(PrintStream out) {
    out.println(
        """
        | minute | copies/s | p50 ms | p99 ms | p99.9 ms | max ms | seconds with > 50 ms \
        | server cores | all cores | RSS MiB | pauses | longest ms |
        |---|---|---|---|---|---|---|---|---|---|---|---|\
        """);
    for (int from = 0; from < rows.size(); from += MINUTE) {
      out.println(line(String.valueOf(from / MINUTE + 1), part(from, from + MINUTE)));
    }
    out.println(line("all", rows));
    out.println("p50, p99, p99.9: the median second's; max: the longest of all");
  }

  private List<RoomSeries.Row> part(int from, int to) {
    return rows.subList(from, Math.min(to, rows.size()));
  }

  private String line(String name, List<RoomSeries.Row> part) {
    List<GcLog.Pause> pauses =
        log.pauses(part.getFirst().millis() - 1_000, part.getLast().millis());
    return String.format(
        Locale.ROOT,
        "| %s | %.0f | %.2f | %.2f | %.2f | %.1f | %d | %.2f | %.2f | %d | %d | %.1f |",
        name,
        part.stream().mapToLong(RoomSeries.Row::copies).average().orElse(0),
        median(part.stream().map(RoomSeries.Row::p50)),
        median(part.stream().map(RoomSeries.Row::p99)),
        median(part.stream().map(RoomSeries.Row::p999)),
        part.stream().mapToDouble(RoomSeries.Row::max).filter(n -> n > 0).max().orElse(Double.NaN),
        part.stream().filter(row -> row.max() > LATE_MILLIS).count(),
        part.stream().mapToDouble(RoomSeries.Row::server).average().orElse(0),
        part.stream().mapToDouble(RoomSeries.Row::all).average().orElse(0),
        part.stream().mapToLong(RoomSeries.Row::rssKib).max().orElse(0) / 1_024,
        pauses.size(),
        pauses.stream().mapToDouble(GcLog.Pause::length).max().orElse(0));
  }

  private static double median(Stream<Double> values) {
    List<Double> sorted = values.filter(n -> !n.isNaN()).sorted().toList();
    return sorted.isEmpty() ? Double.NaN : sorted.get(sorted.size() / 2);
  }

  private void pauses(PrintStream out) {
    List<GcLog.Pause> pauses = log.pauses(begin(), rows.getLast().millis());
    out.println("the longest pauses of the server:");
    pauses.stream()
        .sorted(Comparator.comparingDouble((GcLog.Pause p) -> -p.length()))
        .limit(PAUSES_SHOWN)
        .forEach(p ->
            out.printf(
                Locale.ROOT,
                "  second %.1f: %.2f ms, %s%n",
                (p.millis() - begin()) / 1e3,
                p.length(),
                p.reason()));
    log.collections(begin(), rows.getLast().millis()).stream()
        .mapToInt(GcLog.Collection::after)
        .max()
        .ifPresent(most -> out.println("most heap in use after a collection: " + most + " MiB"));
  }

  private void late(PrintStream out) {
    for (int i = 0; i < rows.size(); i++) {
      RoomSeries.Row row = rows.get(i);
      if (row.max() > LATE_MILLIS) {
        out.printf(
            Locale.ROOT,
            "second %d: max %.1f ms, cores server %.2f, generator %.2f, others %.2f, longest pause"
                + " %.1f ms, the generator's %d ms%n",
            i + 1,
            row.max(),
            row.server(),
            row.own(),
            row.all() - row.server() - row.own(),
            log.pauses(row.millis() - 1_000, row.millis()).stream()
                .mapToDouble(GcLog.Pause::length)
                .max()
                .orElse(0),
            row.ownPause());
      }
    }
  }

  private long begin() {
    return rows.getFirst().millis() - 1_000;
  }

  private String plot() {
    List<double[]> dots = new ArrayList<>();
    for (GcLog.Pause pause : log.pauses(begin(), rows.getLast().millis())) {
      dots.add(new double[] {(pause.millis() - begin()) / 1e3, pause.length()});
    }
    double cores = Runtime.getRuntime().availableProcessors();
    long most = rows.stream().mapToLong(RoomSeries.Row::rssKib).max().orElse(0) / 1_024;
    double mebibytes = Math.max(64, Long.highestOneBit(Math.max(1, most)) * 2.0);
    return SvgPlot.draw(
        "messages in rooms: second by second",
        rows.size(),
        List.of(
            new SvgPlot.Panel(
                "latency, ms",
                0.1,
                1_000,
                true,
                List.of(
                    new SvgPlot.Curve("pauses", "#d62728", true, dots),
                    SvgPlot.Curve.of("p50", "#1f77b4", rows, RoomSeries.Row::p50),
                    SvgPlot.Curve.of("p99", "#2ca02c", rows, RoomSeries.Row::p99),
                    SvgPlot.Curve.of("p99.9", "#ff7f0e", rows, RoomSeries.Row::p999),
                    SvgPlot.Curve.of("max", "#7f7f7f", rows, RoomSeries.Row::max))),
            new SvgPlot.Panel(
                "cores in use",
                0,
                cores,
                false,
                List.of(
                    SvgPlot.Curve.of("server", "#1f77b4", rows, RoomSeries.Row::server),
                    SvgPlot.Curve.of("all", "#7f7f7f", rows, RoomSeries.Row::all))),
            new SvgPlot.Panel(
                "resident memory of the server, MiB",
                0,
                mebibytes,
                false,
                List.of(SvgPlot.Curve.of("RSS", "#1f77b4", rows, row -> row.rssKib() / 1_024.0)))));
  }
}
