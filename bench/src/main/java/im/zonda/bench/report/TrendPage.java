package im.zonda.bench.report;

import im.zonda.bench.plot.Curve;
import im.zonda.bench.plot.Numbers;
import im.zonda.bench.plot.Panel;
import im.zonda.bench.plot.Scale;
import im.zonda.bench.result.Result;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Figures of many runs over time: for each scenario and figure, a plot with a line for each
/// server.
public final class TrendPage {
  private TrendPage() {}

  /// The page.
  ///
  /// @param results in any order
  public static String html(List<Result> results) {
    Map<String, List<Result>> scenarios = new TreeMap<>();
    results.stream()
        .sorted(Comparator.comparing((Result result) -> result.run().started()))
        .forEach(result ->
            scenarios
                .computeIfAbsent(result.run().scenario(), name -> new ArrayList<>())
                .add(result));
    Html html = new Html();
    html.raw("<header>").element("p", "kind", "zonda bench trend");
    html.heading(1, results.size() + " runs over time: " + String.join(", ", scenarios.keySet()));
    html.raw("</header>");
    scenarios.forEach((scenario, runs) -> scenario(html, scenario, runs));
    return ReportPage.page("zonda bench trend", html);
  }

  private static void scenario(Html html, String scenario, List<Result> runs) {
    html.heading(2, scenario);
    List<List<String>> rows = new ArrayList<>();
    for (Result run : runs) {
      rows.add(
          List.of(
              String.valueOf(rows.size() + 1),
              run.run().started().toString(),
              Figures.subject(run),
              run.subject().commit(),
              run.machine().cores() + " x " + run.machine().cpu(),
              String.join(" ", run.run().command())));
    }
    html.table("Runs", List.of("run", "begun", "server", "commit", "processors", "command"), rows);
    for (Result.Figure figure : Figures.all(runs)) {
      figure(html, figure, runs);
    }
  }

  private static void figure(Html html, Result.Figure figure, List<Result> runs) {
    Map<String, List<double[]>> byServer = new LinkedHashMap<>();
    List<List<String>> rows = new ArrayList<>();
    double most = 0;
    for (int i = 0; i < runs.size(); i++) {
      double value = Figures.value(runs.get(i), figure.name());
      if (!Double.isNaN(value)) {
        String server = load(runs.get(i), runs);
        byServer
            .computeIfAbsent(server, name -> new ArrayList<>())
            .add(new double[] {i + 1, value});
        rows.add(
            List.of(
                String.valueOf(i + 1),
                server,
                runs.get(i).subject().commit(),
                Numbers.of(value, figure.unit())));
        most = Math.max(most, value);
      }
    }
    if (most <= 0) {
      return;
    }
    List<Curve> curves = new ArrayList<>();
    byServer.forEach((server, points) ->
        curves.add(
            new Curve(
                server,
                curves.size() % 8,
                Curve.Style.DOTTED,
                points.stream().mapToDouble(point -> point[0]).toArray(),
                points.stream().mapToDouble(point -> point[1]).toArray())));
    html.plot(
        new Panel(
            figure.label()
                + (figure.unit().isEmpty() ? "" : ", " + figure.unit())
                + (Figures.moreIsBetter(figure) ? "; more is better" : "; less is better"),
            "The last value is " + rows.getLast().getLast() + ".",
            new Scale(0.5, runs.size() + 0.5, false),
            Scale.fromZero(most),
            Panel.Quantity.RUNS,
            curves,
            List.of(),
            List.of()),
        List.of("run", "server", "commit", "value"),
        rows);
  }

  /// The server of a run, and the parameters in which the runs differ.
  private static String load(Result run, List<Result> runs) {
    StringBuilder load = new StringBuilder(run.subject().name());
    new TreeMap<>(run.run().parameters())
        .forEach((name, value) -> {
          boolean differs =
              runs.stream().anyMatch(one -> !value.equals(one.run().parameters().get(name)));
          if (differs) {
            load.append(" --").append(name).append(' ').append(value);
          }
        });
    return load.toString();
  }
}
