package im.zonda.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.home.lifecycle.TestClock;
import im.zonda.runtime.TestRuntime;
import im.zonda.store.AppendedOrigins;
import im.zonda.store.ClusterLog;
import im.zonda.store.StoreException;
import im.zonda.stream.client.TestTimers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What the log has of messages whose sender's home has died is read once for many questions.
@Timeout(30)
class OriginLookupTest {
  private static final long COPY = 7;
  private static final long RECEIVED = 8;
  private static final long RECEIVED_WITH_COPY = 9;
  private static final long LATER = 10;
  private static final Duration AGE = Duration.ofMinutes(3);

  /// One call of the log, which the test answers.
  private record Read(Duration age, CompletableFuture<AppendedOrigins> answer) {}

  private final BlockingQueue<Read> reads = new LinkedBlockingQueue<>();
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final TestTimers timers = new TestTimers();
  private final TestClock clock = new TestClock();
  private final OriginLookup lookup =
      new OriginLookup(
          new Log(), new TestRuntime().workers(workers).scheduler(timers).clock(clock).build());

  private final class Log implements ClusterLog {
    @Override
    public AppendedOrigins appendedOrigins(Duration age) {
      Read read = new Read(age, new CompletableFuture<>());
      reads.add(read);
      try {
        return read.answer.join();
      } catch (CompletionException e) {
        throw e.getCause() instanceof StoreException cause ? cause : e;
      }
    }
  }

  @AfterEach
  void close() {
    workers.shutdownNow();
  }

  private static AppendedOrigins log(long... copies) {
    AppendedOrigins.Builder all = new AppendedOrigins.Builder();
    for (long copy : copies) {
      all.add(copy, false);
    }
    all.add(RECEIVED, false);
    all.add(RECEIVED_WITH_COPY, true);
    return all.build();
  }

  private CompletableFuture<Boolean> ask(long copy, long received, Duration age) {
    return CompletableFuture.supplyAsync(() -> lookup.hasSentCopy(copy, received, age), workers);
  }

  private CompletableFuture<Boolean> ask(long copy) {
    return ask(copy, 1, AGE);
  }

  private Read nextRead() throws InterruptedException {
    Read read = reads.poll(20, TimeUnit.SECONDS);
    if (read == null) {
      throw new AssertionError("the log is not read");
    }
    return read;
  }

  /// Returns when `count` questions wait for the log.
  private void awaitWaiting(int count) {
    while (lookup.waiting() < count) {
      LockSupport.parkNanos(1_000_000); // the class has a limit of time
    }
  }

  /// Time passes for the clock and for timers.
  private void pass(Duration time) {
    clock.advance(time);
    timers.pass(time);
  }

  private void loadOnce() throws InterruptedException {
    CompletableFuture<Boolean> asked = ask(COPY);
    nextRead().answer.complete(log(COPY));
    assertThat(asked.join()).isTrue();
  }

  @Test
  void theSendersCopyIsAnEntryOfItsOwnOrAPartOfTheReceivers() throws InterruptedException {
    loadOnce();
    assertThat(lookup.hasSentCopy(COPY, 1, AGE)).isTrue();
    assertThat(lookup.hasSentCopy(1, RECEIVED_WITH_COPY, AGE)).isTrue();
    assertThat(lookup.hasSentCopy(1, RECEIVED, AGE)).isFalse();
    assertThat(lookup.hasSentCopy(1, COPY, AGE)).isFalse();
    assertThat(lookup.hasSentCopy(LATER, 1, AGE)).isFalse();
    assertThat(reads).isEmpty();
  }

  @Test
  void whatManyHomesAskIsReadOnce() throws InterruptedException {
    List<CompletableFuture<Boolean>> asked = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      asked.add(ask(i % 2 == 0 ? COPY : LATER));
    }
    awaitWaiting(100);
    nextRead().answer.complete(log(COPY));
    for (int i = 0; i < 100; i++) {
      assertThat(asked.get(i).join()).isEqualTo(i % 2 == 0);
    }
    for (int i = 0; i < 100; i++) {
      assertThat(lookup.hasSentCopy(COPY, 1, AGE)).isTrue();
    }
    assertThat(reads).isEmpty();
  }

  @Test
  void whatIsReadCoversLaterQuestionsAboutTheSameTime() throws InterruptedException {
    CompletableFuture<Boolean> asked = ask(COPY);
    Read read = nextRead();
    assertThat(read.age).isEqualTo(AGE.plusMinutes(1));
    read.answer.complete(log(COPY));
    assertThat(asked.join()).isTrue();
    assertThat(lookup.hasSentCopy(COPY, 1, AGE.plusMinutes(1))).isTrue();
    clock.advance(Duration.ofMinutes(1)); // the timers stand
    assertThat(lookup.hasSentCopy(COPY, 1, AGE.plusMinutes(2))).isTrue();
    CompletableFuture<Boolean> older = ask(LATER, 1, AGE.plusMinutes(2).plusMillis(1));
    read = nextRead();
    assertThat(read.age).isEqualTo(AGE.plusMinutes(3).plusMillis(1));
    read.answer.complete(log(LATER));
    assertThat(older.join()).isTrue();
  }

  @Test
  void anOlderQuestionThatComesDuringAReadIsReadNext() throws InterruptedException {
    CompletableFuture<Boolean> asked = ask(COPY);
    Read read = nextRead();
    CompletableFuture<Boolean> older = ask(LATER, 1, AGE.plusMinutes(5));
    awaitWaiting(2);
    read.answer.complete(log(COPY));
    assertThat(asked.join()).isTrue();
    nextRead().answer.complete(log(COPY, LATER));
    assertThat(older.join()).isTrue();
    assertThat(lookup.hasSentCopy(COPY, 1, AGE)).isTrue();
    assertThat(reads).isEmpty();
  }

  @Test
  void anotherOpeningOfHomesReadsAgain() throws InterruptedException {
    loadOnce();
    lookup.opening();
    CompletableFuture<Boolean> asked = ask(LATER);
    nextRead().answer.complete(log(COPY, LATER));
    assertThat(asked.join()).isTrue();
    assertThat(lookup.hasSentCopy(COPY, 1, AGE)).isTrue();
    assertThat(reads).isEmpty();
  }

  @Test
  void aReadThatBeganBeforeHomesOpenedIsForEarlierQuestionsOnly() throws InterruptedException {
    CompletableFuture<Boolean> before = ask(COPY);
    Read read = nextRead();
    lookup.opening();
    CompletableFuture<Boolean> after = ask(LATER);
    awaitWaiting(2);
    read.answer.complete(log(COPY));
    assertThat(before.join()).isTrue();
    nextRead().answer.complete(log(COPY, LATER));
    assertThat(after.join()).isTrue();
    assertThat(lookup.hasSentCopy(LATER, 1, AGE)).isTrue();
    assertThat(reads).isEmpty();
  }

  @Test
  void aReadThatBeganBeforeHomesOpenedIsNotKept() throws InterruptedException {
    CompletableFuture<Boolean> before = ask(COPY);
    Read read = nextRead();
    lookup.opening();
    read.answer.complete(log(COPY));
    assertThat(before.join()).isTrue();
    assertThat(timers.pending()).isZero();
    CompletableFuture<Boolean> after = ask(LATER);
    nextRead().answer.complete(log(COPY, LATER));
    assertThat(after.join()).isTrue();
  }

  @Test
  void whileTheDatabaseIsAwayQuestionsWait() throws InterruptedException {
    CompletableFuture<Boolean> first = ask(COPY);
    for (int i = 0; i < 3; i++) {
      Read read = nextRead();
      assertThat(read.age).isEqualTo(AGE.plusMinutes(1).plusSeconds(i));
      read.answer.completeExceptionally(
          new StoreException(StoreException.Category.UNAVAILABLE, "as the test wants", null));
      awaitTimer();
      assertThat(first).isNotDone();
      pass(Duration.ofSeconds(1));
    }
    CompletableFuture<Boolean> second = ask(LATER);
    awaitWaiting(2);
    nextRead().answer.complete(log(COPY));
    assertThat(first.join()).isTrue();
    assertThat(second.join()).isFalse();
    assertThat(reads).isEmpty();
  }

  private void awaitTimer() {
    while (timers.pending() == 0) {
      LockSupport.parkNanos(1_000_000); // the class has a limit of time
    }
  }

  @Test
  void ifTheLogCannotBeReadAnyMoreQuestionsFail() throws InterruptedException {
    CompletableFuture<Boolean> asked = ask(COPY);
    StoreException closed =
        new StoreException(StoreException.Category.CLOSED, "as the test wants", null);
    nextRead().answer.completeExceptionally(closed);
    assertThatThrownBy(asked::join).hasRootCause(closed);
    loadOnce(); // the next question reads again
  }

  @Test
  void whatIsNotUsedIsDropped() throws InterruptedException {
    loadOnce();
    for (int i = 0; i < 5; i++) {
      pass(Duration.ofMinutes(2));
      assertThat(lookup.hasSentCopy(COPY, 1, AGE)).isTrue();
    }
    assertThat(reads).isEmpty();
    pass(Duration.ofMinutes(4));
    assertThat(timers.pending()).isZero();
    loadOnce();
  }
}
