package im.zonda.app.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.metric.ScrapedText;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SelectorsTest {
  private static final ScrapedText SCRAPED =
      ScrapedText.of(
          """
          # HELP zonda_sessions Sessions
          # TYPE zonda_sessions gauge
          zonda_sessions{state="online"} 2
          """);

  private static List<String> problems(String expression) {
    return Selectors.problems(expression, SCRAPED, Set.of("zonda_edges"));
  }

  @Test
  void anExpressionWhoseSeriesThereAreHasNoProblem() {
    assertThat(problems("sum by (state) (zonda_sessions{instance=~\"$instance\"})")).isEmpty();
    assertThat(problems("zonda_sessions{state=\"online\"} > 1")).isEmpty();
    assertThat(problems("zonda_edges")).isEmpty();
    assertThat(problems("up{job=\"zonda\"} == 0")).isEmpty();
  }

  @Test
  void anotherHas() {
    assertThat(problems("zonda_session")).hasSize(1);
    assertThat(problems("zonda_sessions{state=\"asleep\"}")).hasSize(1);
    assertThat(problems("sum by (kind) (zonda_sessions)")).hasSize(1);
    assertThat(problems("vector(1)")).hasSize(1);
  }
}
