package im.zonda.storage.sql.log;

import im.zonda.storage.sql.database.QueryExecutor;
import im.zonda.store.ClusterLog.Known;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/// Query for the entries of some origins among the newest ones.
///
/// @param origins at most [#MOST]
/// @param back how much older than the newest entry an entry may be, in microseconds
record EntriesOfOrigins(List<Long> origins, long back)
    implements QueryExecutor.Query<Map<Long, Known>> {
  /// Origins that one statement names: each statement reads all the newest rows.
  static final int MOST = 512;

  @Override
  public Map<Long, Known> run(Handle handle) throws SQLException {
    long newest = handle.createQuery(SqlMessageLog.NEWEST).mapTo(Long.class).findOne().orElse(0L);
    Map<Long, Known> found = new HashMap<>();
    try (PreparedStatement statement = handle.getConnection().prepareStatement(sql())) {
      statement.setLong(1, newest - back);
      ResultSet rows = statement.executeQuery();
      while (rows.next()) {
        found.put(rows.getLong(1), new Known(rows.getLong(2), rows.getObject(3) != null));
      }
    }
    return found;
  }

  /// The numbers are in the text: a plan for parameters would be made without them and compare
  /// every row with each one (PostgreSQL 15: 200 ms for 50,000 rows instead of 20). The upper bound
  /// means nothing, but with it a database without statistics expects few rows and takes the index;
  /// PostgreSQL would read the whole table.
  String sql() {
    String numbers =
        origins.stream().map(String::valueOf).collect(Collectors.joining(", ", "(", ")"));
    return "select origin, id, sender_id from message"
        + " where id >= ? and id <= 9223372036854775807 and origin in "
        + numbers;
  }
}
