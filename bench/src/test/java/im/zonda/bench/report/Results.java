package im.zonda.bench.report;

import im.zonda.bench.result.HistogramText;
import im.zonda.bench.result.Result;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/// Results that were made up for tests.
final class Results {
  static final int SECONDS = 600;

  private Results() {}

  /// A run in which the server stood still for 1 s.
  ///
  /// @param slower how many times as slow the server is
  static Result of(String scenario, String server, double slower) {
    SplittableRandom random = new SplittableRandom(server.hashCode());
    Histogram histogram = new Histogram(1, 300_000_000L, 3);
    double[][] latency = new double[4][SECONDS];
    double[][] cpu = new double[3][SECONDS];
    for (int second = 0; second < SECONDS; second++) {
      Histogram one = new Histogram(1, 300_000_000L, 3);
      for (int i = 0; i < 1_000; i++) {
        double micros = 150 * slower * Math.exp(0.7 * random.nextGaussian());
        double pause = second == 299 ? 1_000 * (999 - i) : 0;
        one.recordValue(Math.max(1, (long) (micros + pause)));
      }
      histogram.add(one);
      latency[0][second] = one.getValueAtPercentile(50) / 1e3;
      latency[1][second] = one.getValueAtPercentile(99) / 1e3;
      latency[2][second] = one.getValueAtPercentile(99.9) / 1e3;
      latency[3][second] = second == 100 ? Double.NaN : one.getMaxValue() / 1e3;
      cpu[0][second] = 0.2 * slower + 0.02 * random.nextDouble();
      cpu[1][second] = 0.05 * slower;
      cpu[2][second] = 0.3 + 0.05 * random.nextDouble();
    }
    return new Result(
        new Result.Run(
            scenario,
            List.of("zonda", "bench", scenario, "--words", "it's <b>"),
            Map.of("rate", "1000"),
            7,
            Instant.parse("2026-11-29T18:00:00Z"),
            SECONDS,
            2),
        new Result.Machine("Processor <x>", 2, 24L << 30, "Linux 6.18", "25.0.3"),
        new Result.Subject(server, "1.0", "0123abcd", List.of("-Xmx128m")),
        figures(slower),
        List.of(
            new Result.Latency("delivery", "delivery", HistogramText.of(histogram)),
            new Result.Latency("send-delay", "send delay", HistogramText.of(histogram))),
        series(latency, cpu),
        List.of(
            new Result.Mark(299.9, 1_000, "Pause Full"), new Result.Mark(20, 3.1, "Pause Young")),
        List.of(
            new Result.Verdict(true, "None of 600,000 messages was lost.", "lost = 0"),
            new Result.Verdict(false, "A copy came 999 ms late.", "no copy later than 250 ms")),
        List.of(new Result.Table("Sizes", List.of("n", "x"), List.of(List.of("1", "2")))),
        List.of("The memory of the database was not looked at, since it has none of its own."));
  }

  private static List<Result.Figure> figures(double slower) {
    return List.of(
        new Result.Figure(
            "cpu-per-message",
            "CPU a message",
            28.5 * slower,
            "us",
            new Result.Interval(27.3 * slower, 29.7 * slower)),
        new Result.Figure("rate", "messages delivered", 1_000 / slower, "1/s", null),
        new Result.Figure("lost", "messages lost", 0, "", null),
        new Result.Figure("rss", "resident memory", Double.NaN, "MiB", null));
  }

  private static List<Result.Series> series(double[][] latency, double[][] cpu) {
    List<Result.Series> series = new ArrayList<>();
    List<String> names = List.of("p50", "p99", "p99.9", "max");
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      series.add(new Result.Series("delivery-" + name, name, "ms", "latency", latency[i]));
    }
    List<String> processes = List.of("server", "database", "generator");
    for (int i = 0; i < processes.size(); i++) {
      String name = processes.get(i);
      series.add(new Result.Series("cpu-" + name, name, "cores", "cpu", cpu[i]));
    }
    double[] growing = new double[SECONDS];
    double[] offered = new double[SECONDS];
    for (int i = 0; i < SECONDS; i++) {
      growing[i] = 150 + 100 * Math.sqrt(i / (double) SECONDS);
      offered[i] = i == 299 ? 40 : 1_000;
    }
    series.add(new Result.Series("rss-server", "server", "MiB", "memory", growing));
    series.add(new Result.Series("achieved", "delivered", "1/s", "throughput", offered));
    return series;
  }
}
