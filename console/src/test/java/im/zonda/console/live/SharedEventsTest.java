package im.zonda.console.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SharedEventsTest {
  private long now;
  private int made;
  private final SharedEvents events = new SharedEvents(() -> now);

  private String ask(Object kind) {
    return String.valueOf(events.of(kind, () -> kind + " " + ++made));
  }

  @Test
  void visitorsOfOneKindShareAnEventForAWhile() {
    assertThat(ask("en")).isEqualTo("en 1");
    assertThat(ask("de")).isEqualTo("de 2");
    now += SharedEvents.VALID.toNanos() - 1;
    assertThat(ask("en")).isEqualTo("en 1");
    now += 1;
    assertThat(ask("en")).isEqualTo("en 3");
  }

  @Test
  void theNumberOfKindsHasABound() {
    for (int i = 0; i <= SharedEvents.MOST; i++) {
      assertThat(ask("kind" + i)).endsWith(" " + (i + 1));
    }
    assertThat(ask("kind1")).isEqualTo("kind1 2");
    assertThat(ask("kind0")).isEqualTo("kind0 22");
  }
}
