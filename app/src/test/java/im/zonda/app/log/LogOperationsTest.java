package im.zonda.app.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import im.zonda.app.log.LogOperations.Followed;
import im.zonda.app.log.LogOperations.Threshold;
import im.zonda.operation.execution.OtherNodes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The last lines of the log, and those that follow.
@Timeout(60)
class LogOperationsTest {
  private final RecentLines recent = new RecentLines();

  private void add(Level level, String text) {
    recent.add(Instant.EPOCH, level, (text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void theLogIsFollowedFromItsLastLines() {
    add(Level.INFO, "one");
    add(Level.DEBUG, "two");
    add(Level.WARN, "three");
    add(Level.INFO, "four");
    List<String> seen = new ArrayList<>();
    LogOperations operations =
        new LogOperations(
            recent,
            () -> {
              throw new IllegalStateException("not needed");
            },
            OtherNodes.NONE);
    assertThatThrownBy(() ->
            operations.follow(
                new Followed(2, Threshold.INFO, null),
                line -> {
                  seen.add(line.text());
                  if (line.text().equals("four")) {
                    add(Level.DEBUG, "five");
                    add(Level.ERROR, "six");
                  } else if (line.text().equals("six")) {
                    throw new IOException("enough");
                  }
                }))
        .hasMessage("enough");
    assertThat(seen).containsExactly("three", "four", "six");
  }

  @Test
  void onlySoManyLinesAreKept() {
    for (int i = 0; i <= RecentLines.MOST; i++) {
      add(Level.INFO, "line " + i);
    }
    assertThat(recent.after(0)).hasSize(RecentLines.MOST);
    assertThat(recent.after(0).getFirst().number()).isEqualTo(2);
    assertThat(recent.after(RecentLines.MOST)).hasSize(1);
    add(Level.INFO, "x".repeat(1 << 20));
    assertThat(recent.after(0)).hasSize(1);
  }
}
