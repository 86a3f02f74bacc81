package im.zonda.cluster.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PeerSenderTest {
  private final Semaphore slots = new Semaphore(0);
  private final Semaphore begun = new Semaphore(0);
  private final LinkedBlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();
  private final PeerSender sender =
      new PeerSender(
          new Member("b", 1),
          message -> {
            begun.release();
            slots.acquire();
            messages.add(message);
          });

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

  /// The first frame is being sent while the others come.
  private void begin() throws InterruptedException {
    sender.send(frame(0, 1), false);
    begun.acquire();
  }

  @Test
  void framesThatWaitAreOneMessage() throws Exception {
    begin();
    for (int i = 1; i <= 3; i++) {
      sender.send(frame(i, i), false);
    }
    slots.release(2);
    assertThat(next()).hasSize(1);
    assertThat(next()).containsExactly(frame(1, 1), frame(2, 2), frame(3, 3));
  }

  @Test
  void aMessageHasALimitUnlessOneFrameExceedsIt() throws Exception {
    begin();
    for (int i = 1; i <= 3; i++) {
      sender.send(frame(i, i == 2 ? 100_000 : 20_000), false);
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
    sender.send(frame(1, 1), true);
    sender.send(frame(2, 1), false);
    List<byte[]> frames = new ArrayList<>(next());
    if (frames.size() == 1) {
      frames.addAll(next()); // it had waited for long enough
    }
    assertThat(frames).containsExactly(frame(1, 1), frame(2, 1));
    sender.send(frame(3, 1), true);
    assertThat(next()).containsExactly(frame(3, 1));
  }

  @Test
  void whatExceedsTheBoundIsDiscardedAndTheNextIsTakenAgain() throws Exception {
    begin();
    int size = 1 << 20;
    int fitting = PeerSender.MAX_WAITING / size;
    for (int i = 1; i <= fitting + 5; i++) {
      sender.send(frame(i, size), false);
    }
    assertThat(sender.waitingBytes()).isEqualTo(PeerSender.MAX_WAITING);
    slots.release(1 + fitting);
    next();
    for (int i = 1; i <= fitting; i++) {
      assertThat(next().getFirst()[0]).isEqualTo((byte) i);
    }
    sender.send(frame(99, 1), false);
    slots.release();
    assertThat(next().getFirst()[0]).isEqualTo((byte) 99);
  }

  @Test
  void afterTheEndNothingIsSent() throws Exception {
    begin();
    sender.close();
    sender.send(frame(1, 1), false);
    assertThat(sender.waitingBytes()).isZero();
  }
}
