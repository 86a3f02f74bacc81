package im.zonda.bench.report;

import im.zonda.bench.plot.Curve;
import im.zonda.bench.plot.Numbers;
import im.zonda.bench.plot.Panel;
import im.zonda.bench.plot.Scale;
import im.zonda.bench.trace.Trace;
import im.zonda.bench.trace.TraceStatistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;

/// A page that shows a trace.
public final class TracePage {
  private static final int ROWS = 20;
  private static final int POINTS = 200;
  private static final double MILLI = 1e3;
  private static final double PERCENT = 100;

  private final Html html = new Html();
  private final TraceStatistics numbers;

  private TracePage(TraceStatistics numbers) {
    this.numbers = numbers;
  }

  /// The page.
  ///
  /// @param name of the trace
  public static String html(String name, Trace trace) {
    TracePage page = new TracePage(TraceStatistics.of(trace));
    page.write(name, trace.hash());
    return ReportPage.page("Trace " + name, page.html);
  }

  private void write(String name, String hash) {
    html.heading(1, "Trace " + name);
    html.paragraph(
        String.format(
            Locale.ROOT,
            "%,.0f players, at most %,.0f at a time, in %,.0f rooms of at most %,.0f. In %,.0f s"
                + " they send %,.0f messages, %.1f a second, each to %.1f receivers on average:"
                + " %,.0f copies a second.",
            numbers.count("players"),
            numbers.count("players-online-most"),
            numbers.count("rooms"),
            numbers.count("largest-room"),
            numbers.count("seconds"),
            numbers.count("messages"),
            numbers.count("messages-per-second"),
            numbers.count("copies-per-message"),
            numbers.count("copies-per-second")));
    overTime("Players who are connected", second -> numbers.online()[second]);
    overTime("Messages a second", second -> numbers.messages()[second]);
    overTime("Copies a second, which is what the server sends", second -> numbers.copies()[second]);
    sizes();
    shares(
        "Gaps between messages of one player, share that is not longer, in %",
        Panel.Quantity.SECONDS,
        Arrays.stream(numbers.gaps()).mapToDouble(gap -> Math.max(1, gap) / MILLI).toArray());
    shares(
        "Lengths of messages, share that is not longer, in %",
        Panel.Quantity.BYTES, Arrays.stream(numbers.lengths()).asDoubleStream().toArray());
    html.heading(2, "Numbers");
    List<List<String>> rows = new ArrayList<>();
    numbers
        .counts()
        .forEach((key, value) -> rows.add(List.of(key.replace('-', ' '), Numbers.of(value))));
    html.table("", List.of("what", "value"), rows);
    html.paragraph("SHA-256 of the trace: " + hash);
  }

  private void overTime(String title, IntToDoubleFunction value) {
    int seconds = numbers.online().length;
    double[] values = new double[seconds];
    Arrays.setAll(values, value);
    Curve curve = Curve.ofSeconds(title, 0, Curve.Style.LINE, values);
    Scale across = new Scale(0, Math.max(1, seconds), false);
    plot(title, Panel.Quantity.SECONDS, across, Scale.fromZero(Math.max(1, curve.most())), curve);
  }

  private void sizes() {
    int[] sizes = numbers.sizes();
    double[] rank = new double[sizes.length];
    double[] size = new double[sizes.length];
    for (int i = 0; i < sizes.length; i++) {
      rank[i] = i + 1;
      size[i] = Math.max(1, sizes[i]);
    }
    String title = "Players of each room at a time, at most; the largest room first";
    Curve curve = new Curve(title, 0, Curve.Style.LINE, rank, size);
    plot(
        title,
        Panel.Quantity.ROOMS,
        Scale.ofPowers(1, Math.max(2, sizes.length)),
        Scale.ofPowers(1, Math.max(2, curve.most())),
        curve);
  }

  /// Draws how large a share of sorted values does not pass each value.
  private void shares(String title, Panel.Quantity quantity, double[] sorted) {
    if (sorted.length == 0) {
      return;
    }
    int points = Math.min(POINTS, sorted.length);
    double[] x = new double[points];
    double[] y = new double[points];
    for (int i = 0; i < points; i++) {
      int at = (int) ((long) (i + 1) * sorted.length / points) - 1;
      x[i] = sorted[at];
      y[i] = PERCENT * (at + 1) / sorted.length;
    }
    plot(
        title,
        quantity,
        Scale.ofPowers(Math.max(x[0], 1e-3), Math.max(x[points - 1], 1)),
        Scale.fromZero(PERCENT),
        new Curve(title, 0, Curve.Style.LINE, x, y));
  }

  private void plot(String title, Panel.Quantity quantity, Scale across, Scale up, Curve curve) {
    Panel panel =
        new Panel(
            title,
            title + ": at most " + Numbers.of(curve.most()),
            across,
            up,
            quantity,
            List.of(curve),
            List.of(),
            List.of());
    List<List<String>> rows = new ArrayList<>();
    int count = curve.x().length;
    for (int i = 0; i < Math.min(ROWS, count); i++) {
      int at = (int) ((long) i * count / Math.min(ROWS, count));
      rows.add(List.of(Numbers.of(curve.x()[at]), Numbers.of(curve.y()[at])));
    }
    html.plot(panel, List.of(quantity.name().toLowerCase(Locale.ROOT), "value"), rows);
  }
}
