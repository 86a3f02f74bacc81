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

/// An entry on its way to the database, and its receipt. One of these is made per message, so it is
/// small, takes no lock, and lets go of the message once that is stored.
final class PendingEntry implements Work, MessageLog.Receipt {
  private static final Logger log = LoggerFactory.getLogger(PendingEntry.class);

  private static final int WAITING = 1;
  private static final int ARCHIVE = 2;

  /// The transaction holds it, or did: a delivery from here on needs an update of its own.
  private static final int WRITTEN = 4;

  private static final int DELIVERED = 8;

  /// What takes the place of the endings once they have been told of the commit.
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
  private volatile MessageLog.@Nullable Entry entry;

  @SuppressWarnings("UnusedVariable") // through STATE
  private volatile int state;

  /// Null, an Ending, or a Link while it is open; then the Mark, or the StoreException.
  private volatile @Nullable Object endings;

  PendingEntry(
      WriteQueue queue, MessageLog.Entry entry, MessageLog.Keep keep, boolean waiting, int bytes) {
    this.queue = queue;
    this.entry = entry;
    this.id = entry.id();
    this.bytes = bytes;
    this.state = (waiting ? WAITING : 0) | (keep == MessageLog.Keep.ARCHIVE ? ARCHIVE : 0);
  }

  /// The entry if it waits and is not stored yet, else null.
  MessageLog.@Nullable Entry waiting() {
    MessageLog.Entry pending = entry;
    return (state & (WAITING | DELIVERED)) == WAITING ? pending : null;
  }

  @Override
  public void delivered() {
    int before = (int) STATE.getAndBitwiseOr(this, DELIVERED);
    if ((before & (DELIVERED | WRITTEN | WAITING)) == (WRITTEN | WAITING)) {
      queue.offer(new Work.Delivery(id, (before & ARCHIVE) != 0));
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
    if (pending == null || (!archive && !waits)) {
      return;
    }
    long ownerId = writer.owners().idOf(pending.owner());
    if (ownerId == Owners.NONE) {
      // Removed with its account before it was written: the same as written and then removed.
      log.atWarn().addKeyValue("owner", pending.owner()).log("store_entry_without_account");
      return;
    }
    writer.messages().insert(ownerId, pending, waits, archive);
    if (archive) {
      writer.index().added(ownerId, pending);
    }
  }

  @Override
  public void committed() {
    end(Mark.COMMITTED);
  }

  @Override
  public void undone() {
    STATE.getAndBitwiseAnd(this, ~WRITTEN);
  }

  @Override
  public void failed(StoreException cause) {
    end(cause);
  }

  @Override
  public String toString() {
    return "entry " + id;
  }

  @Override
  public boolean kept() {
    return true;
  }

  @Override
  public int bytes() {
    return bytes;
  }

  /// The first outcome counts: if the writer dies, it gives up what it may have finished.
  private void end(Object outcome) {
    Object before;
    do {
      before = endings;
      if (before == Mark.COMMITTED || before instanceof StoreException) {
        return;
      }
    } while (!ENDINGS.compareAndSet(this, before, outcome));
    entry = null;
    tell(before, outcome instanceof StoreException cause ? cause : null);
  }

  /// Tells all in the order in which they came.
  private static void tell(@Nullable Object endings, @Nullable StoreException failure) {
    if (endings instanceof MessageLog.Ending only) {
      tellOne(only, failure);
    } else if (endings instanceof Link(MessageLog.Ending newest, Object earlier)) {
      List<MessageLog.Ending> newestFirst = new ArrayList<>();
      newestFirst.add(newest);
      Object rest = earlier;
      while (rest instanceof Link(MessageLog.Ending ending, Object before)) {
        newestFirst.add(ending);
        rest = before;
      }
      newestFirst.add((MessageLog.Ending) rest);
      newestFirst.reversed().forEach(ending -> tellOne(ending, failure));
    }
  }

  private static void tellOne(MessageLog.Ending ending, @Nullable StoreException failure) {
    try {
      if (failure == null) {
        ending.committed();
      } else {
        ending.failed(failure);
      }
    } catch (RuntimeException | Error e) {
      // What became of the entry stays true; the writer must go on for the others.
      log.atError().setCause(e).log("store_receipt_action_failed");
    }
  }
}
