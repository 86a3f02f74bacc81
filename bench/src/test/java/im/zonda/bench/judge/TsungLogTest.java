package im.zonda.bench.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TsungLogTest {
  private static final List<String> LINES =
      List.of(
          "# stats: dump at 1795949128",
          "stats: users 37 39",
          "stats: {cpu,\"tsung_controller@vm\"} 1 99.95 0.0 99.95 87.99 87.99 1",
          "stats: tr_login 41 312.5 101.9 1708.684 6.842 0 0",
          "stats: match 137 259",
          "# stats: dump at 1795949138",
          "stats: tr_login 9 112.5 20.8 1708.684 6.842 312.5 41",
          "stats: tr_roster 0 0 0 717.527 1.546 113.7 88",
          "stats: match 11 270",
          "stats: nomatch 0 0",
          "stats: connected -32 0");

  @Test
  void addsUpTheTimesOfTenSecondsEach() {
    TsungLog log = TsungLog.parse(LINES);

    assertThat(log.samples()).containsOnlyKeys("tr_login");
    assertThat(log.samples().get("tr_login")).isEqualTo(new TsungLog.Sample(50, 276.5, 1_708.684));
    assertThat(log.count("match")).isEqualTo(270);
    assertThat(log.faults()).isEmpty();
  }

  @Test
  void errorsAndAnswersThatDoNotMatchAreFaults() {
    TsungLog log =
        TsungLog.parse(
            List.of("stats: nomatch 3 25", "stats: error_connect_timeout 1 2", "stats: match 1 1"));

    assertThat(log.faults()).containsExactly("error_connect_timeout: 2", "nomatch: 25");
  }

  @Test
  void otherLinesAreRefused() {
    assertThatThrownBy(() -> TsungLog.parse(List.of("stats: tr_login a b c d e f g")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tr_login");
  }
}
