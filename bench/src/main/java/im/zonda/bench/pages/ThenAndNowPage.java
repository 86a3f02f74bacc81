package im.zonda.bench.pages;

import im.zonda.bench.documents.Document;
import im.zonda.bench.documents.DocumentRow;
import im.zonda.bench.documents.Documents;
import im.zonda.bench.report.ReportMarkdown;
import im.zonda.bench.report.ThenSection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/// `docs/then-and-now.md`: every figure of the documents beside today's.
final class ThenAndNowPage {
  /// The scenario of figures that were measured before results had files of their own.
  private static final String EARLIER = "earlier";

  private static final String HEAD =
      """
      <!-- Made by `zonda bench pages` from bench/results; do not edit. -->
      # 2003 to 2010 and today

      Five documents have shaped what people expect of XMPP servers under load. This page has each figure, table, graph and parameter of
      them, beside what Zonda and its rivals do on the machine of [performance](performance.md). *Not measured* stands where no result is
      stored, with the command that measures it.
      """;

  private final Map<String, EarlierTable> tables;
  private final StoredResults results;

  ThenAndNowPage(Map<String, EarlierTable> tables, StoredResults results) {
    this.tables = tables;
    this.results = results;
  }

  /// The page.
  String text() {
    StringBuilder text = new StringBuilder(HEAD);
    for (Document document : Documents.all()) {
      text.append("\n## ")
          .append(document.letter())
          .append(": ")
          .append(document.title())
          .append("\n\nWritten ")
          .append(document.date())
          .append(". Measured on: ")
          .append(document.hardware())
          .append(".\n\n");
      List<List<String>> rows =
          Documents.rows().stream()
              .filter(row -> row.document().equals(document.letter()))
              .map(this::row)
              .toList();
      text.append(
          ReportMarkdown.table(List.of("", "what", "then", "now", "rivals", "command"), rows));
    }
    return text.toString();
  }

  private List<String> row(DocumentRow row) {
    String now = cell(row, true);
    String missing = row.figures().isEmpty() || !earlier(row).isEmpty() ? "" : "Not measured";
    List<String> parts = new ArrayList<>(List.of(now.isEmpty() ? missing : now, earlier(row)));
    parts.add(row.answer());
    parts.removeIf(String::isEmpty);
    return List.of(
        row.id(),
        row.item(),
        row.then(),
        String.join(". ", parts.stream().map(part -> part.replaceFirst("\\.$", "")).toList()) + ".",
        cell(row, false),
        row.command().isEmpty() ? "" : "`" + row.command() + "`");
  }

  /// The figures that answer a row: for each server those of the run whose command is most like the
  /// row's, the newest of several. The project's own servers count as one.
  private String cell(DocumentRow row, boolean own) {
    List<String> cells = new ArrayList<>();
    for (String scenario :
        row.figures().stream().map(DocumentRow.Source::scenario).distinct().toList()) {
      Map<String, StoredResults.Stored> best = new LinkedHashMap<>();
      for (StoredResults.Stored stored : results.newest(scenario)) {
        boolean answers = !ThenSection.figures(row, stored.result()).isEmpty();
        if (answers && stored.isOwn() == own && hasOptionsOfJvm(row, stored)) {
          best.merge(
              own ? "" : stored.result().subject().name(),
              stored,
              (one, other) -> likeness(row, other) > likeness(row, one) ? other : one);
        }
      }
      best.values()
          .forEach(stored ->
              cells.add(
                  "["
                      + stored.result().subject().name()
                      + "](../bench/results/"
                      + stored.file()
                      + "): "
                      + ThenSection.figures(row, stored.result())));
    }
    return String.join("; ", cells);
  }

  /// Whether a run had the options of the virtual machine that the row is about.
  private static boolean hasOptionsOfJvm(DocumentRow row, StoredResults.Stored stored) {
    String ran = String.join(" ", stored.result().run().command());
    return words(row).stream().filter(word -> word.startsWith("-X")).allMatch(ran::contains);
  }

  private static Set<String> words(DocumentRow row) {
    return new HashSet<>(Arrays.asList(row.command().replace("\"", "").split(" ", -1)));
  }

  /// The share of words that the command of a row and that of a run have in common, of all words of
  /// both.
  private static double likeness(DocumentRow row, StoredResults.Stored stored) {
    Set<String> asked = words(row);
    Set<String> all = new HashSet<>(stored.result().run().command());
    long common = all.stream().filter(asked::contains).count();
    all.addAll(asked);
    return (double) common / all.size();
  }

  /// Links to earlier tables that answer a row.
  private String earlier(DocumentRow row) {
    String links =
        row.figures().stream()
            .filter(source -> source.scenario().equals(EARLIER))
            .map(source ->
                Objects.requireNonNull(
                        tables.get(source.figure()), () -> "no table " + source.figure())
                    .section())
            .distinct()
            .map(section -> "[" + section + "](measurements.md#" + anchor(section) + ")")
            .collect(Collectors.joining(", "));
    return links.isEmpty() ? "" : "Earlier: " + links;
  }

  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]", "").replace(' ', '-');
  }
}
