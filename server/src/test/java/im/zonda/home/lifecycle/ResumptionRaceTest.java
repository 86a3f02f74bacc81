package im.zonda.home.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.link.ToStream;
import im.zonda.module.Envelope;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What may happen to a session at the same time, by many threads: its stream is lost or closed,
/// another resumes it, its resource is bound again, its time is over, stanzas come and are
/// acknowledged. Whatever is first, a stream that is not closed has its session, and of one that
/// was resumed every stanza is counted.
final class ResumptionRaceTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");
  private static final int ROUNDS = 1_500;
  private static final Stanza HEADLINE =
      TestStanzas.of(
          "<message from='romeo@example.org/orchard' to='juliet@example.org/balcony'"
              + " type='headline'><body>for her</body></message>");

  private final RunningRouter running = new RunningRouter(limits -> limits);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void stop() {
    threads.close();
    running.close();
  }

  /// Runs all at the same moment, and waits for them.
  private void race(SplittableRandom random, List<Runnable> actions) {
    CyclicBarrier start = new CyclicBarrier(actions.size());
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (Runnable action : actions) {
      int spins = random.nextInt(400);
      all.add(
          CompletableFuture.runAsync(
              () -> {
                try {
                  start.await();
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
                for (int i = 0; i < spins; i++) {
                  Thread.onSpinWait();
                }
                action.run();
              },
              threads));
    }
    all.forEach(CompletableFuture::join);
    running.awaitIdle();
  }

  /// A resumption on its way.
  private final class Attempt implements Runnable {
    private final RecordingStream stream = new RecordingStream();
    private final TestLink link = running.link(stream);
    private final String id;
    private CompletableFuture<ToStream> outcome = new CompletableFuture<>();

    private Attempt(String id) {
      this.id = id;
    }

    @Override
    public void run() {
      outcome = link.resume(JULIET, id, 0);
    }

    private boolean isClosed() {
      return stream.closedWith() != null;
    }

    private boolean isGranted() {
      return outcome.join() instanceof ToStream.Resumed;
    }
  }

  /// The stream has the session: what it brings is counted, and it is sent what is for the session.
  private void assertHasSession(TestLink link, long round) {
    RecordingStream stream = link.stream();
    long before = stream.handled();
    link.received(TestStanzas.of("<presence to='example.org'/>"));
    running.awaitIdle();
    assertThat(stream.handled()).as("h in round %d", round).isEqualTo(before + 1);
    running.router.routes().route(Envelope.of(HEADLINE));
    running.awaitIdle();
    assertThat(stream.texts()).as("round %d", round).contains("for her");
    // No timer of an earlier stream may end it.
    running.advance(Duration.ofMinutes(11));
    running.awaitIdle();
    assertThat(stream.closedWith()).as("round %d", round).isNull();
    assertThat(running.at(JULIET)).as("round %d", round).isNotNull();
  }

  private void end(TestLink link) {
    link.ended();
    running.awaitIdle();
    assertNothingIsLeft();
  }

  private void assertNothingIsLeft() {
    assertThat(running.at(JULIET)).isNull();
    assertThat(running.router.sessions().unacknowledgedBytes()).isZero();
    assertThat(running.router.sessions().all()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void aStreamThatIsLostTakesNothingFromTheOneThatResumes(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < ROUNDS; round++) {
      TestLink old = running.bind(JULIET, new RecordingStream());
      Attempt attempt = new Attempt(old.manage());
      race(random, List.of(old::lost, attempt));
      assertThat(attempt.isGranted()).isTrue();
      assertHasSession(attempt.link, round);
      end(attempt.link);
    }
  }

  /// The same, while the client may also close its old stream, or bind its resource again.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aStreamThatResumesHasTheSessionOrIsClosed(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < ROUNDS; round++) {
      TestLink old = running.bind(JULIET, new RecordingStream());
      Attempt attempt = new Attempt(old.manage());
      RecordingStream third = new RecordingStream();
      List<Runnable> actions = new ArrayList<>(List.of(attempt));
      Runnable end = random.nextBoolean() ? old::ended : old::lost;
      // A stream says one thing after the other.
      if (random.nextBoolean()) {
        actions.add(() -> running.router.routes().route(Envelope.of(TestStanzas.message("early"))));
        actions.add(() -> {
          old.acknowledged(1);
          end.run();
        });
      } else {
        actions.add(end);
      }
      boolean again = random.nextBoolean();
      if (again) {
        actions.add(() -> running.bind(JULIET, third));
      }
      race(random, actions);
      if (attempt.isGranted()) {
        if (!attempt.isClosed()) {
          assertThat(again && third.closedWith() == null).as("two have it").isFalse();
          assertHasSession(attempt.link, round);
        } else {
          assertThat(attempt.stream.closedWith()).isEqualTo(StreamErrorCondition.CONFLICT);
        }
        attempt.link.ended();
      }
      running.bind(JULIET, new RecordingStream()).ended();
      running.awaitIdle();
      assertNothingIsLeft();
    }
  }

  /// A session that ends while its client enables stream management is not kept.
  @Test
  void aSessionThatEndsAsItIsManagedIsNotKept() {
    TestLink link = running.bind(JULIET, new RecordingStream());
    link.manage();
    link.ended();
    running.awaitIdle();
    assertNothingIsLeft();
  }

  /// The end of its time and a new stream at the same moment: one of them wins.
  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void aSessionWhoseTimeIsOverIsResumedOrGone(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < ROUNDS; round++) {
      TestLink old = running.bind(JULIET, new RecordingStream());
      Attempt attempt = new Attempt(old.manage());
      old.lost();
      running.awaitIdle();
      race(random, List.of(attempt, () -> running.advance(Duration.ofMinutes(10))));
      if (attempt.isGranted()) {
        assertHasSession(attempt.link, round);
        end(attempt.link);
      } else {
        assertNothingIsLeft();
      }
    }
  }
}
