package im.zonda.bench.judge;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.bench.result.Result;
import im.zonda.bench.sample.Samples;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TsungResultTest {
  private static Result result(TsungLog log) {
    Samples samples =
        new Samples(0, 10, List.of(), List.of(), Map.of(), new Samples.Machine(0, 0, 0));
    return TsungResult.of(
        new Result.Run("tsung-story", List.of(), Map.of(), 0, Instant.EPOCH, 10, 1),
        new Result.Subject("zonda", "", "", List.of()),
        30,
        log,
        samples);
  }

  @Test
  void refusedLoginsAreNoLogins() {
    TsungLog.Sample refused = new TsungLog.Sample(30, 5, 9);

    Result result = result(new TsungLog(Map.of("tr_login", refused), Map.of("nomatch", 30L)));

    assertThat(result.verdicts()).noneMatch(Result.Verdict::met);
    assertThat(result.verdicts().getFirst().sentence()).isEqualTo("0 of 30 people have logged in.");
  }

  @Test
  void aCompleteRunMeetsItsRules() {
    TsungLog.Sample good = new TsungLog.Sample(28, 5, 9);

    Result result =
        result(new TsungLog(Map.of("tr_login", good, "tr_roster", good), Map.of("match", 84L)));

    assertThat(result.verdicts()).allMatch(Result.Verdict::met);
    assertThat(result.figures().stream().map(Result.Figure::name))
        .contains("sessions", "login-mean", "roster-mean");
  }
}
