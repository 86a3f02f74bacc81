package im.zonda.console.chart;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.console.view.Cell;
import im.zonda.console.view.ConsoleTexts;
import im.zonda.console.view.Values;
import im.zonda.http.page.Language;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChartTest {
  private static final Instant NOW = Instant.parse("2026-11-28T12:00:02Z");

  private final Language english =
      Objects.requireNonNull(ConsoleTexts.read().languages().get("en"));
  private final Values values = new Values(english, NOW);
  private final List<Object> series = new ArrayList<>();

  /// Adds a series with a value for each of the last steps.
  private void measured(String metric, String labels, String measure, @Nullable Double... last) {
    List<Object> points = new ArrayList<>();
    for (int i = 0; i < last.length; i++) {
      Double value = last[i];
      if (value != null) {
        Instant time =
            Instant.parse("2026-11-28T12:00:00Z").minusSeconds(5L * (last.length - 1 - i));
        points.add(Map.of("time", time.toString(), "value", value));
      }
    }
    series.add(Map.of("metric", metric, "labels", labels, "measure", measure, "points", points));
  }

  private Steps steps() {
    Map<String, @Nullable Object> history = new LinkedHashMap<>();
    history.put("series", series);
    return Steps.read(history, Range.MINUTES, NOW);
  }

  private Chart chart(ChartDefinition definition) {
    return Chart.of(definition, steps(), values);
  }

  @Test
  void theTitleSaysTheLastValues() {
    measured("zonda_network_stanzas_total", "direction=\"in\"", "rate", 90.0, 12.5);
    measured("zonda_network_stanzas_total", "direction=\"out\"", "rate", 10.0, 2_000.0);
    Chart chart = chart(Charts.STANZAS);
    assertThat(chart.title()).isEqualTo("12.5 stanzas come in a second, 2,000 go out.");
    assertThat(chart.top()).isEqualTo("2,000/s");
    assertThat(chart.middle()).isEqualTo("1,000/s");
    assertThat(chart.lines()).extracting(Chart.Drawn::last).containsExactly("12.5/s", "2,000/s");
    assertThat(chart.lines()).extracting(Chart.Drawn::label).containsExactly("in", "out");
  }

  @Test
  void aChartOfNothingSaysSo() {
    measured("zonda_message_seconds", "stage=\"inside\"", "p50", 0.0);
    measured("zonda_message_seconds", "stage=\"inside\"", "p99", 0.0);
    assertThat(chart(Charts.INSIDE).title())
        .isEqualTo("No message was delivered in the last minute.");
  }

  @Test
  void seriesThatFitALineAreAddedUp() {
    measured("zonda_accounts_online", "host=\"a.example\"", "value", 3.0, null, 4.0);
    measured("zonda_accounts_online", "host=\"b.example\"", "value", null, null, 2.0);
    double[] all = steps().of(Charts.PEOPLE.lines().getFirst());
    assertThat(all).hasSize(144).endsWith(3.0, Double.NaN, 6.0);
    assertThat(Steps.last(all)).isEqualTo(6);
  }

  @Test
  void gapsAreNotDrawn() {
    Curve curve = new Curve(100, 20);
    double[] gap = {1, 2, Double.NaN, 4, Double.NaN, 0};
    assertThat(curve.line(gap, 4)).isEqualTo("M0 15L20 10M60 0h0M100 20h0");
    assertThat(curve.area(gap, 4))
        .isEqualTo("M0 20L0 15L20 10L20 20ZM60 20L60 0L60 20ZM100 20L100 20L100 20Z");
  }

  @Test
  void theScaleEndsWithARoundNumber() {
    assertThat(Unit.COUNT.ceiling(0)).isEqualTo(1);
    assertThat(Unit.COUNT.ceiling(7)).isEqualTo(10);
    assertThat(Unit.COUNT.ceiling(20)).isEqualTo(20);
    assertThat(Unit.RATE.ceiling(201)).isEqualTo(500);
    assertThat(Unit.SECONDS.ceiling(0.0031)).isEqualTo(0.005);
    assertThat(Unit.BYTES.ceiling(3_000)).isEqualTo(4_096);
    assertThat(Unit.BYTES.ceiling(5_000_000)).isEqualTo(8_388_608);
  }

  @Test
  void valuesHaveTheirUnits() {
    assertThat(Unit.SECONDS.text(values, 0.000_12)).isEqualTo("120 µs");
    assertThat(Unit.SECONDS.text(values, 0.0042)).isEqualTo("4.2 ms");
    assertThat(Unit.SECONDS.text(values, 1.26)).isEqualTo("1.3 s");
    assertThat(Unit.RATE.text(values, 1_234.4)).isEqualTo("1,234/s");
    assertThat(Unit.BYTE_RATE.text(values, 1_536)).isEqualTo("1.5 KiB/s");
    assertThat(Unit.CORES.text(values, 0.254)).isEqualTo("0.25");
  }

  @Test
  void theTableHasTheNewestFirst() {
    measured("zonda_log_queue_bytes", "", "value", 1_024.0, null, 0.0);
    var table = Chart.table(Charts.LOG_QUEUE, steps(), values, "Time");
    assertThat(table.rows().stream().map(row -> row.stream().map(Cell::text).toList()))
        .containsExactly(
            List.of("2026-11-28 12:00:00", "0 B"), List.of("2026-11-28 11:59:50", "1.0 KiB"));
  }

  @Test
  void theCursorKnowsTheValues() {
    measured("zonda_log_queue_bytes", "", "value", 5.0, null, 0.25);
    String begin = String.valueOf(Instant.parse("2026-11-28T11:48:05Z").getEpochSecond());
    assertThat(chart(Charts.LOG_QUEUE).data()).startsWith(begin + ";5;,,").endsWith(",5,,0.2500");
  }

  @Test
  void everyChartHasItsTextsInEveryLanguage() {
    for (Language language : ConsoleTexts.read().languages().values()) {
      for (List<Charts.Group> page : List.of(Charts.LOAD, Charts.STORE, Charts.QUEUES)) {
        for (Charts.Group group : page) {
          for (ChartDefinition chart : group.charts()) {
            assertThat(language.has("chart." + chart.name())).as(chart.name()).isTrue();
            chart
                .lines()
                .forEach(each -> assertThat(language.has(each.text())).as(each.text()).isTrue());
          }
        }
      }
    }
  }
}
