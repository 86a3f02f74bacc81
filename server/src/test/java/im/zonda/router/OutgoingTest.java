package im.zonda.router;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.router.Outgoing.Fate;
import im.zonda.router.Unacknowledged.Answer;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The way out of a session over the streams that it has.
final class OutgoingTest {
  private final RecordingStream first = new RecordingStream();
  private final RecordingStream second = new RecordingStream();
  private final Budget budget = budget(20, 65_536, 1 << 20);
  private final List<String> events = new ArrayList<>();
  private final TestClock clock = new TestClock();
  private final Outgoing outgoing = new Outgoing(first, budget, clock);

  private static Budget budget(int stanzas, int bytes, long total) {
    return new Budget(UnacknowledgedTest.limits(stanzas, bytes, total), Long.MAX_VALUE);
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

  private void attach(RecordingStream stream) {
    assertThat(outgoing.attach(stream, OutgoingTest::marked, () -> events.add("answer")))
        .isEqualTo(Fate.TAKEN);
  }

  private void manage() {
    assertThat(outgoing.manage(first, () -> events.add("enabled"))).isTrue();
  }

  private @Nullable Answer takeOver(RecordingStream stream, long h) {
    return outgoing.takeOver(stream, h);
  }

  @Test
  void whatIsSentBeforeTheBindIsAnsweredWaitsForTheAnswer() {
    send("1");
    send("2");
    assertThat(first.stanzas()).isEmpty();
    outgoing.attach(first, OutgoingTest::marked, () -> assertThat(first.stanzas()).isEmpty());
    send("3");
    assertThat(first.texts()).containsExactly("1", "2", "3");
    assertThat(events).isEmpty();
    first.left().forEach(Runnable::run);
    assertThat(events).containsExactly("1", "2", "3");
  }

  @Test
  void whatWaitsForTheBindIsBounded() {
    Outgoing roomy = new Outgoing(first, budget(20, 1 << 24, 1 << 24), clock);
    for (int i = 0; i < HeldBack.MAX; i++) {
      assertThat(roomy.send(TestStanzas.message("m"), null)).isEqualTo(Fate.TAKEN);
    }
    assertThat(roomy.send(TestStanzas.message("m"), null)).isEqualTo(Fate.NO_ROOM);
  }

  @Test
  void whatWaitsForTheBindCountsInTheBudgetUntilItHasLeft() {
    send("x".repeat(60_000));
    assertThat(budget.taken()).isGreaterThan(60_000);
    assertThat(send("x".repeat(10_000))).isEqualTo(Fate.NO_ROOM);
    attach(first);
    assertThat(budget.taken()).isZero();
    assertThat(first.stanzas()).hasSize(1);
  }

  @Test
  void presenceThatIsHeldBackCountsInTheBudget() {
    attach(first);
    outgoing.active(first, false);
    for (int i = 0; i < 6; i++) {
      outgoing.send(TestStanzas.presence("u" + i + "@example.org/r", "x".repeat(10_000)), null);
    }
    assertThat(first.stanzas()).isEmpty();
    assertThat(budget.taken()).isGreaterThan(60_000);
    // There is no room for another: all of it goes out first.
    outgoing.send(TestStanzas.presence("more@example.org/r", "x".repeat(10_000)), null);
    assertThat(first.stanzas()).hasSize(7);
    assertThat(budget.taken()).isZero();
  }

  @Test
  void theEndGivesBackWhatWasHeld() {
    attach(first);
    manage();
    outgoing.active(first, false);
    presence("p");
    send("1");
    presence("p");
    assertThat(budget.taken()).isPositive();
    outgoing.end();
    assertThat(budget.taken()).isZero();
  }

  @Test
  void whatIsSentAgainLongAfterSaysWhenItWasSentFirst() {
    attach(first);
    manage();
    send("1");
    clock.advance(Duration.ofSeconds(60));
    outgoing.detach(first);
    send("2");
    clock.advance(Duration.ofSeconds(10));
    send("3");
    assertThat(takeOver(second, 0)).isEqualTo(Answer.TAKEN);
    attach(second);
    send("4");
    assertThat(second.stanzas().stream().map(OutgoingTest::stamp))
        .containsExactly("0", "60000", null, null);
    assertThat(second.texts()).containsExactly("1", "2", "3", "4");
    // Once more: the time is still that of the first sending, and there is one mark.
    outgoing.detach(second);
    clock.advance(Duration.ofSeconds(10));
    RecordingStream third = new RecordingStream();
    takeOver(third, 1);
    attach(third);
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
    attach(first);
    manage();
    outgoing.detach(first);
    for (int i = 0; i < 21; i++) {
      outgoing.send(TestStanzas.presence("u" + i + "@example.org/r", "p"), null);
    }
    assertThat(outgoing.unsettled()).isNull();
  }

  @Test
  void aManagedStanzaHasArrivedWhenTheClientSaysSo() {
    attach(first);
    send("before");
    manage();
    send("1");
    send("2");
    assertThat(first.texts()).containsExactly("before", "1", "2");
    // Of the managed ones nobody asks whether the bytes have left.
    assertThat(first.left()).hasSize(1);
    assertThat(outgoing.acknowledged(first, 1)).isEqualTo(Answer.TAKEN);
    assertThat(events).containsExactly("answer", "enabled", "1");
    assertThat(outgoing.unacknowledged()).isEqualTo(1);
    assertThat(outgoing.sent()).isEqualTo(2);
  }

  @Test
  void aSecondEnableChangesNothing() {
    attach(first);
    manage();
    send("1");
    assertThat(outgoing.manage(first, () -> events.add("wrong"))).isFalse();
    assertThat(outgoing.unacknowledged()).isEqualTo(1);
    assertThat(events).doesNotContain("wrong");
  }

  @Test
  void theNextStreamGetsWhatTheClientHasNotAndThenWhatCameMeanwhile() {
    attach(first);
    manage();
    send("1");
    send("2");
    assertThat(outgoing.detach(first)).isTrue();
    send("3");
    assertThat(first.texts()).containsExactly("1", "2");
    assertThat(takeOver(second, 1)).isEqualTo(Answer.TAKEN);
    send("4");
    assertThat(second.stanzas()).isEmpty();
    attach(second);
    send("5");
    assertThat(second.texts()).containsExactly("2", "3", "4", "5");
    assertThat(outgoing.acknowledged(second, 5)).isEqualTo(Answer.TAKEN);
    assertThat(events).endsWith("1", "answer", "2", "3", "4", "5");
  }

  @Test
  void theOldStreamHasNoSayAfterATakeOver() {
    attach(first);
    manage();
    send("1");
    assertThat(takeOver(second, 0)).isEqualTo(Answer.TAKEN);
    assertThat(outgoing.acknowledged(first, 1)).isNull();
    assertThat(outgoing.detach(first)).isFalse();
    assertThat(outgoing.active(first, false)).isEqualTo(Fate.OVER);
    assertThat(outgoing.attach(first, OutgoingTest::marked, () -> events.add("wrong")))
        .isEqualTo(Fate.OVER);
    assertThat(outgoing.owner()).isSameAs(second);
    attach(second);
    assertThat(second.texts()).containsExactly("1");
    assertThat(events).doesNotContain("wrong");
  }

  @Test
  void aCountThatDoesNotFitLeavesTheSessionToItsStream() {
    attach(first);
    manage();
    send("1");
    send("2");
    outgoing.acknowledged(first, 1);
    assertThat(takeOver(second, 3)).isEqualTo(Answer.TOO_HIGH);
    assertThat(takeOver(second, 0)).isEqualTo(Answer.OLD);
    assertThat(outgoing.owner()).isSameAs(first);
    send("3");
    assertThat(first.texts()).containsExactly("1", "2", "3");
  }

  @Test
  void anUnmanagedSessionCannotBeTakenOver() {
    attach(first);
    assertThat(takeOver(second, 0)).isNull();
  }

  @Test
  void presenceWaitsWhileNobodyLooksAndGoesOutBeforeWhatMatters() {
    attach(first);
    manage();
    outgoing.active(first, false);
    presence("p1");
    presence("p2");
    assertThat(first.stanzas()).isEmpty();
    assertThat(outgoing.unacknowledged()).isZero();
    send("1");
    presence("p3");
    assertThat(first.texts()).containsExactly("p2", "1");
    assertThat(outgoing.active(first, true)).isEqualTo(Fate.TAKEN);
    presence("p4");
    assertThat(first.texts()).containsExactly("p2", "1", "p3", "p4");
    assertThat(outgoing.unacknowledged()).isEqualTo(4);
  }

  @Test
  void whatWasHeldFollowsWhatWasNotAcknowledgedOnTheNextStream() {
    attach(first);
    manage();
    send("1");
    outgoing.detach(first);
    presence("p1");
    presence("p2");
    takeOver(second, 0);
    attach(second);
    assertThat(second.texts()).containsExactly("1", "p2");
    assertThat(outgoing.acknowledged(second, 2)).isEqualTo(Answer.TAKEN);
  }

  @Test
  void aFullQueueSaysSoAndDropsNothing() {
    attach(first);
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
    attach(first);
    manage();
    send("1");
    send("2");
    outgoing.acknowledged(first, 1);
    assertThat(outgoing.end().stream().map(s -> TestStanzas.text(s.stanza()))).containsExactly("2");
    assertThat(send("3")).isEqualTo(Fate.OVER);
    assertThat(takeOver(second, 2)).isNull();
    assertThat(budget.taken()).isZero();
  }

  @Test
  void theEndGivesBackWhatWasNotEvenWritten() {
    send("1");
    assertThat(outgoing.end().stream().map(s -> TestStanzas.text(s.stanza()))).containsExactly("1");
  }

  @Test
  void aSavedSessionHasAllInTheOrderInWhichItWillBeSent() {
    attach(first);
    manage();
    send("1");
    outgoing.detach(first);
    presence("p1");
    send("2");
    presence("p2");
    assertThat(texts(kept(outgoing))).containsExactly("1", "p1", "2", "p2");
  }

  /// Many send while the stream comes, is managed, goes, and comes again.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void theOrderOfSendingOfCountingAndOfWritingIsOne(long seed) throws Exception {
    int threads = 6;
    int each = 400;
    int all = threads * each;
    Budget large = budget(100_000, 1 << 28, 1 << 28);
    Outgoing shared = new Outgoing(first, large, clock);
    shared.attach(first, OutgoingTest::marked, () -> {});
    shared.manage(first, () -> {});
    List<RecordingStream> streams = new ArrayList<>(List.of(first));
    List<Long> counts = new ArrayList<>(List.of(0L));
    CountDownLatch done = new CountDownLatch(threads);
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int t = 0; t < threads; t++) {
        String name = "t" + t + "-";
        executor.execute(() -> {
          for (int i = 0; i < each; i++) {
            shared.send(TestStanzas.message(name + i), null);
          }
          done.countDown();
        });
      }
      SplittableRandom random = new SplittableRandom(seed);
      while (done.getCount() > 0) {
        RecordingStream next = new RecordingStream();
        RecordingStream last = streams.getLast();
        // What the client has read when its connection breaks.
        long seen = counts.getLast() + random.nextInt(last.stanzas().size() + 1);
        if (random.nextBoolean()) {
          shared.detach(last);
        }
        if (shared.takeOver(next, seen) == Answer.TAKEN) {
          shared.attach(next, OutgoingTest::marked, () -> {});
          streams.add(next);
          counts.add(seen);
        }
        done.await(random.nextInt(2_000), TimeUnit.MICROSECONDS);
      }
    }
    // The client's view: of each stream, what it counted there.
    List<Stanza> client = new ArrayList<>();
    for (int i = 0; i < streams.size(); i++) {
      List<Stanza> written = streams.get(i).stanzas();
      int read =
          i + 1 < streams.size() ? (int) (counts.get(i + 1) - counts.get(i)) : written.size();
      client.addAll(written.subList(0, read));
    }
    assertThat(client).as("seed %d", seed).hasSize(all).doesNotHaveDuplicates();
    assertThat(shared.sent()).isEqualTo(all);
    for (int t = 0; t < threads; t++) {
      String name = "t" + t + "-";
      assertThat(client.stream().map(TestStanzas::text).filter(b -> b.startsWith(name)))
          .containsExactlyElementsOf(IntStream.range(0, each).mapToObj(i -> name + i).toList());
    }
    // What was counted is what was written, in the same order.
    assertThat(texts(kept(shared))).isEqualTo(texts(streams.getLast().stanzas()));
    assertThat(shared.acknowledged(streams.getLast(), all)).isEqualTo(Answer.TAKEN);
    assertThat(large.taken()).isZero();
  }

  private static List<Stanza> kept(Outgoing outgoing) {
    return Objects.requireNonNull(outgoing.unsettled()).stream().map(KeptStanza::stanza).toList();
  }

  private static List<String> texts(List<Stanza> stanzas) {
    return stanzas.stream().map(TestStanzas::text).toList();
  }
}
