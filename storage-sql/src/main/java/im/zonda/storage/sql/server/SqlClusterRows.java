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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
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
            ? new ClusterRow(
                row.getLong(1), members(row.getString(2)), counts(row.getString(3)), row.getLong(4))
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
    statement.setString(2, text(next.members()));
    statement.setString(
        3,
        text(
            new TreeMap<>(next.incarnations())
                .entrySet().stream()
                    .map(each -> new Member(each.getKey(), each.getValue()))
                    .toList()));
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

  private static String text(List<Member> members) {
    return members.stream()
        .map(member -> member.name() + " " + member.incarnation())
        .collect(Collectors.joining(","));
  }

  private static List<Member> members(String text) throws SQLException {
    List<Member> members = new ArrayList<>();
    for (String each : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      int space = each.lastIndexOf(' ');
      try {
        members.add(
            new Member(each.substring(0, space), Long.parseLong(each.substring(space + 1))));
      } catch (IndexOutOfBoundsException | NumberFormatException e) {
        throw new SQLException("the row of the cluster is damaged: " + text, e);
      }
    }
    return members;
  }

  private static Map<String, Long> counts(String text) throws SQLException {
    Map<String, Long> counts = new HashMap<>();
    for (Member member : members(text)) {
      counts.put(member.name(), member.incarnation());
    }
    return counts;
  }
}
