package im.zonda.storage.sql.journal;

import im.zonda.jid.Jid;
import im.zonda.journal.JournalStore;
import im.zonda.storage.sql.database.QueryExecutor;
import im.zonda.storage.sql.log.Writer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.statement.PreparedBatch;

/// The record of stanzas that were not delivered as usual, in the table `journal_event`.
public record SqlJournal(Writer writer, QueryExecutor queries) implements JournalStore {
  private static final String ADD =
      """
      insert into journal_event
        (id, node, place, reason, sender, sender_resource, receiver, receiver_resource, kind,
         stanza, identity, detail)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String SELECT =
      "select id, node, place, reason, sender, sender_resource, receiver, receiver_resource, kind,"
          + " stanza, identity, detail from journal_event";

  private static final NewestRows<Event> EVENTS =
      new NewestRows<>(SELECT, (row, context) -> event(row), Event::id, Event::sender);

  private static final OldRows ROWS = new OldRows("journal_event");

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
    return EVENTS.find(
        queries,
        new NewestRows.Wanted(
            query.since(), query.before(), query.limit(), "reason", query.reason()),
        query.address(),
        query.other());
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
