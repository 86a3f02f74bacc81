package im.zonda.storage.sql.log;

import im.zonda.store.MessageLog;
import java.sql.Connection;
import java.sql.SQLException;

/// An index over the message log that is kept within the writer's transactions. All calls are made
/// by the writer thread.
public interface LogIndex {
  /// Prepares the statements; called before the first transaction and after each rollback.
  void prepare(Connection connection) throws SQLException;

  /// Closes the statements and discards what was collected since the last commit.
  void release() throws SQLException;

  /// The outcome of the last commit may be unknown: called before [#release]. What the index knows
  /// about its own tables must be read again.
  void outcomeUnknown();

  /// An archived entry has been added to the log in the current transaction.
  void added(long ownerId, MessageLog.Entry entry) throws SQLException;

  /// An entry and its sender's own copy have been added in one row.
  ///
  /// @param ownerId the owner of the entry, or [OwnerIds#NONE] if it is not archived
  void added(long ownerId, MessageLog.Entry entry, long senderId, MessageLog.Entry sent)
      throws SQLException;

  /// Executes the collected inserts; called before each commit.
  void flush() throws SQLException;

  /// The transaction has been committed.
  void committed();
}
