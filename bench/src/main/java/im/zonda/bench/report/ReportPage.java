package im.zonda.bench.report;

import im.zonda.bench.plot.Markup;
import im.zonda.bench.result.Result;
import im.zonda.bench.result.ResultJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/// The report of a run as one page of HTML that needs no other file, no network and no script. It
/// suits light and dark screens and paper.
public final class ReportPage {
  private ReportPage() {}

  /// The page of a run.
  ///
  /// @param results one for each server under the same load, the one that matters first
  public static String html(List<Result> results) {
    Html html =
        head(
            "zonda bench " + results.getFirst().run().scenario(),
            results,
            Answer.sentence(results));
    ProfileSection.write(html, results);
    new FigureSection(results).write(html);
    return rest(html, results);
  }

  /// The page of two runs.
  ///
  /// @param answer the difference in one sentence
  /// @param figures their figures beside each other; the title is not shown
  /// @param results one of each side
  public static String comparison(String answer, Result.Table figures, List<Result> results) {
    Html html = head("zonda bench compare", results, answer);
    html.heading(2, "Figures").table("", figures.columns(), figures.rows());
    return rest(html, results);
  }

  private static Html head(String kind, List<Result> results, String answer) {
    Html html = new Html();
    html.raw("<header>").element("p", "kind", kind).heading(1, answer);
    return html.element("p", "lead", lead(results)).raw("</header>");
  }

  private static String rest(Html html, List<Result> results) {
    Result first = results.getFirst();
    new ThenSection(results).write(html);
    new LatencySection(results).write(html);
    Sections.write(html, results);
    for (Result result : results) {
      for (Result.Table table : result.tables()) {
        html.heading(2, table.title() + (results.size() > 1 ? ": " + Figures.subject(result) : ""));
        html.table("", table.columns(), table.rows());
      }
    }
    new RunSection(results).write(html);
    html.heading(2, "Data");
    results.forEach(result -> html.raw(link(result, results.size() > 1)));
    return page("zonda bench " + first.run().scenario(), html);
  }

  /// A page with the style of reports.
  static String page(String title, Html content) {
    return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        + "<meta name=\"color-scheme\" content=\"light dark\">\n<title>"
        + Markup.escape(title)
        + "</title>\n<style>\n"
        + style()
        + "</style></head>\n<body><main>\n"
        + content
        + "</main></body></html>\n";
  }

  private static String lead(List<Result> results) {
    Result first = results.getFirst();
    long met =
        results.stream()
            .flatMap(result -> result.verdicts().stream())
            .filter(Result.Verdict::met)
            .count();
    long rules = results.stream().mapToLong(result -> result.verdicts().size()).sum();
    String verdict = rules == 0 ? "" : met + " of " + rules + " rules met. ";
    return verdict
        + "Server: "
        + String.join(", ", results.stream().map(Figures::subject).toList())
        + ". Machine: "
        + first.machine().cores()
        + " x "
        + first.machine().cpu()
        + ". Begun "
        + first.run().started().truncatedTo(ChronoUnit.SECONDS)
        + ".";
  }

  private static String link(Result result, boolean several) {
    String name = several ? result.subject().name() + "-run.json" : "run.json";
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(ResultJson.text(result).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot be written to", e);
    }
    return "<p><a download=\""
        + Markup.escape(name)
        + ".gz\" href=\"data:application/gzip;base64,"
        + Base64.getEncoder().encodeToString(bytes.toByteArray())
        + "\">"
        + Markup.escape(name)
        + ", compressed</a>: all figures of this page</p>";
  }

  private static String style() {
    try (InputStream in = ReportPage.class.getResourceAsStream("report.css")) {
      if (in == null) {
        throw new IllegalStateException("the product lacks report.css");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("report.css cannot be read", e);
    }
  }
}
