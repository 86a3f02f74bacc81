package im.zonda.storage.sql;

import im.zonda.store.StoreException;
import java.sql.SQLException;

/// Something for the writer to do inside a transaction.
///
/// The writer calls [#apply] and then either [#committed], or [#undone] followed by another attempt
/// or by [#failed].
sealed interface Work permits Change, PendingEntry, Delivery, Settlement, Erasure, IdReservation {
  /// Does it; nothing of it counts before the commit. It may be called again after a rollback.
  void apply(WriterConnection writer) throws SQLException;

  /// It is durable.
  void committed();

  /// The transaction was rolled back.
  void undone();

  /// It will not be done.
  void failed(StoreException cause);

  /// Whether it stays queued while the database cannot store anything. If not, someone waits for
  /// the answer and gets the error instead.
  boolean kept();

  /// What it counts against the queue's limit, in bytes.
  int bytes();
}
