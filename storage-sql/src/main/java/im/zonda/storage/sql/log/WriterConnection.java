package im.zonda.storage.sql.log;

import im.zonda.storage.sql.database.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/// The only connection of this process that writes. Confined to the writer thread.
public final class WriterConnection implements AutoCloseable {
  private static final String STORED = "select id from message where id = ?";
  private static final String RESERVE = "update message_id set next = ?";
  private static final String RESERVE_NODE = "update cluster_node set next = ? where number = ?";

  private static final String ADMIT =
      "update cluster_node set incarnation = ? where number = ? and fenced < ?";
  private static final String LEAVE = "update cluster_node set incarnation = 0 where number = ?";

  private final Dialect dialect;
  private final IdClock ids;
  private final LogIndex index;
  private Connection connection;
  private @Nullable Handle handle;
  private @Nullable Prepared prepared;
  private boolean rolledBack = true;
  private boolean commitBegun;

  /// Statements that are prepared once and used for many transactions. Created again after a
  /// failure, because the driver cannot reuse a statement that failed.
  private record Prepared(
      @Nullable PreparedStatement begin,
      OwnerIds owners,
      MessageRows messages,
      PreparedStatement reserve) {
    Prepared(Connection connection, @Nullable String begin, int node) throws SQLException {
      this(
          begin == null ? null : connection.prepareStatement(begin),
          new OwnerIds(connection, node),
          new MessageRows(connection, node != Dialect.NO_NODE),
          connection.prepareStatement(node == Dialect.NO_NODE ? RESERVE : RESERVE_NODE));
      if (node != Dialect.NO_NODE) {
        reserve.setInt(2, node);
      }
    }

    void close() throws SQLException {
      if (begin != null) {
        begin.close();
      }
      owners.close();
      messages.close();
      reserve.close();
    }
  }

  /// Takes ownership of an open connection without a transaction.
  public WriterConnection(Connection connection, Dialect dialect, IdClock ids, LogIndex index)
      throws SQLException {
    this.connection = connection;
    this.dialect = dialect;
    this.ids = ids;
    this.index = index;
    connection.setAutoCommit(false);
  }

  /// The ids of the owners.
  public OwnerIds ownerIds() {
    return Objects.requireNonNull(prepared).owners;
  }

  /// The rows of the message log.
  MessageRows messages() {
    return Objects.requireNonNull(prepared).messages;
  }

  /// The index over the log.
  LogIndex index() {
    return index;
  }

  /// The time in microseconds since 1970, by the clock of the ids.
  public long now() {
    return ids.now();
  }

  /// A Jdbi handle on the connection, for everything that is not on the hot path.
  public Handle handle() {
    if (handle == null) {
      // Created lazily: loading Jdbi takes longer than opening the database.
      handle = Jdbi.create(connection).open();
    }
    return handle;
  }

  /// Prepares the statements, completes the rollback of a failed transaction, and takes the lock
  /// for writing. Called before each transaction.
  void begin() throws SQLException {
    commitBegun = false;
    Prepared ready = prepared;
    if (ready == null) {
      if (!rolledBack) {
        recover();
      }
      index.prepare(connection);
      ready = new Prepared(connection, dialect.beginWriting(), dialect.node());
      prepared = ready;
    }
    if (ready.begin != null) {
      ready.begin.executeUpdate();
    }
    ready.owners.begin();
  }

  /// Executes the collected statements and commits.
  void commit() throws SQLException {
    messages().flush();
    index.flush();
    if (ids.low()) {
      long bound = ids.wanted();
      reserve(bound);
      commitBegun = true;
      connection.commit();
      ids.reserved(bound);
    } else {
      commitBegun = true;
      connection.commit();
    }
    index.committed();
  }

  /// Whether the commit of the last transaction was begun.
  boolean isCommitBegun() {
    return commitBegun;
  }

  /// Whether there is a log entry with this id.
  boolean isStored(long id) {
    return handle().createQuery(STORED).bind(0, id).mapTo(Long.class).findOne().isPresent();
  }

  /// Records which member this process is.
  ///
  /// @return false if that member is fenced
  public boolean admit(long incarnation) {
    return handle().execute(ADMIT, incarnation, dialect.node(), incarnation) == 1;
  }

  /// Records that this process is no longer a member, and that its writes need not be fenced.
  public void leave() {
    handle().execute(LEAVE, dialect.node());
  }

  /// Raises the bound of the ids although it is not near: the smallest harmless write.
  void reserveIds() throws SQLException {
    reserve(ids.beyond());
  }

  /// Rolls back everything since the last commit. If that fails, [#begin] tries again.
  void rollback() throws SQLException {
    Prepared old = prepared;
    prepared = null;
    rolledBack = false;
    try {
      if (commitBegun) {
        index.outcomeUnknown();
      }
      index.release();
      if (old != null) {
        old.close();
      }
    } finally {
      recover();
    }
  }

  private void recover() throws SQLException {
    Connection usable = dialect.recover(connection);
    if (!usable.equals(connection)) {
      connection = usable;
      connection.setAutoCommit(false);
      handle = null;
    }
    rolledBack = true;
  }

  /// Records the exact bound of the ids, checkpoints the write-ahead log and closes.
  @Override
  public void close() throws SQLException {
    try {
      begin();
      reserve(ids.exact());
      connection.commit();
      index.release();
      Objects.requireNonNull(prepared).close();
      connection.setAutoCommit(true);
      dialect.beforeClose(connection);
    } finally {
      connection.close();
    }
  }

  /// Closes without writing anything more.
  void abandon() throws SQLException {
    connection.close();
  }

  private void reserve(long bound) throws SQLException {
    PreparedStatement reserve = Objects.requireNonNull(prepared).reserve;
    reserve.setLong(1, bound);
    reserve.executeUpdate();
  }
}
