package im.zonda.bench.report;

import im.zonda.bench.plot.Curve;
import im.zonda.bench.plot.Numbers;
import im.zonda.bench.plot.Panel;
import im.zonda.bench.plot.Scale;
import im.zonda.bench.result.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Plots of the seconds of a run besides latency: one for each panel that the result has.
final class Sections {
  private static final int ROWS = 20;
  private static final int COLORS = 8;

  /// Panels with their headings, in their order on the page.
  private static final Map<String, String> HEADINGS = new LinkedHashMap<>();

  static {
    HEADINGS.put("throughput", "Throughput");
    HEADINGS.put("cpu", "CPU");
    HEADINGS.put("memory", "Memory");
    HEADINGS.put("packets", "Packets and sessions");
    HEADINGS.put("sessions", "Sessions");
    HEADINGS.put("errors", "Errors");
  }

  /// Panels whose series are parts of a whole.
  private static final Set<String> STACKED = Set.of("cpu");

  private Sections() {}

  static void write(Html html, List<Result> results) {
    Map<String, String> headings = new LinkedHashMap<>(HEADINGS);
    for (Result result : results) {
      for (Result.Series series : result.series()) {
        headings.putIfAbsent(series.panel(), capital(series.panel()));
      }
    }
    headings.keySet().removeAll(LatencySection.PANELS);
    headings.forEach((panel, heading) -> section(html, results, panel, heading));
  }

  private static String capital(String text) {
    return text.isEmpty()
        ? "Other"
        : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1).replace('-', ' ');
  }

  private static void section(Html html, List<Result> results, String panel, String heading) {
    boolean begun = false;
    for (Result result : results) {
      Map<String, List<Result.Series>> units = new LinkedHashMap<>();
      for (Result.Series series : result.series()) {
        if (series.panel().equals(panel)) {
          units.computeIfAbsent(series.unit(), unit -> new ArrayList<>()).add(series);
        }
      }
      for (Map.Entry<String, List<Result.Series>> entry : units.entrySet()) {
        if (!begun) {
          html.heading(2, heading);
          begun = true;
        }
        String title =
            heading
                + (entry.getKey().isEmpty() ? "" : ", " + entry.getKey())
                + (results.size() > 1 ? ": " + Figures.subject(result) : "");
        one(html, title, entry.getValue(), STACKED.contains(panel));
      }
    }
  }

  private static void one(Html html, String title, List<Result.Series> all, boolean stacked) {
    List<Curve> curves = new ArrayList<>();
    double whole = 0;
    int length = 1;
    for (Result.Series series : all) {
      Curve.Style style = stacked ? Curve.Style.AREA : Curve.Style.LINE;
      Curve curve = Curve.ofSeconds(series.label(), curves.size() % COLORS, style, series.values());
      curves.add(curve);
      length = Math.max(length, series.values().length);
      double most = Double.isNaN(curve.most()) ? 0 : curve.most();
      whole = stacked ? whole + most : Math.max(whole, most);
    }
    plot(
        html,
        new Panel(
            title,
            "The greatest value is " + Numbers.of(most(curves)) + ".",
            new Scale(0, length, false),
            Scale.fromZero(stacked ? mostOfSums(all) : whole),
            Panel.Quantity.SECONDS,
            curves,
            List.of(),
            List.of()),
        all);
  }

  private static double mostOfSums(List<Result.Series> all) {
    double most = 0;
    int length = all.stream().mapToInt(series -> series.values().length).max().orElse(0);
    for (int i = 0; i < length; i++) {
      double sum = 0;
      for (Result.Series series : all) {
        boolean known = i < series.values().length && !Double.isNaN(series.values()[i]);
        sum += known ? series.values()[i] : 0;
      }
      most = Math.max(most, sum);
    }
    return most;
  }

  /// Appends a plot with a table of some seconds.
  static void plot(Html html, Panel panel, List<Result.Series> all) {
    List<String> columns = new ArrayList<>(List.of("second"));
    all.forEach(series -> columns.add(series.label()));
    int length = all.getFirst().values().length;
    int step = Math.max(1, (length + ROWS - 1) / ROWS);
    List<List<String>> rows = new ArrayList<>();
    for (int i = step - 1; i < length; i += step) {
      List<String> row = new ArrayList<>(List.of(String.valueOf(i + 1)));
      for (Result.Series series : all) {
        boolean known = i < series.values().length && !Double.isNaN(series.values()[i]);
        row.add(known ? Numbers.of(series.values()[i]) : "-");
      }
      rows.add(row);
    }
    html.plot(panel, columns, rows);
  }

  static double most(List<Curve> curves) {
    return curves.stream()
        .mapToDouble(Curve::most)
        .filter(value -> !Double.isNaN(value))
        .max()
        .orElse(Double.NaN);
  }

  static double leastAboveZero(List<Curve> curves) {
    return curves.stream()
        .mapToDouble(Curve::leastAboveZero)
        .filter(value -> !Double.isNaN(value))
        .min()
        .orElse(0.001);
  }
}
