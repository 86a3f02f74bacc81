package im.zonda.app.transfer.destination;

import im.zonda.jid.Jid;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// Appends entries with times in the past to the message log, some hundred at once. Confined to one
/// thread; calls block.
final class EntryBatch {
  private static final int ENTRIES = 256;
  private static final long BYTES = 1 << 20;

  /// Microseconds between messages of about the same time.
  private static final long NEAR = 1_000_000;

  /// How often an entry is tried with another id: an earlier run may have used its own.
  private static final int ATTEMPTS = 1_000;

  /// Attempts leave out more and more ids, up to this power of two.
  private static final int MOST_LEFT_OUT = 9;

  private final MessageLog log;
  private final FreeIds ids;
  private final List<Appended> pending = new ArrayList<>();
  private long bytes;

  /// An entry on its way to the disk.
  private static final class Appended implements MessageLog.Ending {
    private final Entry entry;
    private final Keep keep;
    private final boolean waiting;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable StoreException failure;

    Appended(Entry entry, Keep keep, boolean waiting) {
      this.entry = entry;
      this.keep = keep;
      this.waiting = waiting;
    }

    @Override
    public void committed() {
      ended.countDown();
    }

    @Override
    public void failed(StoreException cause) {
      failure = cause;
      ended.countDown();
    }
  }

  EntryBatch(MessageLog log, FreeIds ids) {
    this.log = log;
    this.ids = ids;
  }

  /// Whether enough has been added to be written.
  boolean isFull() {
    return pending.size() >= ENTRIES || bytes >= BYTES;
  }

  /// Adds an entry; it is durable after [#flush].
  void add(Entry entry, Keep keep, boolean waiting) {
    bytes += entry.message().writtenSize();
    pending.add(append(entry, keep, waiting));
  }

  private Appended append(Entry entry, Keep keep, boolean waiting) {
    Appended appended = new Appended(entry, keep, waiting);
    log.append(entry, keep, waiting).whenEnded(appended);
    return appended;
  }

  /// Waits until all entries are durable.
  ///
  /// @return the number of entries that cannot be stored
  int flush() {
    if (pending.isEmpty()) {
      return 0;
    }
    log.flush();
    int rejected = 0;
    long moved = Long.MIN_VALUE;
    for (Appended each : pending) {
      Appended last = each;
      StoreException failure = await(last);
      for (int i = 0; failure != null && i < ATTEMPTS; i++) {
        if (failure.category() != StoreException.Category.REJECTED) {
          throw failure;
        }
        Entry before = last.entry;
        long next = before.id() + (1L << Math.min(i, MOST_LEFT_OUT));
        // Those that are moved keep their order.
        boolean follows = moved >= next && moved - next < NEAR;
        moved = ids.next(follows ? moved + 1 : next);
        last = append(withId(before.owner(), moved, before), last.keep, last.waiting);
        log.flush();
        failure = await(last);
      }
      rejected += failure == null ? 0 : 1;
    }
    pending.clear();
    bytes = 0;
    return rejected;
  }

  private static Entry withId(Jid owner, long id, Entry entry) {
    return new Entry(owner, id, entry.with(), entry.message());
  }

  private static @Nullable StoreException await(Appended appended) {
    try {
      appended.ended.await();
      return appended.failure;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException(StoreException.Category.UNAVAILABLE, "interrupted", e);
    }
  }
}
