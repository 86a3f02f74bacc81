package im.zonda.storage.sql;

import im.zonda.storage.sql.database.Dialect;
import im.zonda.storage.sql.log.IdClock;
import im.zonda.storage.sql.server.DatabaseLock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Numbers that a database has when a server opens it.
final class StoredNumbers {
  private static final Logger LOG = LoggerFactory.getLogger(StoredNumbers.class);

  private static final String RESERVED = "select next from message_id";
  private static final String RESERVED_BY_NODES = "select max(next) from cluster_node";
  private static final String RESERVED_BY_NODE = "select next from cluster_node where number = ?";

  /// Ids further ahead of the clock than this are logged at the start: less is normal after a small
  /// correction of the clock.
  private static final Duration AHEAD = Duration.ofDays(1);

  private static final String LAST_ID = "select max(id) from message";

  private StoredNumbers() {}

  /// The clock of ids, which begins behind all ids that may have been used.
  static IdClock ids(Connection connection, Dialect dialect, InstantSource time)
      throws SQLException {
    long next = Math.max(one(connection, RESERVED), one(connection, LAST_ID) + 1);
    int node = dialect.node();
    Duration ahead = Duration.of(next - IdClock.micros(time.instant()), ChronoUnit.MICROS);
    if (ahead.compareTo(AHEAD) > 0) {
      LOG.atError()
          .addKeyValue("database", dialect.name())
          .addKeyValue("days", ahead.toDays())
          .log("store_ids_ahead_of_clock");
    }
    return node == Dialect.NO_NODE
        ? new IdClock(time, Math.max(next, one(connection, RESERVED_BY_NODES)))
        : new IdClock(
            time,
            Math.max(next, one(connection, RESERVED_BY_NODE, node)),
            node,
            DatabaseLock.NODES);
  }

  /// The number that a query finds; 0 if it finds no row.
  static long one(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  private static long one(Connection connection, String query, int parameter) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setInt(1, parameter);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getLong(1) : 0;
      }
    }
  }
}
