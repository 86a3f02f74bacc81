package im.zonda.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.router.HandledCount.Handling;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The server's `h` (XEP-0198, section 4): no stanza is counted before those that came before it.
final class HandledCountTest {
  private final RecordingStream stream = new RecordingStream();
  private final HandledCount count =
      new HandledCount(Jid.of("romeo@example.org/orchard"), stream, 0);

  private Handling arrive() {
    return Objects.requireNonNull(count.begin(stream));
  }

  @Test
  void stanzasEndInAnyOrderButCountWithoutAGap() {
    Handling first = arrive();
    Handling second = arrive();
    Handling third = arrive();
    third.release();
    assertThat(count.handled()).isZero();
    first.release();
    assertThat(count.handled()).isEqualTo(1);
    second.release();
    assertThat(count.handled()).isEqualTo(3);
  }

  @Test
  void aStreamThatCannotBeNotifiedKeepsNobodyWaiting() {
    RecordingStream silent =
        new RecordingStream() {
          @Override
          public synchronized void allHandled() {
            throw new IllegalStateException("broken");
          }
        };
    HandledCount broken = new HandledCount(Jid.of("romeo@example.org/orchard"), silent, 0);
    List<String> settled = new ArrayList<>();
    Handling stanza = Objects.requireNonNull(broken.begin(silent));
    assertThat(broken.requested(silent)).isFalse();
    assertThat(broken.whenSettled(() -> settled.add("settled"))).isFalse();
    assertThatThrownBy(stanza::release).isInstanceOf(IllegalStateException.class);
    assertThat(settled).containsExactly("settled");
  }

  @Test
  void aStanzaHasBeenHandledWhenAllThatItCausedHasEnded() {
    Handling stanza = arrive();
    stanza.hold();
    stanza.hold();
    stanza.release();
    stanza.release();
    assertThat(count.handled()).isZero();
    stanza.release();
    assertThat(count.handled()).isEqualTo(1);
    assertThatThrownBy(stanza::release).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aRequestIsAnsweredWhenAllBeforeItHasBeenHandled() {
    assertThat(count.requested(stream)).isTrue();
    Handling first = arrive();
    Handling second = arrive();
    assertThat(count.requested(stream)).isFalse();
    Handling later = arrive();
    second.release();
    assertThat(stream.timesAllHandled()).isZero();
    first.release();
    // What came after the request need not have ended.
    assertThat(stream.timesAllHandled()).isEqualTo(1);
    later.release();
    assertThat(stream.timesAllHandled()).isEqualTo(1);
  }

  @Test
  void whoAsksAllTheTimeIsToldTheCountOfTheFirstQuestionAndOfTheLast() {
    Handling first = arrive();
    assertThat(count.requested(stream)).isFalse();
    Handling second = arrive();
    assertThat(count.requested(stream)).isFalse();
    Handling third = arrive();
    assertThat(count.requested(stream)).isFalse();
    first.release();
    assertThat(stream.timesAllHandled()).isEqualTo(1);
    second.release();
    assertThat(stream.timesAllHandled()).isEqualTo(1);
    assertThat(count.owes()).isTrue();
    third.release();
    assertThat(stream.timesAllHandled()).isEqualTo(2);
    assertThat(count.owes()).isFalse();
  }

  @Test
  void onlyTheSessionsOwnStreamBringsStanzas() {
    RecordingStream next = new RecordingStream();
    Handling first = arrive();
    assertThat(count.requested(stream)).isFalse();
    count.belongsTo(next);
    assertThat(count.begin(stream)).isNull();
    first.release();
    // Handled all the same; but the old stream is not told, and the new one did not ask.
    assertThat(count.handled()).isEqualTo(1);
    assertThat(stream.timesAllHandled()).isZero();
    assertThat(next.timesAllHandled()).isZero();
    count.belongsTo(null);
    assertThat(count.begin(next)).isNull();
  }

  @Test
  void settledMeansThatNothingIsOpen() {
    List<String> told = new ArrayList<>();
    assertThat(count.whenSettled(() -> told.add("at once"))).isTrue();
    assertThat(told).containsExactly("at once");
    Handling first = arrive();
    Handling second = arrive();
    Runnable then = () -> told.add("then");
    assertThat(count.whenSettled(then)).isFalse();
    first.release();
    assertThat(told).hasSize(1);
    second.release();
    assertThat(told).containsExactly("at once", "then");
    assertThat(count.stopWaiting(then)).isFalse();
  }

  @Test
  void whoWaitsNoLongerLosesNothing() {
    List<String> told = new ArrayList<>();
    Handling first = arrive();
    Handling second = arrive();
    second.release();
    Runnable displaced = () -> told.add("displaced");
    Runnable settled = () -> told.add("settled");
    assertThat(count.whenSettled(displaced)).isFalse();
    assertThat(count.whenSettled(settled)).isFalse();
    // The timer of an earlier resumption has no say in the later one.
    assertThat(count.stopWaiting(displaced)).isFalse();
    assertThat(count.stopWaiting(settled)).isTrue();
    assertThat(count.handled()).isZero();
    first.release();
    assertThat(count.handled()).isEqualTo(2);
    assertThat(told).isEmpty();
  }

  @Test
  void aRequestOnTheOldStreamNotifiesNobody() {
    RecordingStream next = new RecordingStream();
    Handling first = arrive();
    count.belongsTo(next);
    count.requested(stream);
    first.release();
    assertThat(next.timesAllHandled()).isZero();
    assertThat(stream.timesAllHandled()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void manyThreadsEndWhatOneStreamBrought(long seed) throws Exception {
    int stanzas = 10_000;
    int aheadOfArrival = 0;
    boolean answered;
    SplittableRandom random = new SplittableRandom(seed);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < stanzas; i++) {
        if (count.handled() > i) {
          aheadOfArrival++;
        }
        Handling handling = arrive();
        for (int part = random.nextInt(3); part > 0; part--) {
          handling.hold();
          threads.execute(handling::release);
        }
        threads.execute(handling::release);
      }
      answered = count.requested(stream);
    }
    assertThat(count.handled()).as("seed %d", seed).isEqualTo(stanzas);
    assertThat(aheadOfArrival).isZero();
    assertThat(stream.timesAllHandled()).isEqualTo(answered ? 0 : 1);
    assertThat(count.requested(stream)).isTrue();
  }
}
