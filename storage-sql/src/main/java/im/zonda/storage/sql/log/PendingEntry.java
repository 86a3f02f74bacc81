package im.zonda.storage.sql.log;

import im.zonda.store.MessageLog;
import im.zonda.store.StoreException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A log entry that has not been committed yet, and its receipt. One is allocated per message: it
/// is small, uses atomic operations instead of a lock, and releases the message once it is stored.
final class PendingEntry implements WriteOperation, MessageLog.Receipt {
  private static final Logger log = LoggerFactory.getLogger(PendingEntry.class);

  private static final int WAITING = 1;
  private static final int ARCHIVE = 2;

  /// Written in the current or an earlier transaction: a delivery after this needs its own update.
  private static final int WRITTEN = 4;

  private static final int DELIVERED = 8;

  /// A commit with this entry failed, but may have been made.
  private static final int UNKNOWN = 16;

  /// Replaces the endings once they have been notified of the commit.
  private enum Mark {
    COMMITTED
  }

  private static final VarHandle STATE;
  private static final VarHandle ENDINGS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(PendingEntry.class, "state", int.class);
      ENDINGS = lookup.findVarHandle(PendingEntry.class, "endings", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private record Link(MessageLog.Ending ending, Object earlier) {}

  private final WriteQueue queue;
  private final long id;
  private final int bytes;
  private final int slot;
  private volatile MessageLog.@Nullable Entry entry;

  /// The sender's own copy, if it is stored together with the entry.
  private MessageLog.@Nullable Entry sent;

  private final boolean shared;

  @SuppressWarnings("UnusedVariable") // through STATE
  private volatile int state;

  /// Null, an Ending or a Link until the outcome is known; then the Mark or the StoreException.
  private volatile @Nullable Object endings;

  PendingEntry(
      WriteQueue queue,
      MessageLog.Entry entry,
      MessageLog.@Nullable Entry sent,
      MessageLog.Keep keep,
      boolean waiting,
      int bytes) {
    this.queue = queue;
    this.entry = entry;
    this.sent = sent;
    this.shared = sent != null;
    this.id = entry.id();
    this.bytes = bytes;
    this.slot = WriteQueue.slotOf(entry.owner());
    this.state = (waiting ? WAITING : 0) | (keep == MessageLog.Keep.ARCHIVE ? ARCHIVE : 0);
  }

  /// The entry if it waits for delivery and is not committed yet; otherwise null.
  MessageLog.@Nullable Entry waiting() {
    MessageLog.Entry pending = entry;
    return (state & (WAITING | DELIVERED)) == WAITING ? pending : null;
  }

  @Override
  public void delivered() {
    int before = (int) STATE.getAndBitwiseOr(this, DELIVERED);
    if ((before & (DELIVERED | WRITTEN | WAITING)) == (WRITTEN | WAITING)) {
      queue.offer(new WriteOperation.Delivery(id, shared || (before & ARCHIVE) != 0, slot));
    }
  }

  @Override
  public void whenEnded(MessageLog.Ending ending) {
    while (true) {
      Object before = endings;
      if (before == Mark.COMMITTED) {
        ending.committed();
        return;
      }
      if (before instanceof StoreException cause) {
        ending.failed(cause);
        return;
      }
      Object after = before == null ? ending : new Link(ending, before);
      if (ENDINGS.compareAndSet(this, before, after)) {
        return;
      }
    }
  }

  @Override
  public void apply(WriterConnection writer) throws SQLException {
    int before = (int) STATE.getAndBitwiseOr(this, WRITTEN);
    boolean archive = (before & ARCHIVE) != 0;
    boolean waits = (before & (WAITING | DELIVERED)) == WAITING;
    MessageLog.Entry pending = entry;
    if (pending == null) {
      return;
    }
    // The index in memory does not have the entry, even if its row is stored.
    boolean stored = (before & UNKNOWN) != 0 && writer.isStored(id);
    if (stored && (before & DELIVERED) != 0) {
      writer.messages().settle(id, shared || archive);
    }
    long ownerId = archive || waits ? owner(writer, pending) : OwnerIds.NONE;
    MessageLog.Entry copy = sent;
    long senderId = copy == null ? OwnerIds.NONE : owner(writer, copy);
    if (copy != null && ownerId == OwnerIds.NONE) {
      writeAlone(writer, copy, senderId, false, true, stored);
    } else if (copy == null || senderId == OwnerIds.NONE) {
      writeAlone(writer, pending, ownerId, waits, archive, stored);
    } else {
      if (!stored) {
        writer.messages().insert(ownerId, pending, waits, archive, senderId);
      }
      writer.index().added(archive ? ownerId : OwnerIds.NONE, pending, senderId, copy);
    }
  }

  private static void writeAlone(
      WriterConnection writer,
      MessageLog.Entry entry,
      long ownerId,
      boolean waits,
      boolean archive,
      boolean stored)
      throws SQLException {
    if (ownerId != OwnerIds.NONE) {
      if (!stored) {
        writer.messages().insert(ownerId, entry, waits, archive, OwnerIds.NONE);
      }
      if (archive) {
        writer.index().added(ownerId, entry);
      }
    }
  }

  /// The id of the entry's owner. If the account was removed before the entry was written, the
  /// result is the same as in the other order.
  private static long owner(WriterConnection writer, MessageLog.Entry entry) throws SQLException {
    long ownerId = writer.ownerIds().idOf(entry.owner());
    if (ownerId == OwnerIds.NONE) {
      log.atWarn().addKeyValue("owner", entry.owner()).log("store_entry_without_account");
    }
    return ownerId;
  }

  @Override
  public void committed() {
    end(Mark.COMMITTED);
  }

  @Override
  public void rolledBack() {
    STATE.getAndBitwiseAnd(this, ~WRITTEN);
  }

  @Override
  public void outcomeUnknown() {
    STATE.getAndBitwiseOr(this, UNKNOWN);
    rolledBack();
  }

  @Override
  public void failed(StoreException cause) {
    end(cause);
  }

  @Override
  public int slot() {
    return slot;
  }

  @Override
  public String toString() {
    return "entry " + id;
  }

  @Override
  public boolean keptInOutage() {
    return true;
  }

  @Override
  public int bytes() {
    return bytes;
  }

  /// Sets the outcome unless there is one: a writer that dies fails entries that it may have
  /// committed.
  private void end(Object outcome) {
    Object before;
    do {
      before = endings;
      if (before == Mark.COMMITTED || before instanceof StoreException) {
        return;
      }
    } while (!ENDINGS.compareAndSet(this, before, outcome));
    entry = null;
    sent = null;
    notifyEndings(before, outcome instanceof StoreException cause ? cause : null);
  }

  /// Notifies the endings in the order in which they were added.
  private static void notifyEndings(@Nullable Object endings, @Nullable StoreException failure) {
    if (endings instanceof MessageLog.Ending only) {
      notifyEnding(only, failure);
    } else if (endings instanceof Link(MessageLog.Ending newest, Object earlier)) {
      List<MessageLog.Ending> newestFirst = new ArrayList<>();
      newestFirst.add(newest);
      Object rest = earlier;
      while (rest instanceof Link(MessageLog.Ending ending, Object before)) {
        newestFirst.add(ending);
        rest = before;
      }
      newestFirst.add((MessageLog.Ending) rest);
      newestFirst.reversed().forEach(ending -> notifyEnding(ending, failure));
    }
  }

  private static void notifyEnding(MessageLog.Ending ending, @Nullable StoreException failure) {
    try {
      if (failure == null) {
        ending.committed();
      } else {
        ending.failed(failure);
      }
    } catch (RuntimeException | Error e) {
      // The entry's outcome is unaffected; the writer must continue with the other entries.
      log.atError().setCause(e).log("store_receipt_action_failed");
    }
  }
}
