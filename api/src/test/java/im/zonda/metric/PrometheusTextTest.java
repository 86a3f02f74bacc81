package im.zonda.metric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PrometheusTextTest {
  private static String text(Reading... readings) {
    Meters meters = new Meters(Map::of, (meter, cause) -> {});
    meters.add(List.of(readings));
    return PrometheusText.of(meters.read());
  }

  @Test
  void numbers() {
    Meter stanzas =
        Meter.counter("zonda_stanzas_total", "Stanzas", Label.of("kind", "message", "iq"));
    assertThat(
            text(
                stanzas.byEach(() -> List.of(Sample.of(12, "message"), Sample.of(0.5, "iq"))),
                Meter.gauge("zonda_load", "The \\ of\nall \"threads\"").by(() -> Double.NaN)))
        .isEqualTo(
            """
            # HELP zonda_load The \\\\ of\\nall "threads"
            # TYPE zonda_load gauge
            zonda_load NaN
            # HELP zonda_stanzas_total Stanzas
            # TYPE zonda_stanzas_total counter
            zonda_stanzas_total{kind="message"} 12
            zonda_stanzas_total{kind="iq"} 0.5
            """);
  }

  @Test
  void valuesOfLabelsCannotEndThem() {
    Meter caches = Meter.gauge("zonda_caches", "Caches", Label.of("cache"));
    assertThat(text(caches.byEach(() -> List.of(Sample.of(1, "a\"}\\\n")))))
        .endsWith("zonda_caches{cache=\"a\\\"}\\\\\\n\"} 1\n");
  }

  @Test
  void lengthsOfTimeAreHistograms() {
    Timing timing = new Timing();
    timing.record(200_000, 2);
    timing.record(700_000_000);
    assertThat(text(Meter.timing("zonda_login_seconds", "Logins").by(timing)))
        .isEqualTo(
            """
            # HELP zonda_login_seconds Logins
            # TYPE zonda_login_seconds histogram
            zonda_login_seconds_bucket{le="1.0E-4"} 0
            zonda_login_seconds_bucket{le="2.5E-4"} 2
            zonda_login_seconds_bucket{le="5.0E-4"} 2
            zonda_login_seconds_bucket{le="0.001"} 2
            zonda_login_seconds_bucket{le="0.0025"} 2
            zonda_login_seconds_bucket{le="0.005"} 2
            zonda_login_seconds_bucket{le="0.01"} 2
            zonda_login_seconds_bucket{le="0.025"} 2
            zonda_login_seconds_bucket{le="0.05"} 2
            zonda_login_seconds_bucket{le="0.1"} 2
            zonda_login_seconds_bucket{le="0.25"} 2
            zonda_login_seconds_bucket{le="0.5"} 2
            zonda_login_seconds_bucket{le="1"} 3
            zonda_login_seconds_bucket{le="10"} 3
            zonda_login_seconds_bucket{le="+Inf"} 3
            zonda_login_seconds_count 3
            zonda_login_seconds_sum 0.7004
            """);
  }

  @Test
  void whatHasNoSampleIsLeftOut() {
    assertThat(text(Meter.gauge("zonda_edges", "Edges").byEach(List::of))).isEmpty();
  }

  @Test
  void sumsAreSummaries() {
    assertThat(
            text(
                Meter.summary("zonda_cache_load_seconds", "Loads", Label.of("cache"))
                    .byEach(() -> List.of(new Sample.Sum(List.of("vcard"), 3, 0.25)))))
        .isEqualTo(
            """
            # HELP zonda_cache_load_seconds Loads
            # TYPE zonda_cache_load_seconds summary
            zonda_cache_load_seconds_count{cache="vcard"} 3
            zonda_cache_load_seconds_sum{cache="vcard"} 0.25
            """);
  }
}
