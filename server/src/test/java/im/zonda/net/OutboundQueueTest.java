package im.zonda.net;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.link.ToStream;
import im.zonda.stanza.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

final class OutboundQueueTest {
  private static ToStream.Deliver stanza(String id) {
    return new ToStream.Deliver(Message.of(Message.Type.CHAT, null, null, id, List.of()), 0, false);
  }

  private static void takeInto(OutboundQueue queue, List<String> ids) {
    for (OutboundQueue.Entry e = queue.takeAll(); e != null; e = e.next) {
      ids.add(e.deliver == null ? "task" : String.valueOf(e.deliver.stanza().id()));
    }
  }

  @Test
  void oldestFirst() {
    CountedQueue queue = new CountedQueue();
    queue.push(stanza("1"), 10_000);
    queue.push(stanza("2"), 10_000);
    queue.push(stanza("3"), 10_000);
    List<String> ids = new ArrayList<>();

    takeInto(queue, ids);

    assertThat(ids).containsExactly("1", "2", "3");
    assertThat(queue.nothingQueued()).isTrue();
    assertThat(queue.takeAll()).isNull();
  }

  @Test
  void nothingFollowsAStanzaThatWasRefused() {
    CountedQueue queue = new CountedQueue();

    assertThat(queue.push(stanza("1"), 300)).isTrue();
    assertThat(queue.push(stanza("2"), 300)).isTrue();
    assertThat(queue.push(stanza("3"), 300)).isFalse();
    queue.takeAll();
    assertThat(queue.push(stanza("4"), 300)).as("the peer would take it for the third").isFalse();
    assertThat(queue.isDrained()).as("nor may it be written at once").isFalse();
    assertThat(queue.push(() -> {})).as("tasks still run").isTrue();
  }

  @Test
  void tasksKeepTheirPlaceAndAlwaysHaveRoom() {
    CountedQueue queue = new CountedQueue();
    queue.push(stanza("1"), 256);
    assertThat(queue.push(() -> {})).as("to be scheduled").isTrue();
    queue.push(stanza("2"), 1_000);
    assertThat(queue.push(stanza("3"), 512)).isFalse();
    queue.push(() -> {});
    List<String> ids = new ArrayList<>();

    takeInto(queue, ids);

    assertThat(ids).containsExactly("1", "task", "2", "task");
  }

  @Test
  void theBytesOfLargeStanzasCount() {
    CountedQueue queue = new CountedQueue();
    ToStream.Deliver large = stanza("x".repeat(5_000));

    assertThat(queue.push(stanza("1"), 600)).isTrue();
    assertThat(queue.push(large, 600)).as("one goes, however large").isTrue();
    assertThat(queue.push(stanza("2"), 600)).as("and what is small with it").isTrue();
    assertThat(queue.push(large, 600)).as("but not another one").isFalse();
    CountedQueue other = new CountedQueue();
    assertThat(other.push(stanza("1"), 11_000)).isTrue();
    assertThat(other.push(large, 11_000)).isTrue();
    assertThat(other.push(large, 11_000)).isTrue();
    assertThat(other.push(large, 11_000)).isTrue();
    assertThat(other.push(large, 11_000)).isFalse();
  }

  @Test
  void scheduledOnceUntilUnscheduled() {
    CountedQueue queue = new CountedQueue();

    assertThat(queue.schedule()).isTrue();
    assertThat(queue.schedule()).isFalse();
    queue.unschedule();
    assertThat(queue.schedule()).isTrue();
  }

  @Test
  void manyThreadsLoseNothingAndEachKeepsItsOrder() throws InterruptedException {
    CountedQueue queue = new CountedQueue();
    int threads = 4;
    int each = 20_000;
    CountDownLatch done = new CountDownLatch(threads);
    for (int t = 0; t < threads; t++) {
      String prefix = t + "-";
      Thread.ofPlatform()
          .start(() -> {
            for (int i = 0; i < each; i++) {
              queue.push(stanza(prefix + i), Integer.MAX_VALUE);
            }
            done.countDown();
          });
    }
    List<String> ids = new ArrayList<>();
    while (done.getCount() > 0 || !queue.nothingQueued()) {
      takeInto(queue, ids);
    }
    takeInto(queue, ids);

    int[] next = new int[threads];
    for (String id : ids) {
      int dash = id.indexOf('-');
      int thread = Integer.parseInt(id.substring(0, dash));
      assertThat(Integer.parseInt(id.substring(dash + 1))).isEqualTo(next[thread]++);
    }
    assertThat(ids).hasSize(threads * each);
  }

  @Test
  void whatWaitsIsCounted() {
    CountedQueue queue = new CountedQueue();
    queue.push(stanza("a"), 1_000_000);
    queue.push(stanza("a"), 1_000_000);
    assertThat(queue.bytes.sum()).isEqualTo(2L * OutboundQueue.LEAST_BYTES);
    assertThat(queue.queuedBytes()).isEqualTo(2L * OutboundQueue.LEAST_BYTES);
    queue.takeAll();
    assertThat(queue.bytes.sum()).isZero();
  }

  private static final class CountedQueue extends OutboundQueue {
    private final LongAdder bytes = new LongAdder();

    @Override
    void encode(ToStream.Deliver deliver) {
      throw new AssertionError("nothing is written here");
    }

    @Override
    void queued(long more) {
      bytes.add(more);
    }
  }
}
