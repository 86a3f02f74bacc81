package im.zonda.storage.sql.server;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.ClusterRows;
import im.zonda.cluster.Member;
import im.zonda.storage.sql.database.SqlFailures;
import im.zonda.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The row of a cluster, on a connection of its own: it must be readable while the writer waits.
/// Each wait for an answer takes at most a second. After a failure the next call opens another
/// connection.
public final class SqlClusterRows implements ClusterRows, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SqlClusterRows.class);
  private static final int CALL_MILLIS = 1_000;

  private static final String READ =
      "select epoch, members, incarnations, renewals from cluster_row where name = ?";
  private static final String INSERT =
      "insert into cluster_row (epoch, members, incarnations, renewals, name)"
          + " values (?, ?, ?, 0, ?)";
  private static final String UPDATE =
      "update cluster_row set epoch = ?, members = ?, incarnations = ?"
          + " where name = ? and epoch = ?";
  private static final String RENEW =
      "update cluster_row set renewals = renewals + 1 where name = ? and epoch = ?";

  /// Members of which a process may write.
  private static final String WRITERS =
      "select number, name, incarnation from cluster_node where incarnation > fenced";

  private static final String FENCE =
      "update cluster_node set fenced = ? where number = ? and fenced < ?";
  private static final String INCARNATION = "select incarnation from cluster_node where number = ?";
  private static final int END_ATTEMPTS = 50;
  private static final long END_PAUSE_NANOS = 20_000_000;

  private final ServerKind kind;
  private final DatabaseAddress address;
  private final String cluster;

  // Guarded by this object's monitor.
  private @Nullable Connection connection;
  private boolean closed;

  /// @param cluster the name of the cluster
  public SqlClusterRows(ServerKind kind, DatabaseAddress address, String cluster) {
    this.kind = kind;
    this.address = address;
    this.cluster = cluster;
  }

  @Override
  public synchronized ClusterRow read() {
    return call(this::read);
  }

  private ClusterRow read(Connection open) throws SQLException {
    try (PreparedStatement statement = open.prepareStatement(READ)) {
      statement.setString(1, cluster);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? ClusterRowCodec.read(
                row.getLong(1), row.getString(2), row.getString(3), row.getLong(4))
            : ClusterRow.EMPTY;
      }
    }
  }

  @Override
  public synchronized boolean compareAndSet(long expected, ClusterRow next) {
    return call(open -> update(open, expected, next) || insert(open, expected, next));
  }

  private boolean update(Connection open, long expected, ClusterRow next) throws SQLException {
    try (PreparedStatement statement = open.prepareStatement(UPDATE)) {
      set(statement, next);
      statement.setLong(5, expected);
      return statement.executeUpdate() == 1;
    }
  }

  /// Creates the row of a cluster that has never run, unless another process is faster.
  private boolean insert(Connection open, long expected, ClusterRow next) throws SQLException {
    if (expected != ClusterRow.EMPTY.epoch()) {
      return false;
    }
    try (PreparedStatement statement = open.prepareStatement(INSERT)) {
      set(statement, next);
      return statement.executeUpdate() == 1;
    } catch (SQLException e) {
      if (kind.failure(e) == ServerKind.Failure.STATEMENT) {
        return false;
      }
      throw e;
    }
  }

  private void set(PreparedStatement statement, ClusterRow next) throws SQLException {
    statement.setLong(1, next.epoch());
    statement.setString(2, ClusterRowCodec.members(next));
    statement.setString(3, ClusterRowCodec.incarnations(next));
    statement.setString(4, cluster);
  }

  @Override
  public synchronized void renew(long epoch) {
    call(open -> {
      try (PreparedStatement statement = open.prepareStatement(RENEW)) {
        statement.setString(1, cluster);
        statement.setLong(2, epoch);
        return statement.executeUpdate();
      }
    });
  }

  /// Records where a node can be reached, until it says otherwise.
  ///
  /// @param at host and port
  public synchronized void announce(String node, String at) {
    call(open -> {
      AddressTable.put(open, cluster, node, at);
      return true;
    });
  }

  /// The node is no longer to be asked for other nodes.
  public synchronized void withdraw(String node) {
    call(open -> {
      AddressTable.remove(open, cluster, node);
      return true;
    });
  }

  /// Where the nodes of this cluster can be reached; also nodes that have been killed.
  public synchronized List<String> addresses() {
    return call(open -> AddressTable.read(open, cluster));
  }

  /// The names of the nodes whose addresses are recorded.
  public synchronized List<String> nodes() {
    return call(open -> AddressTable.nodes(open, cluster));
  }

  /// Keeps all processes of nodes that are not members from writing: when this returns true, what
  /// they were writing is committed or will never be, and they cannot begin again as the members
  /// that they were.
  ///
  /// Each is marked in `cluster_node`, and the session with which it writes is ended. A process
  /// opens another session only while it holds the lock of its node, and reads the mark then; so
  /// transactions need not read it.
  ///
  /// @param epoch of the membership; nothing is done if the row has another one
  public synchronized boolean fence(long epoch) {
    return call(open -> {
      List<Member> members = membersOf(open, epoch, READ);
      if (members == null) {
        return false;
      }
      Map<Integer, Long> evicted = evicted(open, members);
      if (evicted.isEmpty()) {
        return true;
      }
      // A transaction that has stopped may hold the row that is to be marked.
      for (int number : evicted.keySet()) {
        endWriter(open, number);
      }
      if (!mark(open, epoch, evicted)) {
        return false;
      }
      for (int number : evicted.keySet()) {
        endWriter(open, number);
      }
      return true;
    });
  }

  /// The members of an epoch; null if the row has another one.
  private @Nullable List<Member> membersOf(Connection open, long epoch, String query)
      throws SQLException {
    try (PreparedStatement statement = open.prepareStatement(query)) {
      statement.setString(1, cluster);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getLong(1) == epoch
            ? ClusterRowCodec.members(row.getString(2))
            : null;
      }
    }
  }

  /// The processes that may write and are not members: the number of the node, and the member that
  /// each has been.
  private static Map<Integer, Long> evicted(Connection open, List<Member> members)
      throws SQLException {
    Map<Integer, Long> evicted = new HashMap<>();
    try (PreparedStatement statement = open.prepareStatement(WRITERS);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        if (!members.contains(new Member(row.getString(2), row.getLong(3)))) {
          evicted.put(row.getInt(1), row.getLong(3));
        }
      }
    }
    return evicted;
  }

  private boolean mark(Connection open, long epoch, Map<Integer, Long> evicted)
      throws SQLException {
    open.setAutoCommit(false);
    try (PreparedStatement mark = open.prepareStatement(FENCE)) {
      if (membersOf(open, epoch, READ + " for update") == null) {
        return false;
      }
      for (Map.Entry<Integer, Long> each : evicted.entrySet()) {
        mark.setLong(1, each.getValue());
        mark.setInt(2, each.getKey());
        mark.setLong(3, each.getValue());
        mark.executeUpdate();
      }
      open.commit();
      return true;
    } finally {
      open.rollback();
      open.setAutoCommit(true);
    }
  }

  /// Ends the session with which a process writes, unless it is that of a new process, and waits
  /// until it has ended.
  private void endWriter(Connection open, int number) throws SQLException {
    long session = kind.lockHolder(open, number);
    if (session < 0 || !isMember(open, number)) {
      return;
    }
    kind.endSession(open, session);
    for (int attempt = 0; kind.lockHolder(open, number) == session; attempt++) {
      if (attempt == END_ATTEMPTS) {
        throw new SQLException("the session of an evicted node does not end");
      }
      LockSupport.parkNanos(END_PAUSE_NANOS);
    }
  }

  private static boolean isMember(Connection open, int number) throws SQLException {
    try (PreparedStatement statement = open.prepareStatement(INCARNATION)) {
      statement.setInt(1, number);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getLong(1) > 0;
      }
    }
  }

  @FunctionalInterface
  private interface Call<T> {
    T execute(Connection open) throws SQLException;
  }

  private <T> T call(Call<T> call) {
    if (closed) {
      throw new StoreException(StoreException.Category.CLOSED, "the cluster's row is closed", null);
    }
    try {
      return call.execute(open());
    } catch (SQLException e) {
      disconnect();
      SQLException sql = SqlFailures.find(e);
      String text = String.valueOf((sql == null ? e : sql).getMessage());
      throw new StoreException(
          StoreException.Category.UNAVAILABLE,
          address + " " + text.lines().findFirst().orElse(""),
          e);
    }
  }

  private Connection open() throws SQLException {
    Connection open = connection;
    if (open == null) {
      open = kind.connect(address);
      connection = open;
      open.setNetworkTimeout(Runnable::run, CALL_MILLIS);
    }
    return open;
  }

  private void disconnect() {
    Connection open = connection;
    connection = null;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        LOG.atDebug().setCause(e).log("database_connection_not_closed");
      }
    }
  }

  /// Ends the connection.
  @Override
  public synchronized void close() {
    closed = true;
    disconnect();
  }
}
