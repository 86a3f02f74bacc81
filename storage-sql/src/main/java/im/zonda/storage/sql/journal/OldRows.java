package im.zonda.storage.sql.journal;

import im.zonda.storage.sql.database.QueryExecutor;
import im.zonda.storage.sql.log.WriterConnection;
import org.jdbi.v3.core.Handle;

/// The rows of a table with the lowest ids, which are the oldest.
///
/// @param table with a column `id`
record OldRows(String table) {
  /// Erases some of the rows whose id is lower than `before`.
  ///
  /// @param limit the most
  /// @return how many there were
  int erase(WriterConnection connection, long before, int limit) {
    Handle handle = connection.handle();
    long last =
        handle
            .createQuery("select id from " + table + " where id < ? order by id limit 1 offset ?")
            .bind(0, before)
            .bind(1, limit - 1)
            .mapTo(Long.class)
            .findOne()
            .orElse(Long.MAX_VALUE);
    return handle
        .createUpdate("delete from " + table + " where id < ? and id <= ?")
        .bind(0, before)
        .bind(1, last)
        .execute();
  }

  /// The lowest id of the newest rows; [Long#MIN_VALUE] if there are no others. Not for the writer:
  /// the query may pass over many entries of the index.
  ///
  /// @param newest how many rows are the newest
  long oldestOf(QueryExecutor queries, int newest) {
    return queries.query(handle ->
        handle
            .createQuery("select id from " + table + " order by id desc limit 1 offset ?")
            .bind(0, newest - 1)
            .mapTo(Long.class)
            .findOne()
            .orElse(Long.MIN_VALUE));
  }
}
