package im.zonda.bench.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.bench.documents.DocumentRow;
import im.zonda.bench.documents.Documents;
import im.zonda.bench.result.Result;
import im.zonda.bench.result.ResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PagesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /// The pages of the tree are what the results say. If this fails: `./zonda bench pages`.
  @Test
  void pagesSayWhatResultsSay() throws IOException {
    for (Map.Entry<String, String> page : Pages.texts(ROOT).entrySet()) {
      assertThat(Files.readString(ROOT.resolve(page.getKey())))
          .as(page.getKey())
          .isEqualTo(page.getValue());
    }
  }

  @Test
  void everyItemOfDocumentsHasItsRow() throws IOException {
    List<String> ids = new ArrayList<>();
    Map<String, Integer> counts = Map.of("A", 20, "B", 17, "C", 14, "D", 14, "E", 34);
    for (String letter : List.of("A", "B", "C", "D", "E")) {
      for (int i = 1; i <= counts.getOrDefault(letter, 0); i++) {
        ids.add(letter + i);
      }
    }
    assertThat(Documents.rows()).extracting(DocumentRow::id).isEqualTo(ids);
    assertThat(Documents.rows())
        .allMatch(row -> !row.figures().isEmpty() || !row.answer().isEmpty());
    String page = Pages.texts(ROOT).get("docs/then-and-now.md");
    assertThat(page).contains(ids.stream().map(id -> "\n| " + id + " |").toList());
  }

  private static StoredResults.Stored stored(String file, String server, String day, double cpu) {
    return stored(file, server, day, cpu, List.of());
  }

  /// @param options further words of the command, and the options of the server
  private static StoredResults.Stored stored(
      String file, String server, String day, double cpu, List<String> options) {
    return new StoredResults.Stored(
        file,
        new Result(
            new Result.Run(
                "burst",
                Stream.concat(Stream.of("zonda", "bench", "burst"), options.stream()).toList(),
                Map.of("users", "140"),
                1,
                Instant.parse("2026-11-" + day + "T18:00:00Z"),
                9,
                1),
            new Result.Machine("EPYC", 2, 24L << 30, "Linux", "25"),
            new Result.Subject(server, "1", "0123abcd", options),
            List.of(
                new Result.Figure("cpu-per-message", "CPU a message", cpu, "us", null),
                new Result.Figure("delivery-p50", "delivery, median", 0.5, "ms", null),
                new Result.Figure("delivery-p99", "delivery, p99", 2, "ms", null),
                new Result.Figure("delivery-max", "delivery, longest", 7, "ms", null),
                new Result.Figure("lost", "lost", Double.NaN, "", null)),
            List.of(),
            List.of(),
            List.of(),
            List.of(new Result.Verdict(cpu < 50, "CPU is " + cpu + " us.", "below 50 us")),
            List.of(),
            List.of()));
  }

  private static final StoredResults RESULTS =
      new StoredResults(
          List.of(
              stored("old.json", "zonda", "21", 12),
              stored("peer.json", "prosody", "28", 200),
              stored("new.json", "zonda", "29", 10)));

  @Test
  void newestResultsStandBesideEachOther() {
    String page = MeasurementsPage.text("a\n{{runs}}\nb\n", Map.of(), RESULTS);
    assertThat(page)
        .contains("### burst\n\n[zonda 1](../bench/results/new.json) (2026-11-29, `0123abcd`)")
        .contains("2 x EPYC, 24 GiB, Linux:")
        .contains("| CPU a message | 10 us | 200 us |\n")
        .contains("| delivery: median, p99, longest | 0.5 / 2 / 7 ms | 0.5 / 2 / 7 ms |\n")
        .contains("| lost | not measured | not measured |")
        .contains("- **missed** by prosody 1: CPU is 200.0 us. Rule: below 50 us.")
        .contains("    zonda bench burst\n")
        .doesNotContain("old.json");
  }

  @Test
  void eachWorkloadIsOneRow() {
    StoredResults results =
        new StoredResults(
            List.of(
                stored("volatile.json", "zonda-volatile", "30", 5),
                stored("heap.json", "zonda", "30", 60, List.of("--server-jvm", "-Xmx2g")),
                stored("new.json", "zonda", "29", 10),
                stored("slow.json", "ejabberd", "28", 400),
                stored("peer.json", "prosody", "28", 200)));
    assertThat(
            PerformancePage.text("a\n{{workloads burst; burst --server-jvm -Xmx2g}}\nb\n", results))
        .contains(
            "\n| [burst](measurements.md#burst) | 10 us CPU a message | delivery: 0.5, 2 ms | "
                + "| prosody 200 us, 20 times as much | | `0123abcd` |\n")
        .contains("\n| [burst --server-jvm -Xmx2g](measurements.md#burst) | 60 us")
        .contains("| **1** | `0123abcd` |\nb\n");
    assertThatThrownBy(() -> PerformancePage.text("{{workloads chat}}", results))
        .hasMessage("the workload has no result: chat");
  }

  @Test
  void newestFiguresAnswerDocuments() throws IOException {
    String page = new ThenAndNowPage(tables(), RESULTS).text();
    assertThat(page.lines().filter(line -> line.startsWith("| A13 |")))
        .singleElement()
        .asString()
        .contains("[zonda](../bench/results/new.json): CPU a message: 10 us")
        .contains("| [prosody](../bench/results/peer.json): CPU a message: 200 us");
    assertThat(page.lines().filter(line -> line.startsWith("| E20 |")))
        .singleElement()
        .asString()
        .contains("Not measured");
  }

  @Test
  void aRunWithTheCommandOfTheRowAnswersThatRow() throws IOException {
    StoredResults results =
        new StoredResults(
            List.of(
                stored("usual.json", "zonda", "28", 10),
                stored("other.json", "zonda", "29", 33, List.of("--storage", "postgresql"))));
    String page = new ThenAndNowPage(tables(), results).text();
    assertThat(page.lines().filter(line -> line.startsWith("| A13 |")))
        .singleElement()
        .asString()
        .contains("(../bench/results/usual.json)")
        .doesNotContain("other.json");
    assertThat(page.lines().filter(line -> line.startsWith("| A14 |")))
        .singleElement()
        .asString()
        .contains("(../bench/results/other.json): CPU a message: 33 us")
        .doesNotContain("usual.json");
    assertThat(page.lines().filter(line -> line.startsWith("| A15 |"))) // on -Xmx128m
        .singleElement()
        .asString()
        .contains("Not measured")
        .doesNotContain(".json");
    assertThat(MeasurementsPage.text("{{runs}}\n", Map.of(), results))
        .contains("| | zonda 1 (--storage, postgresql) | zonda 1 |")
        .contains("    zonda bench burst --storage postgresql\n    zonda bench burst\n");
  }

  private static Map<String, EarlierTable> tables() throws IOException {
    return EarlierTable.read(
        Files.readString(ROOT.resolve("bench/results/earlier/measurements.json")));
  }

  private static final String TABLE =
      """
      {"tables": [{"id": "x", "section": "S", "machine": "M", "date": "D", "commit": "C",
      "conditions": "quiet", "command": ["run"], "columns": ["", "us"], "rows": [["chat", "5"]]}]}
      """;

  @Test
  void earlierTablesKeepTheirOrigin() {
    Map<String, EarlierTable> tables = EarlierTable.read(TABLE);
    assertThat(MeasurementsPage.text("{{table x}}\n", tables, new StoredResults(List.of())))
        .endsWith("-->\nD, C, quiet:\n\n| | us |\n|---|---|\n| chat | 5 |\n\n    run\n");
    for (String member : List.of("machine", "date", "commit")) {
      String without = TABLE.replaceFirst("\"" + member + "\": \".\"", "\"" + member + "\": \"\"");
      assertThatThrownBy(() -> EarlierTable.read(without)).hasMessage("table x has no " + member);
    }
    assertThatThrownBy(() -> EarlierTable.read(TABLE.replace("[\"run\"]", "[]")))
        .hasMessage("table x has no command");
    assertThatThrownBy(() -> EarlierTable.read(TABLE.replace("\"chat\", ", "")))
        .hasMessageContaining("2 columns");
  }

  @Test
  void tablesAreNeitherLeftOutNorMissing() {
    Map<String, EarlierTable> tables = EarlierTable.read(TABLE);
    StoredResults none = new StoredResults(List.of());
    assertThatThrownBy(() -> MeasurementsPage.text("", tables, none))
        .hasMessage("the template leaves out the tables [x]");
    assertThatThrownBy(() -> MeasurementsPage.text("{{table y}}", tables, none))
        .hasMessage("the template names a table that is not there: y");
  }

  @Test
  void resultsWithoutOriginAreRefused(@TempDir Path folder) throws IOException {
    String json = ResultJson.text(stored("a", "zonda", "29", 1).result());
    Files.writeString(folder.resolve("a.json"), json.replace("0123abcd", ""));
    assertThatThrownBy(() -> StoredResults.read(folder))
        .hasMessage("a.json does not say its machine, commit and command");
    Files.writeString(folder.resolve("a.json"), json);
    assertThat(StoredResults.read(folder).scenarios()).containsExactly("burst");
  }

  @Test
  void anotherFolderIsNoTree(@TempDir Path folder) {
    assertThatThrownBy(() -> Pages.write(folder)).hasMessageContaining("no source tree");
  }

  @Test
  void reportsOfStudiesAreResults(@TempDir Path folder) throws IOException {
    String study =
        """
        {"schema": 1, "study": {"started": "2026-11-29T18:00:00Z", "cpu": "EPYC", "cores": 2,
        "memory": "25165824 kB", "system": "Linux", "java": "25", "command": "zonda study runtime",
        "note": "0123abcd"}, "jars": {}, "cells": [
        {"cell": "c2-plain", "start-millis": [400, 600], "loads": [
        {"load": "jmeter-4800", "average": 3, "pool": {"active-most": 7}, "kilobytes": {"VmRSS": 9}}]},
        {"cell": "c2-plain", "start-millis": [800], "loads": [{"load": "jmeter-4800", "average": 5}]}
        ]}
        """;
    Files.writeString(folder.resolve("study.json"), study);
    StoredResults results = StoredResults.read(folder);
    Result result = results.newest("study").getFirst().result();
    assertThat(result.figures())
        .extracting(figure -> figure.name() + " " + figure.value())
        .containsExactly(
            "c2-plain-jmeter-4800-average 4.0",
            "c2-plain-jmeter-4800-pool-peak 7.0",
            "c2-plain-rss 9.0",
            "c2-plain-start 600.0");
    assertThat(result.machine().memory()).isEqualTo(24L << 30);
    assertThat(StudyTable.markdown(result))
        .startsWith("| cell | average, p99 and CPU of a page, ms: jmeter-4800 | RSS | start |")
        .contains("\n| c2-plain | 4 | 9 kB | 600 ms |");
    assertThat(new ThenAndNowPage(tables(), results).text().lines())
        .anyMatch(line ->
            line.startsWith("| E1 |")
                && line.contains("c2-plain, jmeter-4800, average: 4 ms; c2-plain, start: 600 ms"));
    Files.writeString(folder.resolve("study.json"), study.replace("2026-11-29T", "x"));
    assertThatThrownBy(() -> StoredResults.read(folder)).hasMessageStartingWith("study.json: ");
  }
}
