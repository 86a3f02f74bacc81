package im.zonda.storage.sql.account;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.log.OwnerIds;
import im.zonda.store.MessageLog;
import im.zonda.store.PubSubStore.Affiliation;
import im.zonda.store.PubSubStore.Item;
import im.zonda.store.PubSubStore.ItemHead;
import im.zonda.store.PubSubStore.Last;
import im.zonda.store.PubSubStore.Node;
import im.zonda.store.PubSubStore.Stored;
import im.zonda.store.PubSubStore.Subscription;
import im.zonda.store.PubSubStore.Usage;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/// Reads publish-subscribe nodes and their items.
final class PubSubRows {
  /// The columns of a node.
  static final String COLUMNS =
      "id, name, creator, created, settings, items, bytes, listed, entries, presence";

  private static final String NODES =
      """
      select id, name, creator, created, settings, items, bytes, listed, entries, presence
      from pubsub_node
      where owner_id = (select id from account where domain = ? and local = ?)
      order by name
      """;

  private static final String NODE =
      """
      select id, name, creator, created, settings, items, bytes, listed, entries, presence
      from pubsub_node
      where owner_id = (select id from account where domain = ? and local = ?) and name = ?
      """;

  private static final String ALL_AFFILIATIONS =
      """
      select node_id, jid, affiliation from pubsub_affiliation
      where node_id in (
        select id from pubsub_node
        where owner_id = (select id from account where domain = ? and local = ?))
      order by node_id, jid
      """;

  private static final String ALL_SUBSCRIPTIONS =
      """
      select node_id, subid, jid, state, options from pubsub_subscription
      where node_id in (
        select id from pubsub_node
        where owner_id = (select id from account where domain = ? and local = ?))
      order by node_id, subid
      """;

  private static final String AFFILIATIONS =
      "select node_id, jid, affiliation from pubsub_affiliation where node_id = ? order by jid";

  private static final String SUBSCRIPTIONS =
      """
      select node_id, subid, jid, state, options from pubsub_subscription
      where node_id = ? order by subid
      """;

  private static final String SOME_AFFILIATIONS =
      """
      select node_id, jid, affiliation from pubsub_affiliation
      where node_id = ? and jid > ? order by jid limit ?
      """;

  private static final String SOME_SUBSCRIPTIONS =
      """
      select node_id, subid, jid, state, options from pubsub_subscription
      where node_id = ? and subid > ? order by subid limit ?
      """;

  private static final String PUBLISHERS =
      """
      select item, publisher from pubsub_item
      where node_id = (
          select id from pubsub_node
          where owner_id = (select id from account where domain = :domain and local = :local)
            and name = :name)
        and item in (<ids>)
      """;

  private static final String NEWEST =
      """
      select item from pubsub_item
      where node_id = (
          select id from pubsub_node
          where owner_id = (select id from account where domain = ? and local = ?) and name = ?)
      order by position desc limit ?
      """;

  private static final String LAST_ITEMS =
      """
      select n.name, i.item, i.publisher, i.published, i.payload
      from pubsub_node n join pubsub_item i on i.node_id = n.id
      where n.owner_id = (select id from account where domain = :domain and local = :local)
        and n.name in (<names>)
        and i.position = (select max(position) from pubsub_item where node_id = n.id)
      order by n.name
      """;

  private static final String LISTED =
      """
      select id, name, creator, created, settings, items, bytes, listed, entries, presence
      from pubsub_node
      where owner_id = (select id from account where domain = ? and local = ?) and name > ?
        and listed = 1
        and not exists (select 1 from pubsub_association where child_id = pubsub_node.id)
      order by name limit ?
      """;

  private static final String USAGE =
      """
      select count(*), coalesce(sum(bytes), 0), coalesce(sum(entries), 0) from pubsub_node
      where owner_id = (select id from account where domain = ? and local = ?) and creator = ?
      """;

  /// A row of a node.
  record Row(long id, Node node, int items, long bytes) {}

  private PubSubRows() {}

  /// The number of a node, or null.
  static @Nullable Long idOf(Handle handle, long owner, String name) {
    return handle
        .createQuery("select id from pubsub_node where owner_id = ? and name = ?")
        .bind(0, owner)
        .bind(1, name)
        .mapTo(Long.class)
        .findOne()
        .orElse(null);
  }

  static @Nullable Stored find(Handle handle, Jid owner, String name) {
    Row found = row(handle, owner, name);
    if (found == null) {
      return null;
    }
    List<Affiliation> affiliations =
        ReadableRows.of(
            handle.createQuery(AFFILIATIONS).bind(0, found.id), row -> affiliation(owner, row));
    List<Subscription> subscriptions =
        ReadableRows.of(
            handle.createQuery(SUBSCRIPTIONS).bind(0, found.id), row -> subscription(owner, row));
    return new Stored(found.node, affiliations, subscriptions, found.items, found.bytes);
  }

  static @Nullable Row row(Handle handle, Jid owner, String name) {
    return owned(handle, NODE, owner)
        .bind(2, name)
        .map((row, context) -> row(owner, row))
        .findOne()
        .orElse(null);
  }

  static List<Stored> findAll(Handle handle, Jid owner) {
    List<Row> rows = owned(handle, NODES, owner).map((row, context) -> row(owner, row)).list();
    if (rows.isEmpty()) {
      return List.of();
    }
    Map<Long, List<Affiliation>> affiliations =
        byNode(owned(handle, ALL_AFFILIATIONS, owner), row -> affiliation(owner, row));
    Map<Long, List<Subscription>> subscriptions =
        byNode(owned(handle, ALL_SUBSCRIPTIONS, owner), row -> subscription(owner, row));
    return rows.stream()
        .map(row ->
            new Stored(
                row.node,
                affiliations.getOrDefault(row.id, List.of()),
                subscriptions.getOrDefault(row.id, List.of()),
                row.items,
                row.bytes))
        .toList();
  }

  /// The rows that can be read, by the node's number in the first column.
  private static <T> Map<Long, List<T>> byNode(Query query, ReadableRows.Reader<T> reader) {
    Map<Long, List<T>> found = new HashMap<>();
    query
        .map((row, context) -> {
          T value = reader.read(row);
          return value != null
              && found.computeIfAbsent(row.getLong(1), node -> new ArrayList<>()).add(value);
        })
        .list();
    return found;
  }

  /// Affiliations after that of an address; null if there is no such node.
  static @Nullable List<Affiliation> affiliations(
      Handle handle, Jid owner, String node, @Nullable String after, int limit) {
    return page(
        handle, owner, node, after, limit, SOME_AFFILIATIONS, row -> affiliation(owner, row));
  }

  /// Subscriptions after that of an identifier; null if there is no such node.
  static @Nullable List<Subscription> subscriptions(
      Handle handle, Jid owner, String node, @Nullable String after, int limit) {
    return page(
        handle, owner, node, after, limit, SOME_SUBSCRIPTIONS, row -> subscription(owner, row));
  }

  /// The key of a row in the second column, and its value, which is null if it cannot be read.
  private record Keyed<T>(String key, @Nullable T value) {}

  private static <T> @Nullable List<T> page(
      Handle handle,
      Jid owner,
      String node,
      @Nullable String after,
      int limit,
      String query,
      ReadableRows.Reader<T> reader) {
    Row found = row(handle, owner, node);
    if (found == null) {
      return null;
    }
    String first = after == null ? "" : after;
    return ReadableRows.<Keyed<T>, T>page(
        limit,
        (last, wanted) ->
            handle
                .createQuery(query)
                .bind(0, found.id)
                .bind(1, last == null ? first : last.key)
                .bind(2, wanted)
                .map((row, context) -> new Keyed<T>(row.getString(2), reader.read(row)))
                .list(),
        Keyed::value);
  }

  static List<Node> listed(Handle handle, Jid owner, @Nullable String after, int limit) {
    return owned(handle, LISTED, owner)
        .bind(2, after == null ? "" : after)
        .bind(3, limit)
        .map((row, context) -> row(owner, row).node)
        .list();
  }

  static Usage usage(Handle handle, Jid owner, Jid creator) {
    return owned(handle, USAGE, owner)
        .bind(2, creator.toString())
        .map((row, context) -> new Usage(row.getInt(1), row.getLong(2), row.getLong(3)))
        .one();
  }

  static Query owned(Handle handle, String query, Jid owner) {
    return handle.createQuery(query).bind(0, owner.domain()).bind(1, OwnerIds.localOf(owner));
  }

  /// A node, from the columns of [#COLUMNS].
  static Node node(Jid owner, ResultSet row) throws SQLException {
    return row(owner, row).node;
  }

  private static Row row(Jid owner, ResultSet row) throws SQLException {
    return new Row(
        row.getLong(1),
        new Node(
            owner,
            row.getString(2),
            addressOr(owner, "pubsub_node", row.getString(3)),
            MessageLog.timeOf(row.getLong(4)),
            row.getString(5),
            row.getInt(8) != 0,
            row.getInt(9),
            row.getInt(10) != 0),
        row.getInt(6),
        row.getLong(7));
  }

  private static @Nullable Affiliation affiliation(Jid owner, ResultSet row) throws SQLException {
    Jid user = ReadableRows.address("pubsub_affiliation", owner, row.getString(2));
    return user == null ? null : new Affiliation(user, row.getString(3));
  }

  static @Nullable Subscription subscription(Jid owner, ResultSet row) throws SQLException {
    Jid subscriber = ReadableRows.address("pubsub_subscription", owner, row.getString(3));
    return subscriber == null
        ? null
        : new Subscription(row.getString(2), subscriber, row.getString(4), row.getString(5));
  }

  /// A creator or publisher; the owner if the address cannot be read.
  private static Jid addressOr(Jid owner, String table, String text) {
    Jid found = ReadableRows.address(table, owner, text);
    return found == null ? owner : found;
  }

  static Map<String, Jid> publishers(
      Handle handle, Jid owner, String node, Collection<String> ids) {
    Map<String, Jid> publishers = new HashMap<>();
    handle
        .createQuery(PUBLISHERS)
        .bind("domain", owner.domain())
        .bind("local", OwnerIds.localOf(owner))
        .bind("name", node)
        .bindList("ids", List.copyOf(ids))
        .map((row, context) ->
            publishers.put(row.getString(1), addressOr(owner, "pubsub_item", row.getString(2))))
        .list();
    return publishers;
  }

  static List<String> newest(Handle handle, Jid owner, String node, int limit) {
    return owned(handle, NEWEST, owner).bind(2, node).bind(3, limit).mapTo(String.class).list();
  }

  /// An item, from that column on.
  static Item item(Jid owner, ResultSet row, int first) throws SQLException {
    return new Item(
        row.getString(first),
        addressOr(owner, "pubsub_item", row.getString(first + 1)),
        MessageLog.timeOf(row.getLong(first + 2)),
        SqlKeyValues.bytes(row.getBytes(first + 3)));
  }

  /// An item without its payload; the column has the size of the id too.
  static ItemHead head(Jid owner, ResultSet row) throws SQLException {
    String id = row.getString(1);
    return new ItemHead(
        id,
        addressOr(owner, "pubsub_item", row.getString(2)),
        MessageLog.timeOf(row.getLong(3)),
        row.getLong(4) - id.getBytes(StandardCharsets.UTF_8).length);
  }

  static List<Last> lastItems(Handle handle, Jid owner, Set<String> nodes) {
    return handle
        .createQuery(LAST_ITEMS)
        .bind("domain", owner.domain())
        .bind("local", OwnerIds.localOf(owner))
        .bindList("names", List.copyOf(nodes))
        .map((row, context) -> {
          String name = row.getString(1);
          return new Last(name, item(owner, row, 2));
        })
        .list();
  }
}
