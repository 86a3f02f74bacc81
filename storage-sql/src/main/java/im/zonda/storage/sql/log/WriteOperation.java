package im.zonda.storage.sql.log;

import im.zonda.jid.Jid;
import im.zonda.store.StoreException;
import java.sql.SQLException;
import java.util.List;

/// An operation that the writer runs inside a transaction.
///
/// The writer calls [#apply] and then either [#committed], or [#rolledBack] followed by another
/// attempt or by [#failed].
sealed interface WriteOperation
    permits BlockingWrite,
        BackgroundTask,
        PendingEntry,
        WriteOperation.Delivery,
        WriteOperation.Settlement,
        UnreadableEntries,
        WriteOperation.IdReservation,
        WriteOperation.TakeOver,
        WriteOperation.Probe {
  /// Runs the operation. Nothing of it may take effect before the commit. May be called again after
  /// a rollback.
  void apply(WriterConnection writer) throws SQLException;

  /// The operation is durable. Does nothing by default.
  default void committed() {}

  /// The transaction was rolled back. Does nothing by default.
  default void rolledBack() {}

  /// The commit failed in a way that leaves open whether the transaction was committed. Before the
  /// next attempt the transaction has either been committed or rolled back.
  default void outcomeUnknown() {
    rolledBack();
  }

  /// The operation will not be done.
  void failed(StoreException cause);

  /// Whether the operation is kept and retried while the database cannot store anything. If not, it
  /// fails at once: its caller waits for the result.
  boolean keptInOutage();

  /// Bytes that count against the queue's limit.
  int bytes();

  /// Where the queue counts the operation ([WriteQueue#slotOf]), if it changes which entries of an
  /// owner wait and no caller waits for it; otherwise [WriteQueue#NO_SLOT].
  default int slot() {
    return WriteQueue.NO_SLOT;
  }

  /// Records the delivery of one entry that was stored as waiting.
  ///
  /// @param id the id of the entry
  /// @param archive whether it stays in the archive
  /// @param slot that of its owner
  record Delivery(long id, boolean archive, int slot) implements WriteOperation {
    @Override
    public void apply(WriterConnection writer) throws SQLException {
      writer.messages().settle(id, archive);
    }

    @Override
    public void failed(StoreException cause) {
      // The message is delivered again after the next start; nothing is lost.
    }

    @Override
    public boolean keptInOutage() {
      return true;
    }

    @Override
    public int bytes() {
      return 64;
    }
  }

  /// Records the delivery of several entries of one owner.
  ///
  /// @param owner the owner
  /// @param ids the entries
  record Settlement(Jid owner, List<Long> ids) implements WriteOperation {
    @Override
    public void apply(WriterConnection writer) throws SQLException {
      long ownerId = writer.ownerIds().idOf(owner);
      if (ownerId != OwnerIds.NONE) {
        writer.messages().settle(ownerId, ids);
      }
    }

    @Override
    public void failed(StoreException cause) {
      // The messages are delivered again after the next start; nothing is lost.
    }

    @Override
    public boolean keptInOutage() {
      return true;
    }

    @Override
    public int bytes() {
      return 64 + 24 * ids.size();
    }

    @Override
    public int slot() {
      return WriteQueue.slotOf(owner);
    }
  }

  /// Wakes the writer, which records a higher bound for issued ids in the same transaction.
  record IdReservation() implements WriteOperation {
    @Override
    public void apply(WriterConnection writer) {
      // The writer raises the bound in every transaction that needs it.
    }

    @Override
    public void failed(StoreException cause) {}

    @Override
    public boolean keptInOutage() {
      return false;
    }

    @Override
    public int bytes() {
      return 0;
    }
  }

  /// Forgets the id of an owner whose home was on another node. After a failure none is known.
  record TakeOver(Jid owner) implements WriteOperation {
    @Override
    public void apply(WriterConnection writer) {
      writer.ownerIds().forget(owner);
    }

    @Override
    public void failed(StoreException cause) {}

    @Override
    public boolean keptInOutage() {
      return false;
    }

    @Override
    public int bytes() {
      return 64;
    }
  }

  /// Makes a small write to find out whether the database stores again.
  record Probe() implements WriteOperation {
    @Override
    public void apply(WriterConnection writer) throws SQLException {
      writer.reserveIds();
    }

    @Override
    public void failed(StoreException cause) {
      // The writer sends another probe.
    }

    @Override
    public boolean keptInOutage() {
      return false;
    }

    @Override
    public int bytes() {
      return 0;
    }
  }
}
