package im.zonda.home;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlowReceiversTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org/garden");
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");

  private long nanos = Long.MAX_VALUE - 10; // the clock may overflow
  private final SlowReceivers slow = new SlowReceivers(() -> nanos);

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  private List<Jid> sessions() {
    return slow.list().stream().map(SlowReceivers.Slow::session).toList();
  }

  @Test
  void theLatestIsFirst() {
    slow.late(ROMEO, 3_000, 4, 900);
    pass(Duration.ofSeconds(2));
    slow.late(JULIET, 5_000, 2, 500);
    assertThat(slow.list())
        .containsExactly(
            new SlowReceivers.Slow(JULIET, Duration.ofSeconds(5), 2, 500, Duration.ZERO),
            new SlowReceivers.Slow(ROMEO, Duration.ofSeconds(3), 4, 900, Duration.ofSeconds(2)));
  }

  @Test
  void theLongestTimeIsKept() {
    slow.late(ROMEO, 9_000, 4, 900);
    slow.late(ROMEO, 3_000, 1, 300);
    assertThat(slow.list())
        .containsExactly(
            new SlowReceivers.Slow(ROMEO, Duration.ofSeconds(9), 1, 300, Duration.ZERO));
  }

  @Test
  void whoIsNotLateAgainIsForgotten() {
    slow.late(ROMEO, 3_000, 4, 900);
    pass(SlowReceivers.KEPT.minusSeconds(1));
    slow.late(JULIET, 3_000, 4, 900);
    pass(Duration.ofSeconds(1));
    assertThat(sessions()).containsExactly(JULIET);
  }

  @Test
  void theLeastLateMakesRoom() {
    for (int i = 0; i < SlowReceivers.MOST; i++) {
      slow.late(ROMEO.withResource("r" + i), 3_000 + i, 1, 1);
    }
    slow.late(JULIET, 3_000, 1, 1);
    assertThat(sessions()).hasSize(SlowReceivers.MOST).doesNotContain(JULIET);
    slow.late(JULIET, 60_000, 1, 1);
    assertThat(sessions()).hasSize(SlowReceivers.MOST).startsWith(JULIET);
    assertThat(sessions()).doesNotContain(ROMEO.withResource("r0"));
  }
}
