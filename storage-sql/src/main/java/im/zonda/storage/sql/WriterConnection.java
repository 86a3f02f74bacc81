package im.zonda.storage.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/// The only connection that writes. Belongs to the writer thread.
final class WriterConnection implements AutoCloseable {
  private final Connection connection;
  private final SqliteDialect dialect;
  private final IdClock ids;
  private final Owners owners;
  private final MessageRows messages;
  private final PreparedStatement reserveIds;
  private @Nullable Handle handle;
  private boolean unclean;

  /// Takes over an open connection in which no transaction is under way.
  WriterConnection(Connection connection, SqliteDialect dialect, IdClock ids) throws SQLException {
    this.connection = connection;
    this.dialect = dialect;
    this.ids = ids;
    connection.setAutoCommit(false);
    owners = new Owners(connection);
    messages = new MessageRows(connection, dialect);
    reserveIds = connection.prepareStatement("update message_id set next = ?");
  }

  /// The accounts' numbers.
  Owners owners() {
    return owners;
  }

  /// The rows of the message log.
  MessageRows messages() {
    return messages;
  }

  /// For everything that is not on the hot path.
  Handle handle() {
    if (handle == null) {
      // Made when first needed: loading Jdbi takes longer than opening the database.
      handle = Jdbi.create(connection).open();
    }
    return handle;
  }

  /// Executes what is collected and commits.
  void commit() throws SQLException {
    messages.flush();
    if (!ids.low()) {
      connection.commit();
      return;
    }
    long bound = ids.wanted();
    reserve(bound);
    connection.commit();
    ids.reserved(bound);
  }

  /// Undoes everything since the last commit. If that fails, it is tried again before the next use.
  void rollback() throws SQLException {
    unclean = true;
    messages.clear();
    owners.forgetAll();
    dialect.rollback(connection);
    unclean = false;
  }

  /// Makes sure that nothing of a transaction that failed is left.
  void begin() throws SQLException {
    if (unclean) {
      rollback();
    }
  }

  /// Records the exact bound of the ids, empties the write-ahead file and closes.
  @Override
  public void close() throws SQLException {
    try (connection) {
      reserve(ids.exact());
      connection.commit();
      connection.setAutoCommit(true);
      dialect.beforeClose(connection);
    }
  }

  /// Closes without writing anything more.
  void abandon() throws SQLException {
    connection.close();
  }

  private void reserve(long bound) throws SQLException {
    reserveIds.setLong(1, bound);
    reserveIds.executeUpdate();
  }
}
