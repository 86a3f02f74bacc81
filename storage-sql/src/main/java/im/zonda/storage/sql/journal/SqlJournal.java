package im.zonda.storage.sql.journal;

import im.zonda.jid.Jid;
import im.zonda.journal.JournalStore;
import im.zonda.storage.sql.database.QueryExecutor;
import im.zonda.storage.sql.log.Writer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/// The record of stanzas that were not delivered as usual, in the table `journal_event`.
public record SqlJournal(Writer writer, QueryExecutor queries) implements JournalStore {
  private static final String ADD =
      """
      insert into journal_event
        (id, node, place, reason, sender, sender_resource, receiver, receiver_resource, kind,
         stanza, identity, detail)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String FIND =
      "select id, node, place, reason, sender, sender_resource, receiver, receiver_resource, kind,"
          + " stanza, identity, detail from journal_event where id >= ? and id < ?";

  private static final String NEWEST_FIRST = " order by id desc limit ?";

  private static final OldRows ROWS = new OldRows("journal_event");

  private static final Comparator<Event> NEWEST = (a, b) -> Long.compare(b.id(), a.id());

  /// A statement, and the values of its parameters. An index has what each condition finds in the
  /// order of the ids, so that no rows are sorted.
  private static final class Search {
    private final StringBuilder sql = new StringBuilder(FIND);
    private final List<Object> parameters = new ArrayList<>();
    private final int limit;

    Search(Query query) {
      limit = query.limit();
      parameters.add(query.since());
      parameters.add(query.before());
      with(" and reason = ?", query.reason());
    }

    Search with(String condition, @Nullable Object parameter) {
      if (parameter != null) {
        sql.append(condition);
        parameters.add(parameter.toString());
      }
      return this;
    }

    List<Event> run(Handle handle) {
      parameters.add(limit);
      var statement = handle.createQuery(sql + NEWEST_FIRST);
      for (int i = 0; i < parameters.size(); i++) {
        statement.bind(i, parameters.get(i));
      }
      return statement.map((row, context) -> event(row)).list();
    }
  }

  @Override
  public void append(List<Event> events) {
    if (events.isEmpty()) {
      return;
    }
    writer.change(connection -> {
      try (PreparedBatch batch = connection.handle().prepareBatch(ADD)) {
        events.forEach(each -> add(batch, each));
        batch.execute();
      }
      return events.size();
    });
  }

  private static void add(PreparedBatch batch, Event event) {
    batch
        .bind(0, event.id())
        .bind(1, event.node())
        .bind(2, event.place())
        .bind(3, event.reason())
        .bind(4, AddressColumns.bare(event.sender()))
        .bind(5, AddressColumns.resource(event.sender()))
        .bind(6, AddressColumns.bare(event.receiver()))
        .bind(7, AddressColumns.resource(event.receiver()))
        .bind(8, event.kind())
        .bind(9, event.stanza())
        .bind(10, event.identity())
        .bind(11, event.detail())
        .add();
  }

  @Override
  public List<Event> find(Query query) {
    Jid address = query.address();
    if (address == null) {
      return queries.search(new Search(query)::run);
    }
    return queries.search(handle -> {
      List<Event> found =
          new ArrayList<>(
              new Search(query)
                  .with(" and sender = ?", address)
                  .with(" and receiver = ?", query.other())
                  .run(handle));
      List<Event> received =
          new Search(query)
              .with(" and receiver = ?", address)
              .with(" and sender = ?", query.other())
              .run(handle);
      for (Event each : received) {
        if (!address.equals(each.sender() == null ? null : each.sender().bare())) {
          found.add(each); // what an account sends to itself was found already
        }
      }
      found.sort(NEWEST);
      return List.copyOf(found.subList(0, Math.min(found.size(), query.limit())));
    });
  }

  private static Event event(ResultSet row) throws SQLException {
    return new Event(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        AddressColumns.read(row, 5),
        AddressColumns.read(row, 7),
        row.getString(9),
        row.getString(10),
        row.getLong(11),
        row.getString(12));
  }

  @Override
  public int erase(long before, int limit) {
    return writer.change(connection -> ROWS.erase(connection, before, limit));
  }

  @Override
  public int trim(int newest, int limit) {
    long oldest = ROWS.oldestOf(queries, newest);
    return oldest == Long.MIN_VALUE ? 0 : erase(oldest, limit);
  }

  @Override
  public int forget(Jid address, int limit) {
    List<Event> found =
        find(
            new Query(
                address, null, null, Long.MIN_VALUE, Long.MAX_VALUE, Math.min(limit, MAX_PAGE)));
    if (found.isEmpty()) {
      return 0;
    }
    return writer.change(connection -> {
      try (PreparedBatch batch =
          connection.handle().prepareBatch("delete from journal_event where id = ?")) {
        found.forEach(each -> batch.bind(0, each.id()).add());
        batch.execute();
      }
      return found.size();
    });
  }
}
