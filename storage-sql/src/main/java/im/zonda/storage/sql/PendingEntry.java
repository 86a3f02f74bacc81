package im.zonda.storage.sql;

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

  /// What takes the place of the actions once they have been run, or never will.
  private enum End {
    COMMITTED,
    FAILED
  }

  private static final VarHandle STATE;
  private static final VarHandle ACTIONS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(PendingEntry.class, "state", int.class);
      ACTIONS = lookup.findVarHandle(PendingEntry.class, "actions", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private record Link(Runnable action, Object earlier) {}

  private final WriteQueue queue;
  private final long id;
  private final int bytes;
  private volatile MessageLog.@Nullable Entry entry;

  @SuppressWarnings("UnusedVariable") // through STATE
  private volatile int state;

  /// Null, a Runnable, a Link, or an End.
  private volatile @Nullable Object actions;

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
  public void whenCommitted(Runnable action) {
    while (true) {
      Object before = actions;
      if (before == End.COMMITTED) {
        action.run();
        return;
      }
      if (before == End.FAILED) {
        return;
      }
      Object after = before == null ? action : new Link(action, before);
      if (ACTIONS.compareAndSet(this, before, after)) {
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
  }

  @Override
  public void committed() {
    entry = null;
    run((Object) ACTIONS.getAndSet(this, End.COMMITTED));
  }

  @Override
  public void undone() {
    STATE.getAndBitwiseAnd(this, ~WRITTEN);
  }

  @Override
  public void failed(StoreException cause) {
    entry = null;
    ACTIONS.setVolatile(this, End.FAILED);
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

  /// Runs the actions in the order in which they came.
  private static void run(@Nullable Object actions) {
    Object rest = actions;
    if (rest instanceof Link) {
      List<Runnable> newestFirst = new ArrayList<>();
      while (rest instanceof Link(Runnable action, Object earlier)) {
        newestFirst.add(action);
        rest = earlier;
      }
      runOne((Runnable) rest);
      newestFirst.reversed().forEach(PendingEntry::runOne);
    } else if (rest != null) {
      runOne((Runnable) rest);
    }
  }

  private static void runOne(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | Error e) {
      // The entry is durable all the same; the writer must go on for the others.
      log.atError().setCause(e).log("store_receipt_action_failed");
    }
  }
}
