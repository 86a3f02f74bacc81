package im.zonda.storage.sql.server;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;

/// The locks that decide who writes to a database on a server.
///
/// A server without a cluster holds the lock of the database while it runs. A node of a cluster
/// holds the lock of its number while it runs; it holds that of the database too while it opens the
/// database, or gets its own lock again after a failure. So a server without a cluster and a node
/// never write at the same time, and neither do two processes with the same number.
///
/// Confined to one thread.
public final class DatabaseLock {
  /// The lock of the database.
  public static final int DATABASE = -1;

  /// The greatest number of nodes of a cluster.
  public static final int NODES = 64;

  private static final int ATTEMPTS = 30;
  private static final long PAUSE_NANOS = 100_000_000;
  private static final long NO_SESSION = -1;

  private final ServerKind kind;
  private final boolean isNode;

  /// The session that holds the lock that is kept.
  private long session = NO_SESSION;

  /// @param isNode whether this process is a node of a cluster
  DatabaseLock(ServerKind kind, boolean isNode) {
    this.kind = kind;
    this.isNode = isNode;
  }

  /// Takes the lock of the database. If the session that this process had before has it, that
  /// session is ended. Without a cluster, fails also while a node has its lock.
  boolean take(Connection connection) throws SQLException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (!kind.tryLock(connection, DATABASE)) {
        endOldSession(connection, DATABASE);
      } else if (isNode) {
        return true;
      } else if (kind.hasNodes(connection)) {
        kind.unlock(connection, DATABASE);
      } else {
        session = kind.session(connection);
        return true;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return false;
  }

  /// Takes the lock of a node, while holding that of the database. If the session that this process
  /// had before has it, that session is ended.
  boolean takeNode(Connection connection, int number) throws SQLException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (kind.tryLock(connection, number)) {
        session = kind.session(connection);
        return true;
      }
      endOldSession(connection, number);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return false;
  }

  private void endOldSession(Connection connection, int lock) throws SQLException {
    if (session != NO_SESSION && kind.lockHolder(connection, lock) == session) {
      kind.endSession(connection, session);
    }
  }

  /// Releases the lock of the database.
  void release(Connection connection) throws SQLException {
    kind.unlock(connection, DATABASE);
  }

  /// Whether a process uses the database.
  boolean isTaken(Connection connection) throws SQLException {
    return kind.lockHolder(connection, DATABASE) != NO_SESSION || kind.hasNodes(connection);
  }
}
