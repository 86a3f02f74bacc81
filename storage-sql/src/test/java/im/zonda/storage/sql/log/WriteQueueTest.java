package im.zonda.storage.sql.log;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// Operations that are offered while the writer ends.
class WriteQueueTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");

  @Test
  void operationsOfferedWhileTheWriterEndsFail() throws InterruptedException {
    int taken = 0;
    AtomicInteger failed = new AtomicInteger();
    for (int round = 0; round < 500; round++) {
      WriteQueue queue = new WriteQueue(1_000_000);
      CountDownLatch start = new CountDownLatch(1);
      Thread writer =
          Thread.ofPlatform()
              .start(() -> {
                start.countDown();
                queue.end();
                for (WriteOperation work = queue.poll(); work != null; work = queue.poll()) {
                  work.failed(WriteQueue.closedException());
                }
              });
      start.await();
      try {
        while (true) {
          PendingEntry entry = entry(queue);
          entry.whenEnded(
              new MessageLog.Ending() {
                @Override
                public void committed() {}

                @Override
                public void failed(StoreException cause) {
                  failed.incrementAndGet();
                }
              });
          queue.offerEntry(entry);
          taken++;
        }
      } catch (StoreException e) {
        writer.join();
      }
    }
    assertThat(failed.get()).isEqualTo(taken);
  }

  @Test
  void aWorkingDatabaseIsCongestedSoonerThanOneThatHasStalled() {
    AtomicLong nanos = new AtomicLong(5_000_000_000L);
    WriteQueue queue = new WriteQueue(64 << 20, nanos::get);
    AtomicInteger relieved = new AtomicInteger();
    queue.storing();
    while (queue.bytes() <= 8 << 20) {
      assertThat(queue.congested()).isFalse();
      queue.offerEntry(entry(queue, 10_000));
    }
    assertThat(queue.congested()).isTrue();
    queue.onRelief(relieved::incrementAndGet);
    assertThat(relieved).hasValue(0);

    nanos.addAndGet(1_000_000_001);
    queue.offerEntry(entry(queue, 10_000));
    assertThat(queue.congested()).isFalse();
    assertThat(relieved).hasValue(1);
    while (queue.bytes() <= 48 << 20) {
      assertThat(queue.congested()).isFalse();
      queue.offerEntry(entry(queue, 10_000));
    }
    assertThat(queue.congested()).isTrue();
    assertThat(queue.nearlyFull()).isTrue();

    queue.stored();
    queue.onRelief(relieved::incrementAndGet);
    while (queue.bytes() > 4 << 20) {
      queue.finish(Objects.requireNonNull(queue.poll()));
    }
    queue.relieve();
    assertThat(queue.congested()).isFalse();
    assertThat(relieved).hasValue(2);
  }

  @Test
  void aDatabaseThatFailsEndsCongestionAtOnce() {
    WriteQueue queue = new WriteQueue(64 << 20);
    AtomicInteger relieved = new AtomicInteger();
    queue.storing();
    while (!queue.congested()) {
      queue.offerEntry(entry(queue, 10_000));
    }
    queue.onRelief(relieved::incrementAndGet);
    queue.failing();
    assertThat(queue.congested()).isFalse();
    assertThat(relieved).hasValue(1);
    while (queue.bytes() <= 48 << 20) {
      assertThat(queue.congested()).isFalse();
      queue.offerEntry(entry(queue, 10_000));
    }
    assertThat(queue.congested()).isTrue();
  }

  @Test
  void urgentWorkDoesNotWaitBehindWhatIsQueued() {
    WriteQueue queue = new WriteQueue(1 << 20);
    queue.offerEntry(entry(queue));
    BackgroundTask task =
        new BackgroundTask(
            queue,
            new BackgroundTask.Body() {
              @Override
              public boolean runPortion(WriterConnection writer) {
                return false;
              }

              @Override
              public boolean isUrgent() {
                return true;
              }
            });
    queue.offer(task);
    assertThat(queue.pollUrgent()).isSameAs(task);
    assertThat(queue.pollUrgent()).isNull();
    assertThat(queue.poll()).isInstanceOf(PendingEntry.class);
    assertThat(queue.poll()).isNull();
  }

  /// Those of others need not be waited for.
  @Test
  void isIdleForAnOwnerUntilAnOperationOfTheOwnerIsQueued() {
    WriteQueue queue = new WriteQueue(1_000_000);
    queue.offer(new WriteOperation.TakeOver(ROMEO));
    assertThat(queue.idle(ROMEO)).isTrue();
    queue.offerEntry(entry(queue));
    queue.offer(new WriteOperation.Settlement(ROMEO, List.of(1L)));
    queue.offer(new WriteOperation.Delivery(1, true, WriteQueue.slotOf(ROMEO)));
    assertThat(queue.idle(ROMEO)).isFalse();
    assertThat(queue.idle(JULIET)).isTrue();
    for (WriteOperation each = queue.poll(); each != null; each = queue.poll()) {
      assertThat(queue.idle(ROMEO)).isFalse();
      queue.finish(each);
    }
    assertThat(queue.idle(ROMEO)).isTrue();
  }

  private static PendingEntry entry(WriteQueue queue) {
    return entry(queue, 100);
  }

  private static PendingEntry entry(WriteQueue queue, int bytes) {
    return new PendingEntry(
        queue,
        new MessageLog.Entry(ROMEO, 1, ROMEO, StoresContract.message(ROMEO, ROMEO, "x")),
        null,
        MessageLog.Keep.ARCHIVE,
        true,
        bytes);
  }

  @Test
  void theLastEighthOfTheQueueIsForSmallEntries() {
    WriteQueue queue = new WriteQueue(1_000_000);
    StoreException full = null;
    for (int i = 0; i < 100 && full == null; i++) {
      try {
        queue.offerEntry(entry(queue, 20_000));
      } catch (StoreException e) {
        full = e;
      }
    }
    assertThat(full).isNotNull();
    for (int i = 0; i < 100; i++) {
      queue.offerEntry(entry(queue, 1_000));
    }
  }

  @Test
  void theQueueNeverTakesMoreThanItsShareOfTheHeap() {
    assertThat(WriteQueue.limitFor(128, 4_000)).isEqualTo(128);
    assertThat(WriteQueue.limitFor(2_000, 4_000)).isEqualTo(500);
  }
}
