package im.zonda.home.session;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.home.SlowReceivers;
import im.zonda.home.lifecycle.RecordingStream;
import im.zonda.home.lifecycle.TestClock;
import im.zonda.home.lifecycle.TestStanzas;
import im.zonda.home.session.Outgoing.Fate;
import im.zonda.jid.Jid;
import im.zonda.link.ToStream;
import im.zonda.link.ack.AckCount;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The way out of a session over the streams that it has.
final class OutgoingTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");

  private final RecordingStream first = new RecordingStream();
  private final RecordingStream second = new RecordingStream();
  private final TestClock clock = new TestClock();
  private final Budget<LocalSession> budget = budget(20, 65_536, 1 << 20);
  private final List<String> events = new ArrayList<>();
  private final LoneSession session = new LoneSession(JULIET, first, budget, clock);
  private final Outgoing outgoing = session.outgoing();

  private Budget<LocalSession> budget(int stanzas, int bytes, long total) {
    return new Budget<>(OutgoingBoundsTest.limits(stanzas, bytes, total), Long.MAX_VALUE, clock);
  }

  /// A mark that tells the time in ms.
  private static Message marked(Message message, Instant time) {
    return message.withPayload(
        Element.builder("urn:xmpp:delay", "delay")
            .attribute("stamp", Long.toString(time.toEpochMilli()))
            .build());
  }

  private Fate send(String body) {
    return outgoing.send(TestStanzas.message(body), () -> events.add(body));
  }

  private Fate presence(String status) {
    return outgoing.send(TestStanzas.presence("romeo@example.org/orchard", status), null);
  }

  private void bound() {
    assertThat(session.bound()).isEqualTo(Fate.TAKEN);
  }

  private void resumed() {
    assertThat(session.resumed(OutgoingTest::marked)).isEqualTo(Fate.TAKEN);
  }

  private void manage() {
    assertThat(outgoing.manage()).isTrue();
  }

  @Test
  void whatIsSentDuringTheBindFollowsTheAnswer() {
    send("1");
    send("2");
    assertThat(first.values()).isEmpty();
    bound();
    send("3");
    assertThat(first.values().getFirst()).isInstanceOf(ToStream.Bound.class);
    assertThat(first.texts()).containsExactly("1", "2", "3");
  }

  /// Numbers of stanzas that wait for a stream are not known to any client.
  @Test
  void whatWaitsForAStreamHasNotBeenGivenToOne() {
    bound();
    manage();
    send("1");
    send("2");
    assertThat(outgoing.given()).isEqualTo(2);
    session.detach();
    send("3");
    assertThat(outgoing.given()).isEqualTo(2);
    assertThat(session.resuming(second, 3)).isEqualTo(AckCount.TOO_HIGH);
    assertThat(session.resuming(second, 1)).isEqualTo(AckCount.VALID);
    send("4");
    assertThat(outgoing.given()).isEqualTo(2);
    session.detach();
    assertThat(outgoing.given())
        .as("the stream was lost before it had got the session")
        .isEqualTo(2);
    assertThat(session.resuming(second, 1)).isEqualTo(AckCount.VALID);
    resumed();
    assertThat(outgoing.given()).isEqualTo(4);
    assertThat(second.texts()).containsExactly("2", "3", "4");
  }

  @Test
  void aRestoredQueueHasBeenGivenAsFarAsItIsCertain() {
    LoneSession moved = new LoneSession(JULIET, null, budget, clock);
    Outgoing restored = moved.outgoing();
    restored.restore(5);
    assertThat(restored.addSaved(TestStanzas.message("6"), null, 0)).isTrue();
    assertThat(restored.given()).isEqualTo(6);
    assertThat(restored.replicatedUpTo()).isEmpty();
    restored.replicatedUpTo(5);
    assertThat(restored.send(TestStanzas.message("7"), null)).isEqualTo(Fate.TAKEN);
    assertThat(restored.given()).isEqualTo(5);
    assertThat(restored.replicatedUpTo()).hasValue(5);
    moved.detach();
    assertThat(moved.resuming(first, 6)).isEqualTo(AckCount.TOO_HIGH);
    assertThat(moved.resuming(first, 5)).isEqualTo(AckCount.VALID);
    assertThat(restored.replicatedUpTo()).as("no stream has got it").hasValue(5);
    assertThat(moved.resumed(OutgoingTest::marked)).isEqualTo(Fate.TAKEN);
    assertThat(restored.replicatedUpTo()).isEmpty();
    assertThat(restored.given()).isEqualTo(7);
  }

  @Test
  void withoutStreamManagementWhatHasLeftHasArrived() {
    bound();
    send("1");
    outgoing.send(TestStanzas.message("nobody asks"), null);
    send("2");
    send("3");
    assertThat(first.delivered())
        .extracting(ToStream.Deliver::report)
        .containsExactly(true, false, true, true);
    assertThat(first.delivered())
        .extracting(ToStream.Deliver::number)
        .containsExactly(1L, 1L, 2L, 3L);
    outgoing.written(2);
    assertThat(events).containsExactly("1", "2");
    // The bytes may leave after the client has closed its stream.
    session.session().ended();
    outgoing.written(3);
    outgoing.written(9);
    assertThat(events).containsExactly("1", "2", "3");
  }

  @Test
  void aClientThatAcknowledgesLateIsNoted() {
    bound();
    manage();
    send("1");
    clock.advance(Duration.ofMillis(SlowReceivers.LATE));
    outgoing.noteLate();
    assertThat(budget.slow().list()).isEmpty();
    clock.advance(Duration.ofMillis(1));
    send("2");
    outgoing.noteLate();
    assertThat(budget.slow().list())
        .singleElement()
        .satisfies(slow -> {
          assertThat(slow.session()).isEqualTo(JULIET);
          assertThat(slow.age()).isEqualTo(Duration.ofMillis(SlowReceivers.LATE + 1));
          assertThat(slow.waiting()).isEqualTo(2);
        });
  }

  @Test
  void aClientIsNotLateOnceItHasAcknowledgedOrHasNoStream() {
    bound();
    manage();
    send("1");
    outgoing.acknowledged(1);
    clock.advance(Duration.ofMinutes(1));
    outgoing.noteLate();
    send("2");
    session.detach();
    clock.advance(Duration.ofMinutes(1));
    outgoing.noteLate();
    assertThat(budget.slow().list()).isEmpty();
  }

  @Test
  void anEntryIsOnItsWayUntilItsBytesHaveLeftOrTheClientHasAcknowledgedIt() {
    bound();
    outgoing.send(TestStanzas.message("1"), new LogAction.Read(1, 10, entries -> {}));
    outgoing.send(TestStanzas.message("2"), new LogAction.Read(2, 10, entries -> {}));
    manage();
    outgoing.send(TestStanzas.message("3"), new LogAction.Read(3, 10, entries -> {}));
    assertThat(outgoing.onTheWay()).extracting(LogAction::id).containsExactly(1L, 2L, 3L);
    outgoing.written(1);
    assertThat(outgoing.onTheWay()).extracting(LogAction::id).containsExactly(2L, 3L);
    outgoing.written(2);
    outgoing.acknowledged(1);
    assertThat(outgoing.onTheWay()).isEmpty();
  }

  @Test
  void whatWaitsForTheBindIsBounded() {
    Outgoing roomy = new LoneSession(JULIET, first, budget(20, 1 << 24, 1 << 24), clock).outgoing();
    for (int i = 0; i < HeldBack.MAX; i++) {
      assertThat(roomy.send(TestStanzas.message("m"), null)).isEqualTo(Fate.TAKEN);
    }
    assertThat(roomy.send(TestStanzas.message("m"), null)).isEqualTo(Fate.NO_ROOM);
  }

  @Test
  void whatWaitsForTheBindCountsInTheBudgetUntilItHasLeft() {
    send("x".repeat(60_000));
    assertThat(budget.taken()).isGreaterThan(60_000);
    assertThat(send("x".repeat(60_000))).as("beside the largest").isEqualTo(Fate.TAKEN);
    assertThat(send("x".repeat(10_000))).isEqualTo(Fate.NO_ROOM);
    bound();
    assertThat(budget.taken()).isZero();
    assertThat(first.stanzas()).hasSize(2);
  }

  @Test
  void presenceThatIsHeldBackCountsInTheBudget() {
    bound();
    session.active(false);
    for (int i = 0; i < 7; i++) { // one does not count
      outgoing.send(TestStanzas.presence("u" + i + "@example.org/r", "x".repeat(10_000)), null);
    }
    assertThat(first.stanzas()).isEmpty();
    assertThat(budget.taken()).isGreaterThan(70_000);
    // There is no room for another: all of it goes out first.
    outgoing.send(TestStanzas.presence("more@example.org/r", "x".repeat(10_000)), null);
    assertThat(first.stanzas()).hasSize(8);
    assertThat(budget.taken()).isZero();
  }

  @Test
  void theEndGivesBackWhatWasHeld() {
    bound();
    manage();
    session.active(false);
    presence("p");
    send("1");
    presence("p");
    assertThat(budget.taken()).isPositive();
    session.session().ended();
    assertThat(budget.taken()).isZero();
  }

  @Test
  void whatIsSentAgainLongAfterSaysWhenItWasSentFirst() {
    bound();
    manage();
    send("1");
    clock.advance(Duration.ofSeconds(60));
    session.detach();
    send("2");
    clock.advance(Duration.ofSeconds(10));
    send("3");
    assertThat(session.resuming(second, 0)).isEqualTo(AckCount.VALID);
    resumed();
    send("4");
    assertThat(second.stanzas().stream().map(OutgoingTest::stamp))
        .containsExactly("0", "60000", null, null);
    assertThat(second.texts()).containsExactly("1", "2", "3", "4");
    // Once more: the time is still that of the first sending, and there is one mark.
    session.detach();
    clock.advance(Duration.ofSeconds(10));
    RecordingStream third = new RecordingStream();
    session.resuming(third, 1);
    resumed();
    assertThat(third.stanzas().stream().map(OutgoingTest::stamp))
        .containsExactly("60000", "70000", "70000");
  }

  private static @Nullable String stamp(Stanza stanza) {
    List<Element> delays =
        stanza.payloads().stream().filter(each -> each.is("urn:xmpp:delay", "delay")).toList();
    assertThat(delays).hasSizeLessThan(2);
    return delays.isEmpty() ? null : delays.getFirst().attribute("stamp");
  }

  @Test
  void aSavedSessionWithoutRoomForWhatWasHeldCannotGoOn() {
    bound();
    manage();
    session.detach();
    for (int i = 0; i < 21; i++) {
      outgoing.send(TestStanzas.presence("u" + i + "@example.org/r", "p"), null);
    }
    assertThat(outgoing.unsettled()).isNull();
  }

  @Test
  void whatWaitsIsSeenWithoutTheHeldPresenceGoingOut() {
    bound();
    manage();
    session.detach();
    send("1");
    for (int i = 0; i < 21; i++) {
      presence("p" + i);
    }
    assertThat(outgoing.waiting()).hasSize(2);
    for (int i = 0; i < 21; i++) {
      outgoing.send(TestStanzas.presence("u" + i + "@example.org/r", "p"), null);
    }
    assertThat(outgoing.waiting()).as("as many as can be restored").hasSize(20);
    assertThat(outgoing.unacknowledged()).isEqualTo(1);
  }

  @Test
  void aManagedStanzaHasArrivedWhenTheClientSaysSo() {
    bound();
    send("before");
    manage();
    send("1");
    send("2");
    assertThat(first.texts()).containsExactly("before", "1", "2");
    // Of the managed ones nobody asks whether the bytes have left.
    assertThat(first.delivered())
        .extracting(ToStream.Deliver::report)
        .containsExactly(true, false, false);
    assertThat(outgoing.acknowledged(1)).isEqualTo(AckCount.VALID);
    assertThat(events).containsExactly("1");
    assertThat(outgoing.unacknowledged()).isEqualTo(1);
    assertThat(outgoing.sent()).isEqualTo(2);
  }

  @Test
  void aSecondEnableChangesNothing() {
    bound();
    manage();
    send("1");
    assertThat(outgoing.manage()).isFalse();
    assertThat(outgoing.unacknowledged()).isEqualTo(1);
  }

  @Test
  void theNextStreamGetsWhatTheClientHasNotAndThenWhatCameMeanwhile() {
    bound();
    manage();
    send("1");
    send("2");
    session.detach();
    send("3");
    assertThat(first.texts()).containsExactly("1", "2");
    assertThat(session.resuming(second, 1)).isEqualTo(AckCount.VALID);
    send("4");
    assertThat(second.stanzas()).isEmpty();
    resumed();
    send("5");
    assertThat(second.texts()).containsExactly("2", "3", "4", "5");
    assertThat(outgoing.acknowledged(5)).isEqualTo(AckCount.VALID);
    assertThat(events).endsWith("1", "2", "3", "4", "5");
  }

  @Test
  void aCountThatDoesNotFitLeavesTheSessionToItsStream() {
    bound();
    manage();
    send("1");
    send("2");
    outgoing.acknowledged(1);
    assertThat(session.resuming(second, 3)).isEqualTo(AckCount.TOO_HIGH);
    assertThat(session.resuming(second, 0)).isEqualTo(AckCount.OLD);
    send("3");
    assertThat(first.texts()).containsExactly("1", "2", "3");
  }

  @Test
  void anUnmanagedSessionCannotBeTakenOver() {
    bound();
    assertThat(session.resuming(second, 0)).isNull();
  }

  @Test
  void presenceWaitsWhileNobodyLooksAndGoesOutBeforeWhatMatters() {
    bound();
    manage();
    session.active(false);
    presence("p1");
    presence("p2");
    assertThat(first.stanzas()).isEmpty();
    assertThat(outgoing.unacknowledged()).isZero();
    send("1");
    presence("p3");
    assertThat(first.texts()).containsExactly("p2", "1");
    assertThat(session.active(true)).isEqualTo(Fate.TAKEN);
    presence("p4");
    assertThat(first.texts()).containsExactly("p2", "1", "p3", "p4");
    assertThat(outgoing.unacknowledged()).isEqualTo(4);
  }

  @Test
  void whatWasHeldFollowsWhatWasNotAcknowledgedOnTheNextStream() {
    bound();
    manage();
    send("1");
    session.detach();
    presence("p1");
    presence("p2");
    session.resuming(second, 0);
    resumed();
    assertThat(second.texts()).containsExactly("1", "p2");
    assertThat(outgoing.acknowledged(2)).isEqualTo(AckCount.VALID);
  }

  @Test
  void aFullQueueSaysSoAndDropsNothing() {
    bound();
    manage();
    for (int i = 0; i < 20; i++) {
      assertThat(send("m" + i)).isEqualTo(Fate.TAKEN);
    }
    assertThat(send("one more")).isEqualTo(Fate.NO_ROOM);
    assertThat(outgoing.unacknowledged()).isEqualTo(20);
    assertThat(first.stanzas()).hasSize(20);
  }

  @Test
  void theEndGivesBackWhatWasNotAcknowledged() {
    bound();
    manage();
    send("1");
    send("2");
    outgoing.acknowledged(1);
    assertThat(session.session().ended().stream().map(s -> TestStanzas.text(s.stanza())))
        .containsExactly("2");
    assertThat(send("3")).isEqualTo(Fate.OVER);
    assertThat(session.resuming(second, 2)).isNull();
    assertThat(budget.taken()).isZero();
  }

  @Test
  void theEndGivesBackWhatWasNotEvenWritten() {
    send("1");
    assertThat(session.session().ended().stream().map(s -> TestStanzas.text(s.stanza())))
        .containsExactly("1");
  }

  @Test
  void aSavedSessionHasAllInTheOrderInWhichItWillBeSent() {
    bound();
    manage();
    send("1");
    session.detach();
    presence("p1");
    send("2");
    presence("p2");
    assertThat(texts(kept(outgoing))).containsExactly("1", "p1", "2", "p2");
  }

  private static List<Stanza> kept(Outgoing outgoing) {
    return Objects.requireNonNull(outgoing.unsettled()).stream().map(KeptStanza::stanza).toList();
  }

  private static List<String> texts(List<Stanza> stanzas) {
    return stanzas.stream().map(TestStanzas::text).toList();
  }
}
