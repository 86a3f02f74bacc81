package im.zonda.bench.report;

import im.zonda.bench.documents.Document;
import im.zonda.bench.documents.DocumentRow;
import im.zonda.bench.documents.Documents;
import im.zonda.bench.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The figures of the documents beside those of a run.
public final class ThenSection {
  private final List<Result> results;

  ThenSection(List<Result> results) {
    this.results = results;
  }

  void write(Html html) {
    List<List<String>> rows = rows();
    if (rows.isEmpty()) {
      return;
    }
    html.heading(2, "Then and now");
    html.table("", columns(), rows);
    html.paragraph("The documents measured on: " + hardware() + ".");
  }

  List<String> columns() {
    List<String> columns = new ArrayList<>(List.of("", "what", "then"));
    results.forEach(result -> columns.add(Figures.subject(result)));
    return columns;
  }

  /// The rows of the documents that this scenario answers.
  List<List<String>> rows() {
    String scenario = results.getFirst().run().scenario();
    List<List<String>> rows = new ArrayList<>();
    for (DocumentRow document : Documents.rows()) {
      if (document.isAnsweredBy(scenario)) {
        List<String> row = new ArrayList<>(List.of(document.id(), document.item()));
        row.add(document.then().isEmpty() ? "no figure" : document.then());
        results.forEach(result -> row.add(now(document, result)));
        rows.add(row);
      }
    }
    return rows;
  }

  /// The figures of a result that answer a row.
  private static String now(DocumentRow row, Result result) {
    String figures = figures(row, result);
    return figures.isEmpty() ? "not measured" : figures;
  }

  /// The figures of a result that answer a row; empty without one.
  public static String figures(DocumentRow row, Result result) {
    return row.figures().stream()
        .flatMap(source ->
            result.figures().stream()
                .filter(figure -> source.matches(result.run().scenario(), figure.name())))
        .filter(figure -> !Double.isNaN(figure.value()))
        .distinct()
        .map(figure -> figure.label() + ": " + Figures.text(figure))
        .collect(Collectors.joining("; "));
  }

  String hardware() {
    String scenario = results.getFirst().run().scenario();
    List<String> letters =
        Documents.rows().stream()
            .filter(row -> row.isAnsweredBy(scenario))
            .map(DocumentRow::document)
            .distinct()
            .toList();
    return Documents.all().stream()
        .filter(document -> letters.contains(document.letter()))
        .map(ThenSection::sentence)
        .collect(Collectors.joining("; "));
  }

  private static String sentence(Document document) {
    return document.letter()
        + " ("
        + document.title()
        + ", "
        + document.date()
        + "): "
        + document.hardware();
  }
}
