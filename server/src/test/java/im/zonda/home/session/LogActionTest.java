package im.zonda.home.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What follows when a client has acknowledged stanzas.
final class LogActionTest {
  private final List<String> calls = new ArrayList<>();
  private final LogAction.Reader first = entries -> calls.add("first " + ids(entries));
  private final LogAction.Reader second = entries -> calls.add("second " + ids(entries));

  private static List<Long> ids(List<LogAction.Read> entries) {
    return entries.stream().map(LogAction.Read::id).toList();
  }

  @Test
  void oneThatFailsKeepsNoOtherFromItsTurn() {
    LogAction.Reader broken =
        entries -> {
          throw new IllegalStateException("broken");
        };
    LogAction.runAll(
        List.of(
            new LogAction.Read(1, 10, broken),
            () -> {
              throw new IllegalStateException("broken");
            },
            new LogAction.Read(2, 10, first)));
    assertThat(calls).containsExactly("first [2]");
  }

  @Test
  void whatOneReaderHasReadInARowIsSaidAtOnceAndInOrder() {
    LogAction.runAll(
        List.of(
            new LogAction.Read(1, 10, first),
            new LogAction.Read(2, 10, first),
            new LogAction.Read(3, 10, second),
            () -> calls.add("other"),
            new LogAction.Read(4, 10, first)));
    assertThat(calls).containsExactly("first [1, 2]", "second [3]", "other", "first [4]");
  }
}
