package im.zonda.storage.sql.database;

import im.zonda.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One kind of database: how it is opened, its connections, its errors, and its SQL.
///
/// The writer thread uses the connection of [#open]; each thread of [QueryExecutor] has one of
/// [#openReader].
public interface Dialect {
  /// In place of the number of a node.
  int NO_NODE = -1;

  /// The database as log lines and errors name it, without user and password.
  String name();

  /// The product and its version, such as `PostgreSQL 18.1`; known when the database is open.
  String product();

  /// The number of connections for queries.
  int readers();

  /// The longest wait for the result of a query, in milliseconds, of which it may spend a part in
  /// the queue; 0 for no limit.
  default int queryMillis() {
    return 0;
  }

  /// The isolation of the transactions of queries, by the name of its constant in [Connection].
  default String readerIsolation() {
    return "TRANSACTION_REPEATABLE_READ";
  }

  /// The SQL in which this kind of database differs from others.
  SqlSyntax syntax();

  /// Opens the database and returns the connection that writes: creates what is missing, checks
  /// what exists, and upgrades the schema.
  ///
  /// @throws StoreException if the database cannot be used: `DAMAGED` if it is damaged, of another
  ///   application, of a newer version or an unfinished copy; it is not changed. `UNAVAILABLE` if
  ///   it cannot be reached
  default Connection open() throws SQLException {
    return open((from, to) -> {});
  }

  /// The same, and reports the upgrade.
  default Connection open(Schema.Progress progress) throws SQLException {
    Connection connection = take();
    try {
      CopyMark.check(connection, this);
      upgrade(connection, progress);
      CopyMark.remove(connection, this);
      return connection;
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /// The number of this process's node in its cluster, or [#NO_NODE] if it alone uses the database;
  /// known when the database is open.
  default int node() {
    return NO_NODE;
  }

  /// The secret of this process's cluster, in hexadecimal digits; null without a cluster. Known
  /// when the database is open.
  default @Nullable String clusterSecret() {
    return null;
  }

  /// The database is in the state in which this process uses it: other nodes of its cluster may
  /// open it now. Does nothing without a cluster.
  default void opened(Connection connection) throws SQLException {}

  /// Takes the database for this process and returns the connection that writes. Creates a file
  /// that is missing; changes nothing that exists. The schema may be of an older version.
  ///
  /// @throws StoreException as [#open]
  Connection take() throws SQLException;

  /// Creates the tables of a database that has been taken, or upgrades them.
  void upgrade(Connection connection, Schema.Progress progress) throws SQLException;

  /// The schema migrations.
  Schema schema();

  /// Whether there is a database; true if only its server can tell.
  boolean exists();

  /// The names of all tables, in lower case.
  Set<String> tables(Connection connection) throws SQLException;

  /// The size on disk in bytes, as far as the database knows it.
  long size(Connection connection) throws SQLException;

  /// Whether a process has taken the database, as far as the database knows it.
  boolean isTaken(Connection connection) throws SQLException;

  /// Lets each call on this connection take as long as it needs, for the work of a command.
  void allowLongCalls(Connection connection) throws SQLException;

  /// The statement with which each transaction of the writer begins, or null if it needs none.
  default @Nullable String beginWriting() {
    return null;
  }

  /// The settings of the database by which it may lose what it has committed, such as `fsync =
  /// off`; empty if there are none.
  default String risks(Connection connection) throws SQLException {
    return "";
  }

  /// Opens a connection that only reads.
  Connection openReader() throws SQLException;

  /// Creates a thread that makes blocking calls to the database.
  ///
  /// @param name the name of the thread
  Thread newReaderThread(String name, Runnable task);

  /// Ends a transaction that failed, so that nothing of it takes effect unless its commit has
  /// succeeded already, and returns the connection to continue with.
  ///
  /// @param failed the connection of the transaction; closed if another one is returned
  Connection recover(Connection failed) throws SQLException;

  /// Completes what the writer has to do before its connection is closed.
  void beforeClose(Connection writer) throws SQLException;

  /// Checks the structure of the whole database.
  ///
  /// @throws StoreException `DAMAGED` with the first defect found
  void check(Connection connection) throws SQLException;

  /// The version of the schema; 0 if the database is empty.
  int schemaVersion(Connection connection) throws SQLException;

  /// Records the version of the schema, in the transaction of the migration.
  ///
  /// @param oldest the oldest version whose servers can use the database
  void recordSchemaVersion(Connection connection, int version, int oldest) throws SQLException;

  /// What a failure is due to.
  Fault fault(Throwable failure);

  /// Whether a transaction may have been committed although its commit failed with this.
  boolean isCommitUnknown(Throwable failure);

  /// Whether a transaction failed only because of one of another node, and should be repeated.
  default boolean isConflict(Throwable failure) {
    return false;
  }

  /// Whether nothing may be written after this failure until the next start.
  boolean isFinal(Throwable failure);

  /// This process is a member of its cluster from now on, also if an earlier incarnation is fenced.
  /// Any thread may call.
  ///
  /// @param incarnation the number of the member
  default void admit(long incarnation) {}

  /// Whether this process is fenced: nothing is written until it is a member again, and pending
  /// writes are discarded.
  default boolean isFenced() {
    return false;
  }

  /// The failure of every write after a failure that is final.
  SQLException stopped();

  /// Converts a failure to the exception that the callers of the stores get.
  StoreException exception(Throwable failure);
}
