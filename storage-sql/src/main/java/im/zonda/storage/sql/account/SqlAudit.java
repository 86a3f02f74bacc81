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
import java.util.Comparator;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/// The record of what administrators have done, in the table `audit_event`.
public record SqlAudit(Writer writer, QueryExecutor queries) implements AuditStore {
  private static final String ADD =
      """
      insert into audit_event
        (id, time, caller, via, address, operation, area, host, subject, outcome, detail)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String FIND =
      "select id, time, caller, via, address, operation, host, subject, outcome, detail"
          + " from audit_event where time >= ? and time <= ?";

  private static final String NEWEST_FIRST = " order by time desc, id desc limit ?";

  /// The same for what another condition finds by its index, which is little: the database must not
  /// read the index of the times to its end.
  private static final String FIND_FEW =
      FIND.replace("time >=", "time + 0 >=").replace("time <=", "time + 0 <=");

  private static final String NEWEST_OF_FEW = " order by time + 0 desc, id desc limit ?";

  private static final String TIME = "select time from audit_event where id = ?";

  private static final String LAST_ERASED =
      "select id from audit_event where time < ? order by id limit 1 offset ?";

  private static final String ERASE = "delete from audit_event where time < ? and id <= ?";

  private static final Comparator<Recorded> NEWEST =
      Comparator.<Recorded, Instant>comparing(each -> each.event().time())
          .thenComparingLong(Recorded::id)
          .reversed();

  /// A statement, and the values of its parameters. An index has what each condition finds in the
  /// order of the times, so that no rows are sorted, and it begins where the page begins: what is
  /// newer is not read.
  private static final class Search {
    private final StringBuilder conditions = new StringBuilder();
    private final List<Object> parameters = new ArrayList<>();
    private final Query query;

    /// @param from the time of the event before the page, in microseconds since 1970; null for the
    ///   first page
    Search(Query query, @Nullable Long from) {
      this.query = query;
      long first = query.since() == null ? Long.MIN_VALUE : IdClock.micros(query.since());
      long last = query.until() == null ? Long.MAX_VALUE : IdClock.micros(query.until()) - 1;
      parameters.add(first);
      parameters.add(from == null ? last : Math.min(from, last));
      if (from != null) {
        add(" and (time < ? or id < ?)", from);
        parameters.add(query.before());
      }
      add(" and caller = ?", query.caller());
      add(" and host = ?", query.host());
      add(" and subject = ?", query.subject());
    }

    private void add(String condition, @Nullable Object parameter) {
      if (parameter != null) {
        conditions.append(condition);
        parameters.add(parameter);
      }
    }

    Search with(String condition, String parameter) {
      add(condition, parameter);
      return this;
    }

    List<Recorded> run(Handle handle) {
      return run(handle, FIND + conditions + NEWEST_FIRST);
    }

    List<Recorded> runOnFew(Handle handle) {
      return run(handle, FIND_FEW + conditions + NEWEST_OF_FEW);
    }

    private List<Recorded> run(Handle handle, String sql) {
      parameters.add(query.limit());
      var statement = handle.createQuery(sql);
      for (int i = 0; i < parameters.size(); i++) {
        statement.bind(i, parameters.get(i));
      }
      return statement.map((row, context) -> recorded(row)).list();
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
          .bind(6, area(event.operation()))
          .bind(7, event.host())
          .bind(8, event.subject())
          .bind(9, event.outcome())
          .bind(10, event.detail())
          .execute();
      return id;
    });
  }

  @Override
  public List<Recorded> find(Query query) {
    return queries.search(handle -> {
      if (query.before() == Long.MAX_VALUE) {
        return find(handle, query, null);
      }
      Long from =
          handle.createQuery(TIME).bind(0, query.before()).mapTo(Long.class).findOne().orElse(null);
      return from == null ? List.of() : find(handle, query, from);
    });
  }

  private static List<Recorded> find(Handle handle, Query query, @Nullable Long from) {
    String operation = query.operation();
    if (operation == null) {
      return new Search(query, from).run(handle);
    }
    if (operation.equals(area(operation))) {
      return new Search(query, from).with(" and area = ?", operation).run(handle);
    }
    List<Recorded> found =
        new ArrayList<>(new Search(query, from).with(" and operation = ?", operation).run(handle));
    found.addAll(
        new Search(query, from)
            .with(" and operation >= ?", operation + ".")
            .with(" and operation < ?", operation + "/") // the character after the dot
            .runOnFew(handle));
    found.sort(NEWEST);
    return List.copyOf(found.subList(0, Math.min(found.size(), query.limit())));
  }

  private static String area(String operation) {
    int dot = operation.indexOf('.');
    return dot < 0 ? operation : operation.substring(0, dot);
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
