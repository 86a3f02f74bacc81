package im.zonda.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.SAXException;

class RoomReportTest {
  private static final String SECONDS =
      """
      millis\tcopies\tp50_ms\tp99_ms\tp999_ms\tmax_ms\tserver_cores\t\
      own_cores\tall_cores\trss_kib\town_pause_ms
      1000001000\t1000\t0.500\t2.000\t3.000\t4.000\t0.300\t0.100\t0.500\t204800\t0
      1000002000\t1010\t0.600\t2.500\t9.000\t72.500\t0.400\t0.100\t0.600\t205824\t7
      1000003000\t0\tNaN\tNaN\tNaN\tNaN\t0.000\t0.010\t0.020\t205824\t0
      """;

  private static final String LOG =
      """
      [1000001500ms] GC(7) Pause Young (Normal) (G1 Evacuation Pause) 120M->40M(256M) 61.250ms
      [1000001501ms] Safepoint "G1CollectForAllocation", Time since last: 900 ns, \
      Reaching safepoint: 100 ns, Cleanup: 0 ns, At safepoint: 61300000 ns, \
      Leaving safepoint: 10 ns, Total: 61400000 ns, Threads: 1 runnable, 20 total
      [1000009000ms] Safepoint "Cleanup", Time since last: 1 ns, Total: 90000000 ns
      something else
      """;

  @TempDir Path folder;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private Path seconds = Path.of("");
  private Path log = Path.of("");

  @BeforeEach
  void files() throws IOException {
    seconds = Files.writeString(folder.resolve("seconds.tsv"), SECONDS);
    log = Files.writeString(folder.resolve("gc.log"), LOG);
  }

  @Test
  void theTableSaysWhatCameLateAndWhichPauseWasThere() throws IOException {
    report(seconds.toString(), log.toString());

    assertThat(text())
        .contains("| 1 | 670 | 0.60 | 2.50 | 9.00 | 72.5 | 1 | 0.23 | 0.37 | 201 | 1 | 61.4 |")
        .contains("second 1.5: 61.40 ms, G1CollectForAllocation")
        .contains("second 2: max 72.5 ms, cores server 0.40, generator 0.10, others 0.10")
        .contains("longest pause 61.4 ms, the generator's 7 ms")
        .contains("most heap in use after a collection: 40 MiB")
        .doesNotContain("90.0");
  }

  @Test
  void withoutALogThereAreNoPauses() throws IOException {
    report(seconds.toString());

    assertThat(text()).contains("| all | 670 |").contains("| 201 | 0 | 0.0 |");
  }

  @Test
  void thePlotIsXmlAndShowsEveryCurve()
      throws IOException, ParserConfigurationException, SAXException {
    Path plot = folder.resolve("plot.svg");
    report(seconds.toString(), log.toString(), plot.toString());

    var document =
        DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(plot.toFile());
    assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
    assertThat(document.getElementsByTagName("circle").getLength()).isEqualTo(1);
    assertThat(Files.readString(plot)).doesNotContain("NaN").contains(">p99.9<", ">RSS<", ">all<");
  }

  @Test
  void aFileThatHoldsSomethingElseIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> report(log.toString()));
  }

  private void report(String... files) throws IOException {
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    RoomReport.make(List.of(files), out);
  }

  private String text() {
    return printed.toString(StandardCharsets.UTF_8);
  }
}
