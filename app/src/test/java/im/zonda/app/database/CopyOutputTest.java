package im.zonda.app.database;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.storage.sql.copy.CopyListener.Step;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CopyOutputTest {
  private final StringWriter text = new StringWriter();
  private Instant now = Instant.EPOCH;

  private CopyOutput output(boolean terminal) {
    return new CopyOutput(new PrintWriter(text, true), terminal, () -> now);
  }

  @Test
  void withoutATerminalThereIsALineEveryFiveSeconds() {
    CopyOutput output = output(false);
    for (int second = 0; second <= 11; second++) {
      now = Instant.EPOCH.plusSeconds(second);
      output.advanced(second < 8 ? Step.COPY : Step.VERIFY, "message", second * 1_000L, 12_000);
    }
    output.end();
    assertThat(text.toString())
        .isEqualTo(
            """
            copying message: 0 of 12,000 rows (0 %)
            copying message: 5,000 of 12,000 rows (41 %)
            verifying message: 10,000 of 12,000 rows (83 %)
            """);
  }

  @Test
  void theLineOfATerminalIsReplaced() {
    CopyOutput output = output(true);
    output.advanced(Step.COUNT, "account", 0, 0);
    output.advanced(Step.COPY, "account", 1, 2);
    now = now.plusMillis(200);
    output.advanced(Step.COPY, "account", 2, 2);
    output.end();
    assertThat(text.toString())
        .startsWith("\rcounting rows ")
        .contains("\rcopying account: 2 of 2 rows (100 %) ")
        .doesNotContain("1 of 2")
        .doesNotContain("\n")
        .endsWith("\r");
  }
}
