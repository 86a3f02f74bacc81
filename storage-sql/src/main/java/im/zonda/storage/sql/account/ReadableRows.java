package im.zonda.storage.sql.account;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.log.OwnerIds;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads rows of which some may be unreadable, such as one with an address that is no longer valid:
/// such a row is skipped and logged, and its owner works without it.
final class ReadableRows {
  private static final Logger log = LoggerFactory.getLogger(ReadableRows.class);

  private ReadableRows() {}

  /// Reads a row; null if it cannot be read.
  interface Reader<T> {
    @Nullable T read(ResultSet row) throws SQLException;
  }

  /// Reads the rows after one, at most `limit`.
  interface Portion<R> {
    /// Reads a part.
    ///
    /// @param last the row before the first; null for the first ones
    List<R> after(@Nullable R last, int limit);
  }

  /// Makes a value of a row; null if the row cannot be read.
  interface Conversion<R, T> {
    @Nullable T of(R row);
  }

  /// The rows of a query that can be read.
  static <T> List<T> of(Query query, Reader<T> reader) {
    List<T> found = new ArrayList<>();
    query
        .map((row, context) -> {
          T value = reader.read(row);
          return value != null && found.add(value);
        })
        .list();
    return found;
  }

  /// A page of rows that can be read. Fewer than `limit` only if there are no more: callers take a
  /// shorter page as the last one.
  static <R, T> List<T> page(int limit, Portion<R> portion, Conversion<R, T> conversion) {
    List<T> found = new ArrayList<>();
    R last = null;
    while (found.size() < limit) {
      int wanted = limit - found.size();
      List<R> rows = portion.after(last, wanted);
      for (R row : rows) {
        T value = conversion.of(row);
        if (value != null) {
          found.add(value);
        }
      }
      if (rows.size() < wanted) {
        break;
      }
      last = rows.getLast();
    }
    return found;
  }

  /// The address in a column; null if it is not valid.
  ///
  /// @param table the table, for the log
  /// @param owner whose row it is, for the log
  static @Nullable Jid address(String table, Object owner, String text) {
    try {
      return Jid.stored(text);
    } catch (IllegalArgumentException e) {
      report(table, owner, text, e);
      return null;
    }
  }

  /// The address of an owner, of the columns of the table `account`; null if it is not valid. Not
  /// for queues for other servers.
  static @Nullable Jid owner(String domain, String local) {
    try {
      return Jid.stored(local.equals(OwnerIds.DOMAIN) ? domain : local + "@" + domain);
    } catch (IllegalArgumentException e) {
      report("account", domain, local, e);
      return null;
    }
  }

  /// Logs a row, or a part of one, that cannot be read.
  static void report(String table, Object owner, String key, Exception cause) {
    log.atError()
        .addKeyValue("table", table)
        .addKeyValue("owner", owner)
        .addKeyValue("key", key)
        .addKeyValue("reason", cause.getMessage())
        .log("store_row_unreadable");
  }
}
