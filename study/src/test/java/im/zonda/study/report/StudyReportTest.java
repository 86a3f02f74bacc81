package im.zonda.study.report;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.study.run.CellFile;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyReportTest {
  @TempDir private Path folder = Path.of("");

  private void write(String cell, int round, double average, double startMillis) throws Exception {
    Map<String, Object> load = new LinkedHashMap<>();
    load.put("load", "jmeter-4800");
    load.put("samples", 4_800);
    load.put("average", average);
    load.put("least", 1.0);
    load.put("most", 2 * average);
    load.put("batches", List.of(average, average));
    load.put("pool", Map.of("active-average", 3.0, "active-most", 9));
    load.put("kilobytes", Map.of("VmSize", 8_000_000, "VmRSS", 200_000));
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("cell", cell);
    result.put("factor", "compiler and bytecode");
    result.put("start-millis", List.of(startMillis, startMillis * 1.01));
    result.put("stop-millis", List.of(400.0, 410.0));
    result.put("loads", List.of(load));
    new CellFile(folder).write(cell, round, result);
  }

  private String report() throws Exception {
    StringWriter said = new StringWriter();
    StudyReport.write(folder, new PrintWriter(said));
    assertThat(said.toString()).contains("report.html");
    assertThat(Files.readString(folder.resolve("report.html")))
        .contains("<svg", "light dark")
        .doesNotContain("NaN", "http://");
    return Files.readString(folder.resolve("report.md"));
  }

  /// The document's own comparison comes out of its own table (rows E7 to E12).
  @Test
  void thePercentagesOfTheDocumentAreComputedAgain() throws Exception {
    write("c2-plain", 1, 10, 1_000);

    assertThat(report())
        .contains("average 112.00 %, VSZ 106.79 %, RSS 79.20 %")
        .contains("average 102.29 %, VSZ 69.25 %, RSS 85.36 %")
        .contains("average 70.29 %, VSZ 64.92 %, RSS 84.40 %")
        .contains("98.98 %", "78.68 %", "63.45 %")
        .contains("31.28 / 19.35 %")
        .contains("-2.29 / 21.32 %")
        .contains("29.71 / 36.55 %")
        .contains("30.75 / 35.08 %");
  }

  @Test
  void saysWhatHoldsToday() throws Exception {
    for (int round = 1; round <= 3; round++) {
      write("c2-plain", round, 10 + 0.1 * round, 1_000);
      write("c2-optimised", round, 8 + 0.1 * round, 1_300);
      write("graal-plain", round, 10 + 0.1 * round, 1_000);
    }

    assertThat(report())
        .contains("ms with IBM's machine): holds today; the average with optimised jars is 80.39 %")
        .contains("IBM's machine with optimised jars): no difference is shown")
        .contains(
            "Optimised bytecode starts slower (then: 341 instead of 295 s with Sun's"
                + " machine): holds today; the time to start with optimised jars is 130.00 %")
        .contains("Both together make pages quicker (then: 29.71 to 36.55 % less): not measured.");
  }

  @Test
  void aSingleRoundGivesNoVerdict() throws Exception {
    write("c2-plain", 1, 10, 1_000);
    write("c2-optimised", 1, 50, 1_000);

    assertThat(report())
        .contains("too few runs for a verdict; the average with optimised jars is 500.00 %")
        .doesNotContain("holds today", "does not hold today");
  }

  @Test
  void aCellThatDoesNotWorkIsARowWithItsError() throws Exception {
    write("c2-plain", 1, 10, 1_000);
    new CellFile(folder)
        .write(
            "graal-plain",
            1,
            Map.of("cell", "graal-plain", "error", "no module\nmore", "loads", List.of()));

    assertThat(report()).contains("| now | graal-plain | does not work: no module |");
  }

  @Test
  void filesOfCellsAreNotWrittenTwice() throws Exception {
    write("c2-plain", 2, 10, 1_000);
    CellFile files = new CellFile(folder);

    assertThat(files.has("c2-plain", 2)).isTrue();
    assertThat(files.has("c2-plain", 1)).isFalse();
    assertThat(files.readAll()).hasSize(1);
  }
}
