package im.zonda.cluster.infinispan;

import static im.zonda.cluster.engine.ClusterEngine.Departure.AFTER_ALL_ARRIVED;
import static im.zonda.cluster.engine.ClusterEngine.Departure.AT_ONCE;
import static im.zonda.cluster.engine.ClusterEngine.Departure.MAY_WAIT;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.cluster.engine.ClusterEngine;
import im.zonda.cluster.engine.ClusterEngine.Departure;
import im.zonda.testkit.database.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PeerSenderTest {
  private final Semaphore slots = new Semaphore(0);
  private final Semaphore begun = new Semaphore(0);
  private final LinkedBlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();
  private final Set<Thread> writers = ConcurrentHashMap.newKeySet();

  /// Whether the process is connected. If it is not, the sender's own thread writes everything.
  private volatile boolean connected;

  private final AtomicLong now = new AtomicLong();

  private final PeerSender sender =
      new PeerSender(
          new Member("b", 1),
          new PeerSender.Output() {
            @Override
            public void send(byte[] message, FrameBundler.Buffer buffer)
                throws InterruptedException {
              begun.release();
              slots.acquire();
              writers.add(Thread.currentThread());
              messages.add(message);
            }

            @Override
            public boolean isConnected() {
              return connected;
            }
          },
          now::get);

  @AfterEach
  void close() {
    sender.close();
  }

  private static byte[] frame(int first, int size) {
    byte[] frame = new byte[size];
    frame[0] = (byte) first;
    return frame;
  }

  private List<byte[]> next() throws InterruptedException {
    byte[] message = messages.take();
    return FrameBatch.split(message, 0, message.length);
  }

  private void send(byte[] frame, Departure departure) {
    sender.send(List.of(frame), departure);
  }

  /// The first frame is being sent while the others come.
  private void begin() throws InterruptedException {
    send(frame(0, 1), AT_ONCE);
    begun.acquire();
  }

  @Test
  void framesThatWaitAreOneMessage() throws Exception {
    begin();
    for (int i = 1; i <= 3; i++) {
      send(frame(i, i), AT_ONCE);
    }
    slots.release(2);
    assertThat(next()).hasSize(1);
    assertThat(next()).containsExactly(frame(1, 1), frame(2, 2), frame(3, 3));
  }

  @Test
  void aMessageHasALimitUnlessOneFrameExceedsIt() throws Exception {
    begin();
    for (int i = 1; i <= 3; i++) {
      send(frame(i, i == 2 ? 100_000 : 20_000), AT_ONCE);
    }
    slots.release(4);
    List<Integer> sizes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      sizes.add(next().size());
    }
    assertThat(sizes).containsExactly(1, 1, 1, 1);
  }

  @Test
  void aFrameThatMayWaitIsSentInItsPlaceAndAlsoAlone() throws Exception {
    slots.release(10);
    send(frame(1, 1), MAY_WAIT);
    send(frame(2, 1), AT_ONCE);
    List<byte[]> frames = new ArrayList<>(next());
    if (frames.size() == 1) {
      frames.addAll(next()); // it had waited for long enough
    }
    assertThat(frames).containsExactly(frame(1, 1), frame(2, 1));
    send(frame(3, 1), MAY_WAIT);
    assertThat(next()).containsExactly(frame(3, 1));
  }

  /// Sends a frame so long after the one before that it needs no other thread. A thread that has
  /// written that one may not have said so yet.
  private void sendDirectly(byte[] frame, Departure departure) {
    Eventually.await("no thread writes", sender::isIdle);
    connected = true;
    now.addAndGet(1_000_000);
    send(frame, departure);
  }

  @Test
  void aConnectedProcessIsWrittenToByTheThreadThatBringsAFrame() throws Exception {
    slots.release(10);
    sendDirectly(frame(1, 1), AT_ONCE);
    assertThat(writers).containsExactly(Thread.currentThread());
    assertThat(next()).containsExactly(frame(1, 1));
    send(frame(2, 1), AT_ONCE);
    assertThat(next()).as("too soon for a write of its own").containsExactly(frame(2, 1));
    assertThat(writers).hasSize(2);
  }

  @Test
  void framesThatAreBroughtTogetherAreOneMessage() throws Exception {
    slots.release(10);
    connected = true;
    now.addAndGet(1_000_000);
    sender.send(List.of(frame(1, 1), frame(2, 1)), AT_ONCE);
    assertThat(writers).containsExactly(Thread.currentThread());
    assertThat(next()).containsExactly(frame(1, 1), frame(2, 1));
  }

  @Test
  void ofFramesThatAreBroughtTogetherOnlyTheOneThatIsTooLargeIsDiscarded() throws Exception {
    slots.release(10);
    sender.send(List.of(frame(1, 1), frame(2, ClusterEngine.MAX_FRAME + 1), frame(3, 1)), AT_ONCE);
    assertThat(next()).containsExactly(frame(1, 1), frame(3, 1));
  }

  @Test
  void aProcessThatIsNotConnectedNeverHoldsUpTheThreadThatBringsAFrame() throws Exception {
    send(frame(1, 1), AFTER_ALL_ARRIVED);
    begun.acquire();
    slots.release();
    next();
    assertThat(writers).doesNotContain(Thread.currentThread());
  }

  @Test
  void aThreadThatBringsAFrameWritesNoMoreThanTheNetworkHolds() throws Exception {
    slots.release(10);
    sendDirectly(frame(1, PeerSender.MAX_DIRECT), AT_ONCE);
    next();
    writers.clear();
    sendDirectly(frame(2, 1), AT_ONCE);
    next();
    assertThat(writers).doesNotContain(Thread.currentThread());
    sendDirectly(frame(3, 1), AFTER_ALL_ARRIVED);
    next();
    assertThat(writers).contains(Thread.currentThread());
  }

  @Test
  void whatComesDuringAWriteFollowsIt() throws Exception {
    Thread other = Thread.ofVirtual().start(() -> sendDirectly(frame(1, 1), AT_ONCE));
    begun.acquire();
    now.addAndGet(1_000_000);
    send(frame(2, 1), AT_ONCE);
    send(frame(3, 1), MAY_WAIT);
    slots.release(2);
    assertThat(next()).containsExactly(frame(1, 1));
    assertThat(next()).containsExactly(frame(2, 1), frame(3, 1));
    other.join();
  }

  @Test
  void whatExceedsTheBoundIsDiscardedAndTheNextIsTakenAgain() throws Exception {
    begin();
    int size = 1 << 20;
    int fitting = PeerSender.MAX_WAITING / size;
    for (int i = 1; i <= fitting + 5; i++) {
      send(frame(i, size), AT_ONCE);
    }
    assertThat(sender.waitingBytes()).isEqualTo(PeerSender.MAX_WAITING);
    slots.release(1 + fitting);
    next();
    for (int i = 1; i <= fitting; i++) {
      assertThat(next().getFirst()[0]).isEqualTo((byte) i);
    }
    send(frame(99, 1), AT_ONCE);
    slots.release();
    assertThat(next().getFirst()[0]).isEqualTo((byte) 99);
  }

  @Test
  void afterTheEndNothingIsSent() throws Exception {
    begin();
    sender.close();
    send(frame(1, 1), AT_ONCE);
    assertThat(sender.waitingBytes()).isZero();
  }
}
