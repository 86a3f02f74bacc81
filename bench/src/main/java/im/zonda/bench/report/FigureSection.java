package im.zonda.bench.report;

import im.zonda.bench.plot.BarChart;
import im.zonda.bench.plot.Numbers;
import im.zonda.bench.result.Result;
import java.util.ArrayList;
import java.util.List;

/// Verdicts and single figures; of several servers beside each other, with bars.
final class FigureSection {
  private static final int CHARTS = 8;

  private final List<Result> results;

  FigureSection(List<Result> results) {
    this.results = results;
  }

  void write(Html html) {
    verdicts(html);
    html.heading(2, "Figures");
    if (results.size() == 1) {
      boolean intervals =
          results.getFirst().figures().stream().anyMatch(figure -> figure.interval() != null);
      List<String> columns = List.of("figure", "value", "95 % interval");
      List<List<String>> rows = single();
      html.table(
          "",
          intervals ? columns : columns.subList(0, 2),
          intervals ? rows : rows.stream().map(row -> row.subList(0, 2)).toList());
    } else {
      html.table("", columns(), compared());
      charts(html);
    }
  }

  private void verdicts(Html html) {
    if (results.stream().allMatch(result -> result.verdicts().isEmpty())) {
      return;
    }
    html.heading(2, "Rules");
    html.raw("<ul class=\"verdicts\">");
    for (Result result : results) {
      for (Result.Verdict verdict : result.verdicts()) {
        html.raw(verdict.met() ? "<li class=\"met\">" : "<li class=\"missed\">");
        html.element("strong", "", verdict.met() ? "met" : "missed");
        String subject = results.size() == 1 ? "" : Figures.subject(result) + ": ";
        html.element("span", "", subject + verdict.sentence());
        html.element("small", "", "Rule: " + verdict.rule()).raw("</li>");
      }
    }
    html.raw("</ul>");
  }

  List<List<String>> single() {
    List<List<String>> rows = new ArrayList<>();
    for (Result.Figure figure : results.getFirst().figures()) {
      Result.Interval interval = figure.interval();
      rows.add(
          List.of(
              figure.label(),
              Numbers.of(figure.value(), figure.unit()),
              interval == null
                  ? ""
                  : Numbers.of(interval.low()) + " to " + Numbers.of(interval.high())));
    }
    return rows;
  }

  List<String> columns() {
    List<String> columns = new ArrayList<>(List.of("figure"));
    results.forEach(result -> columns.add(Figures.subject(result)));
    columns.add(results.getFirst().subject().name() + " to the best other");
    return columns;
  }

  List<List<String>> compared() {
    List<List<String>> rows = new ArrayList<>();
    for (Result.Figure figure : Figures.all(results)) {
      List<String> row = new ArrayList<>(List.of(figure.label()));
      for (Result result : results) {
        row.add(
            result.figures().stream()
                .filter(one -> one.name().equals(figure.name()))
                .findFirst()
                .map(Figures::text)
                .orElse("not measured"));
      }
      row.add(ofBest(figure));
      rows.add(row);
    }
    return rows;
  }

  /// The first server's figure as a ratio of the best of the others; empty without one.
  private String ofBest(Result.Figure figure) {
    var others =
        results.stream()
            .skip(1)
            .mapToDouble(result -> Figures.value(result, figure.name()))
            .filter(value -> value > 0);
    var best = Figures.moreIsBetter(figure) ? others.max() : others.min();
    double own = Figures.value(results.getFirst(), figure.name());
    return best.isEmpty() || !(own > 0) ? "" : Answer.times(own / best.getAsDouble());
  }

  private void charts(Html html) {
    Figures.all(results).stream()
        .filter(figure ->
            results.stream().filter(result -> Figures.value(result, figure.name()) > 0).count() > 1)
        .limit(CHARTS)
        .forEach(figure -> chart(html, figure));
  }

  private void chart(Html html, Result.Figure figure) {
    List<BarChart.Bar> bars = new ArrayList<>();
    for (Result result : results) {
      Result.Interval interval =
          result.figures().stream()
              .filter(one -> one.name().equals(figure.name()) && one.interval() != null)
              .map(Result.Figure::interval)
              .findFirst()
              .orElse(new Result.Interval(Double.NaN, Double.NaN));
      bars.add(
          new BarChart.Bar(
              Figures.subject(result),
              bars.size() % 8,
              Figures.value(result, figure.name()),
              interval.low(),
              interval.high()));
    }
    String title =
        figure.label()
            + (figure.unit().isEmpty() ? "" : ", " + figure.unit())
            + (Figures.moreIsBetter(figure) ? "; more is better" : "; less is better");
    html.raw("<figure>").element("figcaption", "", title);
    html.raw(
        new BarChart(title, "The table of figures holds these values.", figure.unit(), bars)
            .draw());
    html.raw("</figure>");
  }
}
