package im.zonda.storage.sql.account;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.log.IdClock;
import im.zonda.store.PubSubStore.Item;
import im.zonda.store.PubSubStore.Order;
import im.zonda.store.PubSubStore.Page;
import im.zonda.store.PubSubStore.Range;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/// Reads pages and ranges of the items of a publish-subscribe node, in one of the orders.
final class ItemPages {
  private static final String PAGE =
      """
      select item, publisher, published, payload from pubsub_item
      where node_id = ? and position > ? order by position asc limit ?
      """;

  // The addresses of a user are the bare one, and those between `user/` and `user0`, which is the
  // next character. Anyone's are between the empty text and the highest character.
  private static final String RANGE =
      """
      select item, publisher, published, payload from pubsub_item
      where node_id = ? and position > ? and position < ? and published >= ? and published <= ?
        and (publisher = ? or (publisher > ? and publisher < ?))
      order by position asc limit ?
      """;

  private static final ItemPages MODIFICATION = new ItemPages("position");
  private static final ItemPages CREATION = new ItemPages("first_position");

  /// Above every address.
  private static final String HIGHEST = "\udbff\udfff";

  private final String place;
  private final String countBefore;
  private final String pageForwards;
  private final String pageBackwards;
  private final String rangeForwards;
  private final String rangeBackwards;

  /// @param column the column that has an item's place in the order
  private ItemPages(String column) {
    place = "select " + column + " from pubsub_item where node_id = ? and item = ?";
    countBefore = "select count(*) from pubsub_item where node_id = ? and " + column + " < ?";
    pageForwards = PAGE.replace("position", column);
    pageBackwards = pageForwards.replace(">", "<").replace(" asc ", " desc ");
    rangeForwards = RANGE.replace("position", column);
    rangeBackwards = rangeForwards.replace(" asc ", " desc ");
  }

  private static ItemPages in(Order order) {
    return switch (order) {
      case MODIFICATION -> MODIFICATION;
      case CREATION -> CREATION;
    };
  }

  private @Nullable Long place(Handle handle, long node, String item) {
    return handle
        .createQuery(place)
        .bind(0, node)
        .bind(1, item)
        .mapTo(Long.class)
        .findOne()
        .orElse(null);
  }

  /// A page; null if there is no item with the id of the reference.
  static @Nullable Page page(
      Handle handle,
      Jid owner,
      String name,
      Order order,
      @Nullable String reference,
      boolean backwards,
      int limit) {
    PubSubRows.Row node = PubSubRows.row(handle, owner, name);
    if (node == null) {
      return reference == null ? new Page(List.of(), 0, 0) : null;
    }
    ItemPages pages = in(order);
    long place = backwards ? Long.MAX_VALUE : Long.MIN_VALUE;
    if (reference != null) {
      Long found = pages.place(handle, node.id(), reference);
      if (found == null) {
        return null;
      }
      place = found;
    }
    List<Item> items =
        handle
            .createQuery(backwards ? pages.pageBackwards : pages.pageForwards)
            .bind(0, node.id())
            .bind(1, place)
            .bind(2, limit)
            .map((row, context) -> PubSubRows.item(owner, name, row, 1))
            .list();
    int taken = backwards ? items.size() : -1;
    int index;
    if (reference == null) {
      index = backwards ? node.items() - taken : 0;
    } else {
      int before = pages.countBefore(handle, node.id(), place);
      index = backwards ? before - taken : before + 1;
    }
    return new Page(backwards ? items.reversed() : items, index, node.items());
  }

  private int countBefore(Handle handle, long node, long place) {
    return handle.createQuery(countBefore).bind(0, node).bind(1, place).mapTo(Integer.class).one();
  }

  /// The items of a range; null if there is no item with an id that it names.
  static @Nullable List<Item> select(
      Handle handle, Jid owner, String name, Range range, boolean backwards, int limit) {
    Long node = PubSubRows.idOf(handle, owner, name);
    if (node == null) {
      return range.after() == null && range.before() == null ? List.of() : null;
    }
    ItemPages pages = in(range.order());
    Long after =
        range.after() == null
            ? Long.valueOf(Long.MIN_VALUE)
            : pages.place(handle, node, range.after());
    Long before =
        range.before() == null
            ? Long.valueOf(Long.MAX_VALUE)
            : pages.place(handle, node, range.before());
    if (after == null || before == null) {
      return null;
    }
    Jid publisher = range.publisher();
    List<Item> items =
        handle
            .createQuery(backwards ? pages.rangeBackwards : pages.rangeForwards)
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
