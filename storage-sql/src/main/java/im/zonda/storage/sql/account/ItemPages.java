package im.zonda.storage.sql.account;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.log.IdClock;
import im.zonda.store.PubSubStore;
import im.zonda.store.PubSubStore.Item;
import im.zonda.store.PubSubStore.ItemHead;
import im.zonda.store.PubSubStore.ItemHeads;
import im.zonda.store.PubSubStore.Order;
import im.zonda.store.PubSubStore.Page;
import im.zonda.store.PubSubStore.Range;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/// Reads pages and ranges of the items of a publish-subscribe node, in one of the orders.
final class ItemPages {
  /// The columns of an item.
  private static final String COLUMNS = "item, publisher, published, payload";

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

  private static final String ITEMS =
      """
      select item, publisher, published, payload from pubsub_item
      where node_id = :node and item in (<ids>)
      order by position limit :limit
      """;

  private static final String HEADS =
      """
      select item, publisher, published, size from pubsub_item
      where node_id = ? and first_position > ? order by first_position limit ?
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
    long from = place;
    List<Item> items =
        read(
            handle,
            backwards ? pages.pageBackwards : pages.pageForwards,
            node,
            limit,
            (statement, most) -> statement.bind(0, node.id()).bind(1, from).bind(2, most));
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

  /// Items without their payloads; null if there is no such node, or no item with that id.
  static @Nullable ItemHeads heads(
      Handle handle, Jid owner, String name, @Nullable String after, int limit) {
    PubSubRows.Row node = PubSubRows.row(handle, owner, name);
    Long place =
        node == null
            ? null
            : after == null ? (Long) Long.MIN_VALUE : CREATION.place(handle, node.id(), after);
    if (node == null || place == null) {
      return null;
    }
    List<ItemHead> heads =
        handle
            .createQuery(HEADS)
            .bind(0, node.id())
            .bind(1, place)
            .bind(2, limit + 1)
            .map((row, context) -> PubSubRows.head(owner, row))
            .list();
    boolean more = heads.size() > limit;
    return new ItemHeads(more ? heads.subList(0, limit) : heads, node.items(), more);
  }

  /// The items of a range; null if there is no item with an id that it names.
  static @Nullable List<Item> select(
      Handle handle, Jid owner, String name, Range range, boolean backwards, int limit) {
    PubSubRows.Row node = PubSubRows.row(handle, owner, name);
    if (node == null) {
      return range.after() == null && range.before() == null ? List.of() : null;
    }
    ItemPages pages = in(range.order());
    Long after =
        range.after() == null
            ? Long.valueOf(Long.MIN_VALUE)
            : pages.place(handle, node.id(), range.after());
    Long before =
        range.before() == null
            ? Long.valueOf(Long.MAX_VALUE)
            : pages.place(handle, node.id(), range.before());
    if (after == null || before == null) {
      return null;
    }
    Jid publisher = range.publisher();
    List<Item> items =
        read(
            handle,
            backwards ? pages.rangeBackwards : pages.rangeForwards,
            node,
            limit,
            (statement, most) ->
                statement
                    .bind(0, node.id())
                    .bind(1, after)
                    .bind(2, before)
                    .bind(3, range.from() == null ? Long.MIN_VALUE : IdClock.micros(range.from()))
                    .bind(4, range.to() == null ? Long.MAX_VALUE : IdClock.micros(range.to()))
                    .bind(5, publisher == null ? "" : publisher.toString())
                    .bind(6, publisher == null ? "" : publisher + "/")
                    .bind(7, publisher == null ? HIGHEST : publisher + "0")
                    .bind(8, most));
    return backwards ? items.reversed() : items;
  }

  /// The items with these ids.
  static List<Item> items(Handle handle, Jid owner, String name, Collection<String> ids) {
    PubSubRows.Row node = PubSubRows.row(handle, owner, name);
    if (node == null) {
      return List.of();
    }
    List<String> wanted = List.copyOf(ids);
    return read(
        handle,
        ITEMS,
        node,
        wanted.size(),
        (statement, most) ->
            statement.bind("node", node.id()).bindList("ids", wanted).bind("limit", most));
  }

  /// Binds the parameters of a query.
  private interface Parameters {
    Query bind(Query statement, int limit);
  }

  /// Runs a query with a limit that keeps its result within [PubSubStore#READ_BYTES]: the sizes are
  /// read first, unless all items of the node are within it.
  private static List<Item> read(
      Handle handle, String query, PubSubRows.Row node, int limit, Parameters parameters) {
    int most = limit;
    if (node.bytes() > PubSubStore.READ_BYTES) {
      List<Long> sizes =
          parameters
              .bind(handle.createQuery(query.replace(COLUMNS, "size")), limit)
              .mapTo(Long.class)
              .list();
      most = fitting(sizes);
    }
    return parameters
        .bind(handle.createQuery(query), most)
        .map((row, context) -> PubSubRows.item(node.node().owner(), row, 1))
        .list();
  }

  private static int fitting(List<Long> sizes) {
    long bytes = 0;
    int count = 0;
    for (long size : sizes) {
      bytes += size;
      if (bytes > PubSubStore.READ_BYTES && count > 0) {
        return count;
      }
      count++;
    }
    return count;
  }
}
