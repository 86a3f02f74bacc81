package im.zonda.app.finding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FindingsTest {
  private static final Findings SOME =
      new Findings(
          List.of(
              Finding.ok("swap", "there is none"),
              Finding.warning("clock", "it is not synchronised", "first", "or: second"),
              Finding.problem("certificate-of-all", "it \"expired\"")));

  @Test
  void textIsAligned() {
    assertThat(SOME.lines())
        .isEqualTo(
            """
            ok       swap                there is none
            warning  clock               it is not synchronised
                                         first
                                         or: second
            PROBLEM  certificate-of-all  it "expired"
            """);
    assertThat(SOME.summary()).isEqualTo("1 problem, 1 warning, 1 ok\n");
    assertThat(new Findings(List.of()).summary()).isEqualTo("no problems, no warnings, 0 ok\n");
  }

  @Test
  void onlyProblemsFail() {
    assertThat(SOME.hasProblems()).isTrue();
    assertThat(new Findings(SOME.all().subList(0, 2)).hasProblems()).isFalse();
  }

  @Test
  void textOfOthersStaysInItsLine() {
    Finding hostile = Finding.problem("a\tb", "x\nok       all", "c\u001b[2Jd\u202e");
    assertThat(hostile).isEqualTo(Finding.problem("a b", "x ok       all", "c [2Jd "));
  }
}
