package im.zonda.home.session;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.home.lifecycle.TestClock;
import im.zonda.home.lifecycle.TestStanzas;
import im.zonda.jid.Jid;
import im.zonda.link.StreamEnd;
import im.zonda.link.ack.AckCount;
import im.zonda.stanza.Stanza;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What all sessions together may take, and who gets more when it is used up.
final class BudgetTest {
  private static final long TOTAL = 80_000;

  private final TestClock clock = new TestClock();
  private final Budget<LocalSession> budget =
      new Budget<>(OutgoingBoundsTest.limits(1_000, 200_000, TOTAL), Long.MAX_VALUE, clock);
  private final List<String> exceeded = new ArrayList<>();

  private static KeptStanza kept(int bytes) {
    Stanza stanza = TestStanzas.message("");
    return new KeptStanza(TestStanzas.message("x".repeat(bytes - Share.sizeOf(stanza))), null, 0);
  }

  private Share share(int bytes) {
    Share share = new Share(budget);
    assertThat(share.take(kept(bytes))).isTrue();
    return share;
  }

  @Test
  void whatIsGivenBackCanBeTakenAgain() {
    Share one = new Share(budget);
    KeptStanza most = kept((int) TOTAL);
    for (int i = 0; i < 3; i++) {
      assertThat(one.take(most)).isTrue();
      assertThat(budget.taken()).isEqualTo(TOTAL);
      assertThat(budget.excess()).isZero();
      one.give(most);
      assertThat(budget.taken()).isZero();
    }
  }

  @Test
  void whoComesAfterTheOneWhoTookItAllIsServedWhileRoomIsMade() {
    budget.whenExceeded(() -> exceeded.add("exceeded"));
    share((int) TOTAL);
    assertThat(exceeded).isEmpty();
    share(1_000);
    share(1_000);
    assertThat(exceeded).hasSize(2);
    // An eighth is made free, so that it is not exceeded again at once.
    assertThat(budget.excess()).isEqualTo(2_000 + TOTAL / 8);
  }

  @Test
  void pastAnEighthMoreOnlyAnEqualShareIsToBeHad() {
    for (int i = 0; i < 20; i++) {
      budget.add(session("u" + i, null).session());
    }
    Share hog = share((int) TOTAL);
    share((int) TOTAL / 8);
    // A twentieth of 90,000.
    assertThat(hog.take(kept(400))).isFalse();
    Share small = share(400);
    assertThat(small.take(kept(4_000))).isTrue();
    assertThat(small.take(kept(400))).isFalse();
    assertThat(budget.taken()).isEqualTo(90_000 + 4_400);
  }

  @Test
  void sessionsWithoutAStreamAreCountedWhereTheyChange() {
    LoneSession one = session("one", null);
    LoneSession two = session("two", value -> {});
    assertThat(budget.detached()).isZero(); // they do not count yet
    budget.add(one.session());
    budget.add(two.session());
    budget.add(two.session());
    assertThat(budget.detached()).isEqualTo(1);
    assertThat(two.bound()).isEqualTo(Outgoing.Fate.TAKEN);
    assertThat(budget.detached()).isEqualTo(1);
    two.detach();
    one.detach();
    assertThat(budget.detached()).isEqualTo(2);
    one.outgoing().restore(0);
    assertThat(one.resuming(value -> {}, 0)).isEqualTo(AckCount.VALID);
    assertThat(budget.detached()).isEqualTo(1);
    budget.remove(two.session());
    budget.remove(two.session());
    budget.remove(one.session());
    assertThat(budget.detached()).isZero();
    one.detach(); // it has ended
    assertThat(budget.detached()).isZero();
  }

  private LoneSession session(String name, @Nullable StreamEnd stream) {
    return new LoneSession(Jid.of(name + "@example.org/r"), stream, budget, clock);
  }

  @Test
  void aShareOfASmallHeapIsTheBound() {
    Budget<LocalSession> small =
        new Budget<>(OutgoingBoundsTest.limits(1_000, 65_536, 1L << 28), 128L << 20, clock);
    assertThat(small.take(16 << 20, 0)).isTrue();
    assertThat(small.excess()).isZero();
    assertThat(small.take(1, 0)).isTrue();
    assertThat(small.excess()).isPositive();
  }

  @Test
  void aStanzaInAQueueThatGrowsIsKeptAsItsBytesAlone() {
    Share share = share(20_000);
    KeptStanza kept = kept(1_000);
    Stanza before = kept.stanza();
    assertThat(share.take(kept)).isTrue();
    assertThat(kept.stanza()).isNotSameAs(before);
    assertThat(TestStanzas.text(kept.stanza())).isEqualTo(TestStanzas.text(before));
  }
}
