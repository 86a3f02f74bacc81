package im.zonda.storage.sql.journal;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.database.QueryExecutor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jspecify.annotations.Nullable;

/// Rows with a sender and a receiver, the newest first. An index has what each condition finds in
/// the order of the ids, so that no rows are sorted.
///
/// @param select the columns and the table, without conditions
/// @param mapper reads a row
/// @param id of what was read
/// @param sender of what was read, or null
record NewestRows<T>(
    String select, RowMapper<T> mapper, ToLongFunction<T> id, Function<T, @Nullable Jid> sender) {
  /// Which rows are wanted.
  ///
  /// @param since the smallest id
  /// @param before the smallest id that is too large
  /// @param limit the most rows
  /// @param column a column with a certain value
  /// @param value the value; null for any
  record Wanted(long since, long before, int limit, String column, @Nullable String value) {}

  /// Finds rows.
  ///
  /// @param address only those that it has sent, or was sent; null for all
  /// @param other only those of them of which this is the other party; null for any
  List<T> find(QueryExecutor queries, Wanted wanted, @Nullable Jid address, @Nullable Jid other) {
    if (address == null) {
      return queries.search(handle -> find(handle, wanted, null, null));
    }
    return queries.search(handle -> {
      List<T> found = new ArrayList<>(find(handle, wanted, address, other));
      for (T each : find(handle, wanted, other, address)) {
        Jid from = sender.apply(each);
        if (from == null || !address.equals(from.bare())) {
          found.add(each); // what an account sends to itself was found already
        }
      }
      found.sort(Comparator.comparingLong(id).reversed());
      return List.copyOf(found.subList(0, Math.min(found.size(), wanted.limit())));
    });
  }

  private List<T> find(Handle handle, Wanted wanted, @Nullable Jid from, @Nullable Jid to) {
    StringBuilder sql = new StringBuilder(select).append(" where id >= ? and id < ?");
    List<Object> parameters = new ArrayList<>(List.of(wanted.since(), wanted.before()));
    add(sql, parameters, wanted.column(), wanted.value());
    add(sql, parameters, "sender", from);
    add(sql, parameters, "receiver", to);
    parameters.add(wanted.limit());
    var statement = handle.createQuery(sql + " order by id desc limit ?");
    for (int i = 0; i < parameters.size(); i++) {
      statement.bind(i, parameters.get(i));
    }
    return statement.map(mapper).list();
  }

  private static void add(
      StringBuilder sql, List<Object> parameters, String column, @Nullable Object value) {
    if (value != null) {
      sql.append(" and ").append(column).append(" = ?");
      parameters.add(value.toString());
    }
  }
}
