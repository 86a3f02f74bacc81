package im.zonda.storage.sql.server;

import im.zonda.storage.sql.database.Schema;
import im.zonda.storage.sql.database.SqlSyntax;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// The differences between kinds of database servers. Any thread may call.
public interface ServerKind {
  /// The SQL in which this kind of database differs from others.
  SqlSyntax syntax();

  /// The schema migrations.
  Schema schema();

  /// Opens a connection. Each wait for the server takes at most [ServerDialect#CALL_MILLIS].
  Connection connect(DatabaseAddress address) throws SQLException;

  /// The number of the session at the server.
  long session(Connection connection) throws SQLException;

  /// Prepares the session of the connection that writes.
  void prepareWriter(Connection connection) throws SQLException;

  /// Prepares the session of a connection that reads.
  void prepareReader(Connection connection) throws SQLException;

  /// Prepares the session of a node of a cluster, which writes while others do: its transactions
  /// end if it stops in one, and do not wait for a lock longer than for an answer.
  void prepareNode(Connection connection) throws SQLException;

  /// Takes a lock until the session ends or releases it. Returns false if another session has it.
  ///
  /// @param lock the number of a node, or [DatabaseLock#DATABASE]
  boolean tryLock(Connection connection, int lock) throws SQLException;

  /// Releases a lock of this session.
  void unlock(Connection connection, int lock) throws SQLException;

  /// The session that has the lock, or -1 if none is known to have it.
  long lockHolder(Connection connection, int lock) throws SQLException;

  /// Whether a session has the lock of a node.
  boolean hasNodes(Connection connection) throws SQLException;

  /// Ends another session of the same user; does nothing if it has ended.
  void endSession(Connection connection, long session) throws SQLException;

  /// Why this server cannot use the database, or null if it can: an old version, a character set
  /// that cannot store all texts.
  @Nullable String unusable(Connection connection) throws SQLException;

  /// Settings of the database server that may lose what it has committed; empty if there are none.
  String risks(Connection connection) throws SQLException;

  /// The query for the names of the tables in the database.
  String tables();

  /// The query for the size of the database in bytes.
  String size();

  /// Removes the limit that [#prepareReader] has set for the time of a query.
  default void allowLongQueries(Connection connection) throws SQLException {}

  /// What kind of failure it is.
  Failure failure(SQLException failure);

  /// Whether a transaction failed because of another one, and may succeed if it is repeated.
  boolean isConflict(SQLException failure);

  /// The kinds of failures of a database server.
  enum Failure {
    /// The statement cannot be executed with these values; others can.
    STATEMENT,
    /// The disk of the server is full.
    FULL,
    /// User or password are wrong.
    LOGIN,
    /// There is no such database.
    NO_DATABASE,
    /// The user lacks a privilege.
    PRIVILEGE,
    /// The server cannot be reached, has stopped, does not answer, or has too many connections.
    AWAY,
    /// Anything else.
    OTHER
  }
}
