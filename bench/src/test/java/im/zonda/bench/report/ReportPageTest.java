package im.zonda.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.bench.result.Result;
import im.zonda.bench.result.ResultJson;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportPageTest {
  private static final String PAGE = ReportPage.html(List.of(Results.of("replay", "zonda", 1)));

  @Test
  void pageBeginsWithWorstVerdict() {
    assertThat(PAGE)
        .contains("<h1>A copy came 999 ms late.</h1>")
        .contains("1 of 2 rules met")
        .contains("Rule: no copy later than 250 ms");
  }

  @Test
  void pageNeedsNothingElse() {
    assertThat(PAGE).doesNotContain("http", "<script", "<link", "@import", "url(");
    assertThat(PAGE.length()).isLessThan(250_000);
  }

  @Test
  void textsAreEscaped() {
    assertThat(PAGE)
        .contains("Processor &lt;x&gt;")
        .contains("--words 'it'\\''s &lt;b&gt;'")
        .doesNotContain("<b>");
  }

  @Test
  void pauseAndLateSecondAreShown() {
    assertThat(PAGE)
        .contains("seconds with a time above 50 ms: 1")
        .contains("<th scope=\"row\">300</th><td class=\"n\">999</td><td class=\"n\">1,000</td>")
        .contains("Pause Full")
        .contains("250 ms: the limit here", "5 s: the spikes of 2010")
        .contains("class=\"pause\" d=\"M");
  }

  @Test
  void figuresWithoutValueAreNamed() {
    assertThat(PAGE)
        .contains("Not measured: resident memory, zonda 1.0.")
        .contains("not measured</td>")
        .doesNotContain("NaN");
  }

  @Test
  void dataAreThoseOfResult() throws IOException {
    Matcher link = Pattern.compile("application/gzip;base64,([^\"]+)").matcher(PAGE);
    assertThat(link.find()).isTrue();
    byte[] bytes = Base64.getDecoder().decode(link.group(1));
    try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      String json = new String(gzip.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(ResultJson.result(json).figures())
          .isEqualTo(Results.of("replay", "zonda", 1).figures());
    }
  }

  @Test
  void serversAreCompared() {
    List<Result> results =
        List.of(
            Results.of("chat", "zonda", 1),
            Results.of("chat", "prosody", 8),
            Results.of("chat", "ejabberd", 4));
    assertThat(ReportPage.html(results))
        .contains(
            "<h1>CPU a message of zonda is 28.5 us, 1/4 of the best rival here, ejabberd,"
                + " with 114 us.</h1>")
        .contains("CPU a message, us; less is better")
        .contains("messages delivered, 1/s; more is better")
        .contains("prosody 1.0: A copy came 999 ms late.")
        .doesNotContain("250 ms: the limit here");
    assertThat(ReportMarkdown.text(results))
        .contains("| CPU a message | 28.5 us (27.3 to 29.7) | 228 us (218 to 238) |")
        .contains("**missed**: prosody 1.0: A copy came 999 ms late.");
  }

  @Test
  void documentsStandBesideRun() {
    assertThat(ReportPage.html(List.of(Results.of("burst", "zonda", 1))))
        .contains("Then and now")
        .contains(
            "<th scope=\"row\">A13</th><td>140 users at once, 100 messages each, 5 ms apart: log in,"
                + " send, log out</td><td class=\"n\">14,000 messages</td><td>CPU a message:"
                + " 28.5 us (27.3 to 29.7)</td>")
        .contains("The documents measured on: A (")
        .doesNotContain("Pentium");
  }

  @Test
  void reportsAreWrittenBesideResults(@TempDir Path folder) throws IOException {
    Path server = Files.createDirectories(folder.resolve("zonda"));
    ResultJson.write(server.resolve(ResultJson.FILE), Results.of("chat", "zonda", 1));
    assertThat(ReportFiles.write(folder)).isEqualTo(folder.resolve("report.html")).isNotEmptyFile();
    assertThat(ReportFiles.write(server.resolve(ResultJson.FILE)))
        .isEqualTo(server.resolve("report.html"));
    assertThat(server.resolve("report.md")).content().contains("| CPU a message | 28.5 us |");
  }

  @Test
  void figuresOfRunsAreDrawnOverTime() {
    String page =
        TrendPage.html(
            List.of(
                Results.of("chat", "zonda", 1),
                Results.of("chat", "prosody", 8),
                withRate(Results.of("chat", "zonda", 2), "2000"),
                Results.of("login", "zonda", 1)));
    assertThat(page)
        .contains("<h1>4 runs over time: chat, login</h1>")
        .contains("CPU a message, us; less is better")
        .contains(">run 2</text>")
        .contains("<circle class=\"a2\"")
        .contains("zonda --rate 1000</li>", "zonda --rate 2000</li>")
        .doesNotContain("resident memory, MiB");
  }

  @Test
  void runWithLateGeneratorIsNotAnswer() {
    Result late = withVerdict(new Result.Verdict(false, "Not valid: it was late.", "punctual"));
    Result good = Results.of("chat", "prosody", 8);
    assertThat(ReportPage.html(List.of(good, late)))
        .contains("<h1>zonda: Not valid: it was late.</h1>");
    assertThat(ReportPage.html(List.of(late))).contains("<h1>Not valid: it was late.</h1>");
  }

  private static Result withVerdict(Result.Verdict verdict) {
    Result result = Results.of("chat", "zonda", 1);
    return new Result(
        result.run(),
        result.machine(),
        result.subject(),
        result.figures(),
        result.latencies(),
        result.series(),
        result.marks(),
        List.of(result.verdicts().getLast(), verdict),
        result.tables(),
        result.notes());
  }

  private static Result withRate(Result result, String rate) {
    Result.Run run = result.run();
    return new Result(
        new Result.Run(
            run.scenario(),
            run.command(),
            Map.of("rate", rate),
            run.seed(),
            run.started(),
            run.seconds(),
            run.processes()),
        result.machine(),
        result.subject(),
        result.figures(),
        result.latencies(),
        result.series(),
        result.marks(),
        result.verdicts(),
        result.tables(),
        result.notes());
  }
}
