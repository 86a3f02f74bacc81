package im.zonda.storage.sql.account;

import im.zonda.metric.HistoryStore;
import im.zonda.storage.sql.database.QueryExecutor;
import im.zonda.storage.sql.log.Writer;
import java.util.List;
import org.jdbi.v3.core.Handle;

/// Store of what was measured, in the table `meter_history`.
public record SqlHistory(Writer writer, QueryExecutor queries) implements HistoryStore {
  private static final PutRow PUT =
      PutRow.of("meter_history", List.of("since", "step", "node"), List.of("data"));

  private static final String READ =
      "select since, data from meter_history where since >= ? and since < ? and step = ?"
          + " and node = ? order by since limit ?";

  private static final String NODES = "select distinct node from meter_history order by node";

  private static final String OLD =
      "select since, node from meter_history where since < ? and step = ? order by since limit ?";

  private static final String ERASE =
      "delete from meter_history where since = ? and step = ? and node = ?";

  private record Key(long begin, String node) {}

  @Override
  public void put(Part part) {
    writer.change(connection -> {
      PUT.execute(connection.handle(), part.begin(), part.step(), part.node(), part.data());
      return part;
    });
  }

  @Override
  public List<Part> read(String node, int step, long since, long until) {
    return queries.search(handle ->
        handle
            .createQuery(READ)
            .bind(0, since)
            .bind(1, until)
            .bind(2, step)
            .bind(3, node)
            .bind(4, MAX_PARTS)
            .map((row, context) -> new Part(node, step, row.getLong(1), row.getBytes(2)))
            .list());
  }

  @Override
  public List<String> nodes() {
    return queries.search(
        handle -> handle.createQuery(NODES).map((row, context) -> row.getString(1)).list());
  }

  @Override
  public int erase(int step, long before, int limit) {
    return writer.change(connection -> {
      Handle handle = connection.handle();
      List<Key> old =
          handle
              .createQuery(OLD)
              .bind(0, before)
              .bind(1, step)
              .bind(2, limit)
              .map((row, context) -> new Key(row.getLong(1), row.getString(2)))
              .list();
      for (Key each : old) {
        handle.createUpdate(ERASE).bind(0, each.begin).bind(1, step).bind(2, each.node).execute();
      }
      return old.size();
    });
  }
}
