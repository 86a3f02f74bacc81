package im.zonda.storage.sql.log;

import im.zonda.storage.sql.database.QueryExecutor;
import im.zonda.store.AppendedOrigins;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jdbi.v3.core.Handle;

/// Query for the origins of a portion of the log. Its result is the id after which the next portion
/// begins, or [#END] if there is none.
///
/// @param after the id after which it begins
/// @param found gets the origins
record NewestOrigins(long after, AppendedOrigins.Builder found)
    implements QueryExecutor.Query<Long> {
  static final long END = Long.MAX_VALUE;

  /// Entries of a portion.
  static final int PORTION = 50_000;

  /// Rows that are read from a server at a time.
  private static final int FETCHED = 5_000;

  private static final String PORTION_OF_ORIGINS =
      """
      select id, origin, sender_id is not null from message
      where id > ? and origin is not null order by id limit ?
      """;

  /// In a transaction: the drivers of servers read a result in parts only then.
  @Override
  public Long run(Handle handle) {
    return handle.inTransaction(transaction ->
        transaction
            .createQuery(PORTION_OF_ORIGINS)
            .bind(0, after)
            .bind(1, PORTION)
            .setFetchSize(FETCHED)
            .scanResultSet((rows, context) -> read(rows.get())));
  }

  private long read(ResultSet rows) throws SQLException {
    long last = END;
    int count = 0;
    while (rows.next()) {
      last = rows.getLong(1);
      found.add(rows.getLong(2), rows.getBoolean(3));
      count++;
    }
    return count < PORTION ? END : last;
  }
}
