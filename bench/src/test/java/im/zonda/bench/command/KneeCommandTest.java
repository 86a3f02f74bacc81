package im.zonda.bench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.bench.result.Result;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Whether a run counts as one that the server has carried.
class KneeCommandTest {
  private static Result result(double latency, Result.Verdict... verdicts) {
    return new Result(
        new Result.Run("chat", List.of(), Map.of(), 1, Instant.EPOCH, 30, 1),
        new Result.Machine("", 2, 0, "", ""),
        new Result.Subject("zonda", "", "", List.of()),
        List.of(new Result.Figure("delivery-p99", "delivery", latency, "ms", null)),
        List.of(),
        List.of(),
        List.of(),
        List.of(verdicts),
        List.of(),
        List.of());
  }

  @Test
  void aLimitMayBeReachedAndNotExceeded() {
    Map<String, Double> most = Map.of("delivery-p99", 100.0);
    assertThat(KneeCommand.missed(result(100), most)).isEmpty();
    assertThat(KneeCommand.missed(result(101), most)).isEqualTo("delivery-p99 is 101 ms");
    assertThat(KneeCommand.missed(result(Double.NaN), most)).isNotEmpty();
  }

  @Test
  void rulesOnTheGeneratorDoNotCount() {
    Result.Verdict late = new Result.Verdict(false, "Not valid: the generator was late.", "1 ms");
    Result.Verdict lost = new Result.Verdict(false, "3 messages were lost.", "none lost");
    assertThat(KneeCommand.missed(result(1, late), Map.of())).isEmpty();
    assertThat(KneeCommand.missed(result(1, late, lost), Map.of()))
        .isEqualTo("a rule is missed (none lost)");
  }

  @Test
  void aFigureThatTheScenarioDoesNotHaveIsNamedWithThoseItHas() {
    assertThatThrownBy(() -> KneeCommand.missed(result(1), Map.of("speed", 1.0)))
        .hasMessage("the scenario has no figure speed; it has [delivery-p99]");
  }
}
