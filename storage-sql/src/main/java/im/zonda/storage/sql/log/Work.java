package im.zonda.storage.sql.log;

import im.zonda.jid.Jid;
import im.zonda.store.StoreException;
import java.sql.SQLException;
import java.util.List;

/// Something for the writer to do inside a transaction.
///
/// The writer calls [#apply] and then either [#committed], or [#undone] followed by another attempt
/// or by [#failed].
sealed interface Work
    permits Change,
        Chore,
        PendingEntry,
        Work.Delivery,
        Work.Settlement,
        Work.IdReservation,
        Work.Probe {
  /// Does it; nothing of it counts before the commit. It may be called again after a rollback.
  void apply(WriterConnection writer) throws SQLException;

  /// It is durable. Does nothing by default.
  default void committed() {}

  /// The transaction was rolled back. Does nothing by default.
  default void undone() {}

  /// It will not be done.
  void failed(StoreException cause);

  /// Whether it stays queued while the database cannot store anything. If not, someone waits for
  /// the answer and gets the error instead.
  boolean kept();

  /// What it counts against the queue's limit, in bytes.
  int bytes();

  /// One entry that was stored as waiting has been delivered.
  ///
  /// @param id the entry
  /// @param archive whether it stays
  record Delivery(long id, boolean archive) implements Work {
    @Override
    public void apply(WriterConnection writer) throws SQLException {
      writer.messages().settle(id, archive);
    }

    @Override
    public void failed(StoreException cause) {
      // The message is delivered once more after the next start; nothing is lost.
    }

    @Override
    public boolean kept() {
      return true;
    }

    @Override
    public int bytes() {
      return 64;
    }
  }

  /// Entries of one owner, known by their ids, have been delivered.
  ///
  /// @param owner whose they are
  /// @param ids the entries
  record Settlement(Jid owner, List<Long> ids) implements Work {
    @Override
    public void apply(WriterConnection writer) throws SQLException {
      long ownerId = writer.owners().idOf(owner);
      if (ownerId != Owners.NONE) {
        writer.messages().settle(ownerId, ids);
      }
    }

    @Override
    public void failed(StoreException cause) {
      // The messages are delivered once more after the next start; nothing is lost.
    }

    @Override
    public boolean kept() {
      return true;
    }

    @Override
    public int bytes() {
      return 64 + 24 * ids.size();
    }
  }

  /// Wakes the writer so that it records a higher bound of the ids given out.
  record IdReservation() implements Work {
    @Override
    public void apply(WriterConnection writer) {
      // The writer looks after the bound in every transaction.
    }

    @Override
    public void failed(StoreException cause) {}

    @Override
    public boolean kept() {
      return false;
    }

    @Override
    public int bytes() {
      return 0;
    }
  }

  /// Writes a little, to find out whether the database stores again.
  record Probe() implements Work {
    @Override
    public void apply(WriterConnection writer) throws SQLException {
      writer.reserveIds();
    }

    @Override
    public void failed(StoreException cause) {
      // Another one follows.
    }

    @Override
    public boolean kept() {
      return false;
    }

    @Override
    public int bytes() {
      return 0;
    }
  }
}
