package im.zonda.bench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultJsonTest {
  static Result result() {
    Histogram histogram = new Histogram(1, 300_000_000L, 3);
    histogram.recordValueWithCount(120, 990);
    histogram.recordValueWithCount(1_500_000, 10);
    return new Result(
        new Result.Run(
            "chat",
            List.of("zonda", "bench", "chat", "--rate", "5000"),
            Map.of("rate", "5000"),
            7,
            Instant.parse("2026-11-29T18:00:00Z"),
            20.5,
            2),
        new Result.Machine("EPYC", 2, 25_769_803_776L, "Linux 6.18", "25.0.3"),
        new Result.Subject("zonda", "0.1.0", "0123abcd", List.of("-Xmx128m")),
        List.of(
            new Result.Figure(
                "cpu-per-message", "CPU a message", 28.5, "us", new Result.Interval(27.3, 29.7)),
            new Result.Figure("lost", "lost", 0, "", null),
            new Result.Figure("cpu-database", "CPU of the database", Double.NaN, "us", null)),
        List.of(new Result.Latency("delivery", "delivery", HistogramText.of(histogram))),
        List.of(
            new Result.Series(
                "delivery-p99", "p99", "ms", "latency", new double[] {0.1234567, Double.NaN, 3})),
        List.of(new Result.Mark(1.5, 2.25, "G1CollectForAllocation")),
        List.of(new Result.Verdict(true, "None was lost.", "lost = 0")),
        List.of(new Result.Table("sizes", List.of("n", "\"x\""), List.of(List.of("1", "2")))),
        List.of("The database was not measured."));
  }

  @Test
  void resultsAreReadAsTheyWereWritten() {
    Result read = ResultJson.result(ResultJson.text(result()));
    assertThat(withoutSeries(read)).isEqualTo(withoutSeries(result()));
    assertThat(read.series().getFirst().values()).containsExactly(0.123457, Double.NaN, 3);
    Histogram histogram = HistogramText.histogram(read.latencies().getFirst().histogram());
    assertThat(histogram.getTotalCount()).isEqualTo(1_000);
    assertThat(histogram.getValueAtPercentile(50)).isEqualTo(120);
  }

  /// An array is not equal to one with the same values.
  private static Result withoutSeries(Result result) {
    return new Result(
        result.run(),
        result.machine(),
        result.subject(),
        result.figures(),
        result.latencies(),
        List.of(),
        result.marks(),
        result.verdicts(),
        result.tables(),
        result.notes());
  }

  @Test
  void figuresThatAreNoNumbersAreNull() {
    assertThat(ResultJson.text(result()))
        .contains("\"value\": null")
        .contains("[0.123457,null,3]")
        .doesNotContain("NaN");
  }

  @Test
  void errorsNameTheirPlace() {
    String text = ResultJson.text(result());
    assertWrong(text.replace("28.5", "\"28.5\""), "figures[0].value is the text \"28.5\"");
    assertWrong(text.replace("\"low\": 27.3,", ""), "figures[0].interval.low is missing");
    assertWrong(text.replace("\"cores\": 2", "\"cores\": 2.5"), "machine.cores is 2.5");
    assertWrong(text.replace("2026-11-29T", "2026-11-29 "), "run.started is no time");
    assertWrong(text.replace("\"cores\"", "\"coers\""), "machine.coers: there is no member");
    assertWrong("{}", "schema is missing");
    assertWrong("[1]", "no JSON object");
  }

  private static void assertWrong(String text, String message) {
    assertThatThrownBy(() -> ResultJson.result(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void membersOfNewerVersionsAreLeftOutWithNote() {
    String newer =
        ResultJson.text(result())
            .replace("\"schema\": 1", "\"schema\": 2, \"watts\": 3")
            .replace("\"cores\": 2", "\"cores\": 2, \"sockets\": 1");
    Result read = ResultJson.result(newer);
    assertThat(read.notes())
        .hasSize(2)
        .last()
        .asString()
        .contains("version 2")
        .contains("watts, machine.sockets");
  }

  @Test
  void foldersHoldOneResultOrOneForEachServer(@TempDir Path folder) throws IOException {
    assertThatThrownBy(() -> ResultJson.readAll(folder)).hasMessageContaining("holds no run.json");
    for (String name : List.of("zonda", "prosody")) {
      Path file = Files.createDirectories(folder.resolve(name)).resolve(ResultJson.FILE);
      Files.writeString(
          file,
          ResultJson.text(result())
              .replace("\"name\": \"zonda\"", "\"name\": \"" + name + "\"")
              .replace("T18", name.equals("zonda") ? "T18" : "T19"));
    }
    assertThat(ResultJson.readAll(folder))
        .extracting(result -> result.subject().name())
        .containsExactly("zonda", "prosody");
    ResultJson.write(folder.resolve(ResultJson.FILE), result());
    assertThat(ResultJson.readAll(folder)).hasSize(1);
    Files.writeString(folder.resolve(ResultJson.FILE), "{}");
    assertThatThrownBy(() -> ResultJson.readAll(folder))
        .hasMessageContaining("run.json: schema is missing");
  }
}
