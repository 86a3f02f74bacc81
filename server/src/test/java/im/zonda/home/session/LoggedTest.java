package im.zonda.home.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What follows when a client has acknowledged stanzas.
final class LoggedTest {
  private final List<String> calls = new ArrayList<>();
  private final Logged.Reader first = entries -> calls.add("first " + ids(entries));
  private final Logged.Reader second = entries -> calls.add("second " + ids(entries));

  private static List<Long> ids(List<Logged.Read> entries) {
    return entries.stream().map(Logged.Read::id).toList();
  }

  @Test
  void oneThatFailsKeepsNoOtherFromItsTurn() {
    Logged.Reader broken =
        entries -> {
          throw new IllegalStateException("broken");
        };
    Logged.runAll(
        List.of(
            new Logged.Read(1, 10, broken),
            () -> {
              throw new IllegalStateException("broken");
            },
            new Logged.Read(2, 10, first)));
    assertThat(calls).containsExactly("first [2]");
  }

  @Test
  void whatOneReaderHasReadInARowIsSaidAtOnceAndInOrder() {
    Logged.runAll(
        List.of(
            new Logged.Read(1, 10, first),
            new Logged.Read(2, 10, first),
            new Logged.Read(3, 10, second),
            () -> calls.add("other"),
            new Logged.Read(4, 10, first)));
    assertThat(calls).containsExactly("first [1, 2]", "second [3]", "other", "first [4]");
  }
}
