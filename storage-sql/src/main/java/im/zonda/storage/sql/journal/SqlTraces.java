package im.zonda.storage.sql.journal;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.database.QueryExecutor;
import im.zonda.storage.sql.log.Writer;
import im.zonda.trace.TraceStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import org.jdbi.v3.core.statement.PreparedBatch;

/// The messages that were traced, in the table `traced_message`, and their steps in `trace_step`.
public record SqlTraces(Writer writer, QueryExecutor queries) implements TraceStore {
  private static final String ADD_MESSAGE =
      """
      insert into traced_message
        (id, trace, chosen, node, sender, sender_resource, receiver, receiver_resource, kind,
         stanza)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String ADD_STEP =
      """
      insert into trace_step (id, trace, time, node, place, verdict, reason, detail)
      values (?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String SELECT =
      "select id, trace, chosen, node, sender, sender_resource, receiver, receiver_resource, kind,"
          + " stanza from traced_message";

  private static final String OF_TRACE = SELECT + " where trace = ? order by id limit ?";

  private static final String STEPS =
      "select id, trace, time, node, place, verdict, reason, detail from trace_step"
          + " where trace = ? order by id limit ?";

  private static final OldRows MESSAGE_ROWS = new OldRows("traced_message");
  private static final OldRows STEP_ROWS = new OldRows("trace_step");

  private static final NewestRows<Traced> MESSAGES =
      new NewestRows<>(SELECT, (row, context) -> message(row), Traced::id, Traced::sender);

  private static final Comparator<Step> IN_TIME =
      Comparator.comparingLong(Step::time).thenComparingLong(Step::id);

  @Override
  public void append(List<Traced> messages, List<Step> steps) {
    if (messages.isEmpty() && steps.isEmpty()) {
      return;
    }
    writer.change(connection -> {
      if (!messages.isEmpty()) {
        try (PreparedBatch batch = connection.handle().prepareBatch(ADD_MESSAGE)) {
          messages.forEach(each -> add(batch, each));
          batch.execute();
        }
      }
      if (!steps.isEmpty()) {
        try (PreparedBatch batch = connection.handle().prepareBatch(ADD_STEP)) {
          steps.forEach(each -> add(batch, each));
          batch.execute();
        }
      }
      return steps.size();
    });
  }

  private static void add(PreparedBatch batch, Traced message) {
    batch
        .bind(0, message.id())
        .bind(1, message.trace())
        .bind(2, message.chosen())
        .bind(3, message.node())
        .bind(4, AddressColumns.bare(message.sender()))
        .bind(5, AddressColumns.resource(message.sender()))
        .bind(6, AddressColumns.bare(message.receiver()))
        .bind(7, AddressColumns.resource(message.receiver()))
        .bind(8, message.kind())
        .bind(9, message.stanza())
        .add();
  }

  private static void add(PreparedBatch batch, Step step) {
    batch
        .bind(0, step.id())
        .bind(1, step.trace())
        .bind(2, step.time())
        .bind(3, step.node())
        .bind(4, step.place())
        .bind(5, step.verdict())
        .bind(6, step.reason())
        .bind(7, step.detail())
        .add();
  }

  @Override
  public List<Traced> find(Query query) {
    return MESSAGES.find(
        queries,
        new NewestRows.Wanted(
            query.since(), query.before(), query.limit(), "chosen", query.chosen()),
        query.address(),
        null);
  }

  private static Traced message(ResultSet row) throws SQLException {
    return new Traced(
        row.getLong(1),
        row.getLong(2),
        row.getString(3),
        row.getString(4),
        AddressColumns.read(row, 5),
        AddressColumns.read(row, 7),
        row.getString(9),
        row.getString(10));
  }

  @Override
  public List<Traced> messages(long trace) {
    return queries.query(handle ->
        handle
            .createQuery(OF_TRACE)
            .bind(0, trace)
            .bind(1, MAX_PAGE)
            .map((row, context) -> message(row))
            .list());
  }

  @Override
  public List<Step> steps(long trace) {
    return queries.query(handle ->
        handle
            .createQuery(STEPS)
            .bind(0, trace)
            .bind(1, MAX_PAGE)
            .map((row, context) ->
                new Step(
                    row.getLong(1),
                    row.getLong(2),
                    row.getLong(3),
                    row.getString(4),
                    row.getString(5),
                    row.getString(6),
                    row.getString(7),
                    row.getString(8)))
            .list()
            .stream()
            .sorted(IN_TIME)
            .toList());
  }

  @Override
  public int erase(long before, int limit) {
    return writer.change(connection ->
        Math.max(
            MESSAGE_ROWS.erase(connection, before, limit),
            STEP_ROWS.erase(connection, before, limit)));
  }

  @Override
  public int trim(int newest, int limit) {
    long oldest = STEP_ROWS.oldestOf(queries, newest);
    return oldest == Long.MIN_VALUE ? 0 : erase(oldest, limit);
  }

  @Override
  public int forget(Jid address, int limit) {
    List<Traced> found =
        find(new Query(address, null, Long.MIN_VALUE, Long.MAX_VALUE, Math.min(limit, MAX_PAGE)));
    if (found.isEmpty()) {
      return 0;
    }
    return writer.change(connection -> {
      try (PreparedBatch messages =
              connection.handle().prepareBatch("delete from traced_message where id = ?");
          PreparedBatch steps =
              connection.handle().prepareBatch("delete from trace_step where trace = ?")) {
        for (Traced each : found) {
          messages.bind(0, each.id()).add();
          steps.bind(0, each.trace()).add();
        }
        messages.execute();
        steps.execute();
      }
      return found.size();
    });
  }
}
