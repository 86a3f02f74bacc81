package im.zonda.storage.sql.account;

import im.zonda.storage.sql.database.QueryExecutor;
import im.zonda.storage.sql.log.IdClock;
import im.zonda.storage.sql.log.Writer;
import im.zonda.storage.sql.log.WriterConnection;
import im.zonda.store.AuditStore;
import im.zonda.store.MessageLog;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/// The record of what administrators have done, in the table `audit_event`.
public record SqlAudit(Writer writer, QueryExecutor queries) implements AuditStore {
  private static final String ADD =
      """
      insert into audit_event
        (id, time, caller, via, address, operation, host, subject, outcome, detail)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String FIND =
      "select id, time, caller, via, address, operation, host, subject, outcome, detail"
          + " from audit_event where id < ?";

  private static final String NEWEST_FIRST = " order by id desc limit ?";

  /// An operation, or one whose name begins with it and a dot. The slash is the character after the
  /// dot.
  private static final String OPERATIONS =
      " and operation >= ? and operation < ? and (operation = ? or operation >= ?)";

  private static final String LAST_ERASED =
      "select id from audit_event where time < ? order by id limit 1 offset ?";

  private static final String ERASE = "delete from audit_event where time < ? and id <= ?";

  /// The condition of a search, and the parameters of its statement.
  private static final class Condition {
    private final StringBuilder sql = new StringBuilder(FIND);
    private final List<Object> parameters = new ArrayList<>();

    Condition(Query query) {
      parameters.add(query.before());
      add(" and caller = ?", query.caller());
      add(" and host = ?", query.host());
      add(" and subject = ?", query.subject());
      String operation = query.operation();
      if (operation != null) {
        sql.append(OPERATIONS);
        parameters.addAll(List.of(operation, operation + "/", operation, operation + "."));
      }
      add(" and time >= ?", micros(query.since()));
      add(" and time < ?", micros(query.until()));
      sql.append(NEWEST_FIRST);
      parameters.add(query.limit());
    }

    private void add(String condition, @Nullable Object parameter) {
      if (parameter != null) {
        sql.append(condition);
        parameters.add(parameter);
      }
    }

    private static @Nullable Long micros(@Nullable Instant time) {
      return time == null ? null : (Long) IdClock.micros(time);
    }
  }

  @Override
  public long append(Event event) {
    return writer.change(connection -> {
      long id = writer.ids().next();
      connection
          .handle()
          .createUpdate(ADD)
          .bind(0, id)
          .bind(1, IdClock.micros(event.time()))
          .bind(2, event.caller())
          .bind(3, event.via())
          .bind(4, event.from())
          .bind(5, event.operation())
          .bind(6, event.host())
          .bind(7, event.subject())
          .bind(8, event.outcome())
          .bind(9, event.detail())
          .execute();
      return id;
    });
  }

  @Override
  public List<Recorded> find(Query query) {
    Condition condition = new Condition(query);
    return queries.search(handle -> {
      var statement = handle.createQuery(condition.sql.toString());
      for (int i = 0; i < condition.parameters.size(); i++) {
        statement.bind(i, condition.parameters.get(i));
      }
      return statement.map((row, context) -> recorded(row)).list();
    });
  }

  private static Recorded recorded(ResultSet row) throws SQLException {
    return new Recorded(
        row.getLong(1),
        new Event(
            MessageLog.timeOf(row.getLong(2)),
            row.getString(3),
            row.getString(4),
            row.getString(5),
            row.getString(6),
            row.getString(7),
            row.getString(8),
            row.getString(9),
            row.getString(10)));
  }

  @Override
  public int erase(Instant before, int limit) {
    return writer.change(connection -> erase(connection, IdClock.micros(before), limit));
  }

  private static int erase(WriterConnection connection, long before, int limit) {
    Handle handle = connection.handle();
    long last =
        handle
            .createQuery(LAST_ERASED)
            .bind(0, before)
            .bind(1, limit - 1)
            .mapTo(Long.class)
            .findOne()
            .orElse(Long.MAX_VALUE);
    return handle.createUpdate(ERASE).bind(0, before).bind(1, last).execute();
  }

  @Override
  public long count() {
    return queries.query(
        handle -> handle.createQuery("select count(*) from audit_event").mapTo(Long.class).one());
  }
}
