package im.zonda.storage.sql.account;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.log.OwnerIds;
import im.zonda.store.MessageLog;
import im.zonda.store.PubSubStore.Affiliation;
import im.zonda.store.PubSubStore.Item;
import im.zonda.store.PubSubStore.Last;
import im.zonda.store.PubSubStore.Node;
import im.zonda.store.PubSubStore.Stored;
import im.zonda.store.PubSubStore.Subscription;
import im.zonda.store.PubSubStore.Usage;
import im.zonda.store.StoreException;
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

  /// The number of a node, or null.
  static @Nullable Long idOf(Handle handle, Jid owner, String name) {
    Row found = row(handle, owner, name);
    return found == null ? null : found.id;
  }

  static @Nullable Stored find(Handle handle, Jid owner, String name) {
    Row found = row(handle, owner, name);
    if (found == null) {
      return null;
    }
    List<Affiliation> affiliations =
        handle
            .createQuery(AFFILIATIONS)
            .bind(0, found.id)
            .map((row, context) -> affiliation(found.node, row))
            .list();
    List<Subscription> subscriptions =
        handle
            .createQuery(SUBSCRIPTIONS)
            .bind(0, found.id)
            .map((row, context) -> subscription(found.node, row))
            .list();
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
    Map<Long, Node> nodes = new HashMap<>();
    rows.forEach(row -> nodes.put(row.id, row.node));
    Map<Long, List<Affiliation>> affiliations = new HashMap<>();
    owned(handle, ALL_AFFILIATIONS, owner)
        .map((row, context) ->
            affiliations
                .computeIfAbsent(row.getLong(1), missing -> new ArrayList<>())
                .add(affiliation(nodes.get(row.getLong(1)), row)))
        .list();
    Map<Long, List<Subscription>> subscriptions = new HashMap<>();
    owned(handle, ALL_SUBSCRIPTIONS, owner)
        .map((row, context) ->
            subscriptions
                .computeIfAbsent(row.getLong(1), missing -> new ArrayList<>())
                .add(subscription(nodes.get(row.getLong(1)), row)))
        .list();
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
    String name = row.getString(2);
    return new Row(
        row.getLong(1),
        new Node(
            owner,
            name,
            jid(row.getString(3), owner, name),
            MessageLog.timeOf(row.getLong(4)),
            row.getString(5),
            row.getInt(8) != 0,
            row.getInt(9),
            row.getInt(10) != 0),
        row.getInt(6),
        row.getLong(7));
  }

  private static Affiliation affiliation(@Nullable Node node, ResultSet row) throws SQLException {
    return new Affiliation(jid(row.getString(2), node), row.getString(3));
  }

  static Subscription subscription(@Nullable Node node, ResultSet row) throws SQLException {
    return new Subscription(
        row.getString(2), jid(row.getString(3), node), row.getString(4), row.getString(5));
  }

  private static Jid jid(String text, @Nullable Node node) {
    return node == null ? jid(text, null, "") : jid(text, node.owner(), node.name());
  }

  private static Jid jid(String text, @Nullable Jid owner, String name) {
    try {
      return Jid.stored(text);
    } catch (IllegalArgumentException e) {
      throw new StoreException(
          StoreException.Category.DAMAGED, "node " + name + " of " + owner + ": " + text, e);
    }
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
            publishers.put(row.getString(1), jid(row.getString(2), owner, node)))
        .list();
    return publishers;
  }

  static List<String> newest(Handle handle, Jid owner, String node, int limit) {
    return owned(handle, NEWEST, owner).bind(2, node).bind(3, limit).mapTo(String.class).list();
  }

  /// An item, from that column on.
  static Item item(Jid owner, String node, ResultSet row, int first) throws SQLException {
    return new Item(
        row.getString(first),
        jid(row.getString(first + 1), owner, node),
        MessageLog.timeOf(row.getLong(first + 2)),
        SqlKeyValues.bytes(row.getBytes(first + 3)));
  }

  static List<Last> lastItems(Handle handle, Jid owner, Set<String> nodes) {
    return handle
        .createQuery(LAST_ITEMS)
        .bind("domain", owner.domain())
        .bind("local", OwnerIds.localOf(owner))
        .bindList("names", List.copyOf(nodes))
        .map((row, context) -> {
          String name = row.getString(1);
          return new Last(name, item(owner, name, row, 2));
        })
        .list();
  }
}
