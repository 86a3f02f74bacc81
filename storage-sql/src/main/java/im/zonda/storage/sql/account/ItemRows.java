package im.zonda.storage.sql.account;

import im.zonda.storage.sql.log.IdClock;
import im.zonda.store.PubSubStore.Item;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/// Changes the items of one publish-subscribe node within a transaction of the writer, and counts
/// them.
final class ItemRows {
  private static final String TOTALS =
      """
      select items, bytes, (select max(position) from pubsub_item where node_id = pubsub_node.id)
      from pubsub_node where id = ?
      """;

  private static final String FIND =
      "select position, item, size, first_position from pubsub_item where node_id = ? and item = ?";

  private static final String OLDEST =
      """
      select position, item, size, first_position
      from pubsub_item where node_id = ? order by position limit ?
      """;

  private static final String EXPIRED =
      """
      select position, item, size, first_position
      from pubsub_item where node_id = ? and published < ?
      """;

  private static final String ADD =
      """
      insert into pubsub_item
        (node_id, position, item, publisher, published, size, payload, first_position)
      values (?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String REMOVE = "delete from pubsub_item where node_id = ? and position = ?";

  private final Handle handle;
  private final long node;
  private long items;
  private long bytes;
  private long position;

  /// A stored item.
  ///
  /// @param first the position with which the id was new at the node
  private record Row(long position, String item, long size, long first) {
    static Row of(ResultSet row) throws SQLException {
      return new Row(row.getLong(1), row.getString(2), row.getLong(3), row.getLong(4));
    }
  }

  private ItemRows(Handle handle, long node, long items, long bytes, long position) {
    this.handle = handle;
    this.node = node;
    this.items = items;
    this.bytes = bytes;
    this.position = position;
  }

  static ItemRows of(Handle handle, long node) {
    return handle
        .createQuery(TOTALS)
        .bind(0, node)
        .map((row, context) ->
            new ItemRows(handle, node, row.getLong(1), row.getLong(2), row.getLong(3)))
        .one();
  }

  /// Adds an item as the newest one, in place of one with the same id.
  void put(Item item) {
    Row replaced = find(item.id());
    if (replaced != null) {
      remove(replaced);
    }
    long size = size(item);
    position++;
    handle.execute(
        ADD,
        node,
        position,
        item.id(),
        item.publisher().toString(),
        IdClock.micros(item.published()),
        size,
        item.payload(),
        replaced == null ? position : replaced.first);
    items++;
    bytes += size;
  }

  private static long size(Item item) {
    return item.payload().length + (long) item.id().getBytes(StandardCharsets.UTF_8).length;
  }

  /// Removes the item with that id; false if there is none.
  boolean remove(String id) {
    Row found = find(id);
    if (found == null) {
      return false;
    }
    remove(found);
    return true;
  }

  private @Nullable Row find(String id) {
    return handle
        .createQuery(FIND)
        .bind(0, node)
        .bind(1, id)
        .map((row, context) -> Row.of(row))
        .findOne()
        .orElse(null);
  }

  private void remove(Row row) {
    handle.execute(REMOVE, node, row.position);
    items--;
    bytes -= row.size;
  }

  /// Removes the oldest items beyond `most`; returns their ids, oldest first.
  List<String> trim(int most) {
    if (items <= most) {
      return List.of();
    }
    List<Row> oldest =
        handle
            .createQuery(OLDEST)
            .bind(0, node)
            .bind(1, items - most)
            .map((row, context) -> Row.of(row))
            .list();
    oldest.forEach(this::remove);
    return oldest.stream().map(Row::item).toList();
  }

  /// Removes items published before that time, in microseconds; returns how many there were.
  int expire(long before) {
    List<Row> expired =
        handle
            .createQuery(EXPIRED)
            .bind(0, node)
            .bind(1, before)
            .map((row, context) -> Row.of(row))
            .list();
    expired.forEach(this::remove);
    return expired.size();
  }

  /// Removes all items; returns how many there were.
  int removeAll() {
    int removed = handle.execute("delete from pubsub_item where node_id = ?", node);
    items = 0;
    bytes = 0;
    return removed;
  }

  /// Stores the number and the size of the items with the node.
  void saveTotals() {
    handle.execute("update pubsub_node set items = ?, bytes = ? where id = ?", items, bytes, node);
  }
}
