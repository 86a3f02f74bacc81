package im.zonda.storage.sql.account;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.log.IdClock;
import im.zonda.store.PubSubStore.Item;
import im.zonda.store.PubSubStore.Range;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/// Reads a range of the items of a publish-subscribe node.
final class ItemRange {
  private static final String POSITION =
      "select position from pubsub_item where node_id = ? and item = ?";

  /// The addresses of a user are the bare one, and those between `user/` and `user0`, which is the
  /// next character. Anyone's are between the empty text and the highest character.
  private static final String FIRST =
      """
      select item, publisher, published, payload from pubsub_item
      where node_id = ? and position > ? and position < ? and published >= ? and published <= ?
        and (publisher = ? or (publisher > ? and publisher < ?))
      order by position limit ?
      """;

  private static final String LAST =
      """
      select item, publisher, published, payload from pubsub_item
      where node_id = ? and position > ? and position < ? and published >= ? and published <= ?
        and (publisher = ? or (publisher > ? and publisher < ?))
      order by position desc limit ?
      """;

  /// Above every address.
  private static final String HIGHEST = "\udbff\udfff";

  private ItemRange() {}

  /// The place of an item among those of its node, or null.
  static @Nullable Long position(Handle handle, long node, String item) {
    return handle
        .createQuery(POSITION)
        .bind(0, node)
        .bind(1, item)
        .mapTo(Long.class)
        .findOne()
        .orElse(null);
  }

  /// The items of a range; null if there is no item with an id that it names.
  static @Nullable List<Item> select(
      Handle handle, Jid owner, String name, Range range, boolean backwards, int limit) {
    Long node = PubSubRows.idOf(handle, owner, name);
    if (node == null) {
      return range.after() == null && range.before() == null ? List.of() : null;
    }
    Long after =
        range.after() == null
            ? Long.valueOf(Long.MIN_VALUE)
            : position(handle, node, range.after());
    Long before =
        range.before() == null
            ? Long.valueOf(Long.MAX_VALUE)
            : position(handle, node, range.before());
    if (after == null || before == null) {
      return null;
    }
    Jid publisher = range.publisher();
    List<Item> items =
        handle
            .createQuery(backwards ? LAST : FIRST)
            .bind(0, node)
            .bind(1, after)
            .bind(2, before)
            .bind(3, range.from() == null ? Long.MIN_VALUE : IdClock.micros(range.from()))
            .bind(4, range.to() == null ? Long.MAX_VALUE : IdClock.micros(range.to()))
            .bind(5, publisher == null ? "" : publisher.toString())
            .bind(6, publisher == null ? "" : publisher + "/")
            .bind(7, publisher == null ? HIGHEST : publisher + "0")
            .bind(8, limit)
            .map((row, context) -> PubSubRows.item(owner, name, row, 1))
            .list();
    return backwards ? items.reversed() : items;
  }
}
