package im.zonda.storage.sql.account;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.database.QueryExecutor;
import im.zonda.storage.sql.log.IdClock;
import im.zonda.storage.sql.log.OwnerIds;
import im.zonda.storage.sql.log.Writer;
import im.zonda.store.PubSubStore;
import im.zonda.store.Stores;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/// Publish-subscribe nodes, in the tables `pubsub_…`.
///
/// Items have positions, which order them; the row of the node has their number and size, so that
/// neither has to be counted.
public record SqlPubSub(Writer writer, QueryExecutor queries, AccountSql sql, InstantSource time)
    implements PubSubStore {
  private static final String LIST =
      """
      select name from pubsub_node
      where owner_id = (select id from account where domain = ? and local = ?) and name > ?
      order by name limit ?
      """;

  private static final String COUNT =
      """
      select count(*) from pubsub_node
      where owner_id = (select id from account where domain = ? and local = ?)
      """;

  private static final String BYTES =
      """
      select coalesce(sum(bytes), 0) from pubsub_node
      where owner_id = (select id from account where domain = ? and local = ?)
      """;

  private static final String EXPIRED =
      """
      select count(*) from pubsub_item
      where published < ? and node_id = (
        select id from pubsub_node
        where owner_id = (select id from account where domain = ? and local = ?) and name = ?)
      """;

  private static final String CHANGE_NODE =
      "update pubsub_node set settings = ?, listed = ?, entries = ?, presence = ? where id = ?";

  private static final String ADD_NODE =
      """
      insert into pubsub_node (
        id, owner_id, name, creator, created, settings, items, bytes, listed, entries, presence)
      values (?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?)
      """;

  private static final String NO_ENTRY = "none";

  @Override
  public @Nullable Stored find(Jid owner, String name) {
    // In one transaction, to read a consistent state.
    return queries.<@Nullable Stored>query(handle ->
        handle.<@Nullable Stored, RuntimeException>inTransaction(
            same -> PubSubRows.find(same, owner, name)));
  }

  @Override
  public List<Stored> findAll(Jid owner) {
    return queries.query(handle ->
        handle.<List<Stored>, RuntimeException>inTransaction(
            same -> PubSubRows.findAll(same, owner)));
  }

  @Override
  public List<String> list(Jid owner, @Nullable String after, int limit) {
    return queries.query(handle ->
        handle
            .createQuery(LIST)
            .bind(0, owner.domain())
            .bind(1, OwnerIds.localOf(owner))
            .bind(2, after == null ? "" : after)
            .bind(3, limit)
            .mapTo(String.class)
            .list());
  }

  @Override
  public List<Node> listed(Jid owner, @Nullable String after, int limit) {
    return queries.query(handle -> PubSubRows.listed(handle, owner, after, limit));
  }

  @Override
  public List<AffiliatedNode> affiliationsOf(
      Jid owner, Jid user, @Nullable String after, int limit) {
    return queries.query(
        handle -> PubSubUserRows.affiliationsOf(handle, owner, user, after, limit));
  }

  @Override
  public int countAffiliations(Jid owner, Jid user) {
    return queries.query(handle -> PubSubUserRows.countAffiliations(handle, owner, user));
  }

  @Override
  public List<SubscribedNode> subscriptionsOf(
      Jid owner, Jid user, @Nullable SubscriptionPlace after, int limit) {
    return queries.query(
        handle -> PubSubUserRows.subscriptionsOf(handle, owner, user, after, limit));
  }

  @Override
  public int countSubscriptions(Jid owner, Jid user) {
    return queries.query(handle -> PubSubUserRows.countSubscriptions(handle, owner, user));
  }

  @Override
  public List<String> presenceNodes(Jid owner, Jid user, int limit) {
    return queries.query(handle -> PubSubUserRows.presenceNodes(handle, owner, user, limit));
  }

  @Override
  public List<Place> placesOf(Jid user, int limit) {
    return queries.query(handle -> PubSubUserRows.places(handle, user, limit));
  }

  @Override
  public boolean hasPresenceNodes(Jid owner) {
    return queries.query(handle -> PubSubUserRows.hasPresenceNodes(handle, owner));
  }

  @Override
  public boolean associate(Jid owner, String collection, String child) {
    return writer.change(connection ->
        AssociationRows.add(
            connection.handle(), connection.ownerIds().idOf(owner), collection, child));
  }

  @Override
  public boolean dissociate(Jid owner, String collection, String child) {
    return writer.change(connection ->
        AssociationRows.remove(
            connection.handle(), connection.ownerIds().idOf(owner), collection, child));
  }

  @Override
  public List<String> collections(Jid owner, String child) {
    return queries.query(handle -> AssociationRows.collections(handle, owner, child));
  }

  @Override
  public List<Node> children(Jid owner, String collection, @Nullable String after, int limit) {
    return queries.query(
        handle -> AssociationRows.children(handle, owner, collection, after, limit));
  }

  @Override
  public int countChildren(Jid owner, String collection) {
    return queries.query(handle -> AssociationRows.countChildren(handle, owner, collection));
  }

  @Override
  public Usage usage(Jid owner, Jid creator) {
    return queries.query(handle -> PubSubRows.usage(handle, owner, creator));
  }

  @Override
  public int count(Jid owner) {
    return queries.query(handle ->
        handle
            .createQuery(COUNT)
            .bind(0, owner.domain())
            .bind(1, OwnerIds.localOf(owner))
            .mapTo(Integer.class)
            .one());
  }

  @Override
  public long bytes(Jid owner) {
    return queries.query(handle ->
        handle
            .createQuery(BYTES)
            .bind(0, owner.domain())
            .bind(1, OwnerIds.localOf(owner))
            .mapTo(Long.class)
            .one());
  }

  @Override
  public void save(
      Node node, Collection<Affiliation> affiliations, Collection<Subscription> changed) {
    if (node.owner().isFull()) {
      throw new IllegalArgumentException("not the owner of a node: " + node.owner());
    }
    requireName(node.name());
    // The last change of each entry wins. Copies, because the writer reads them later.
    Map<Jid, Affiliation> users = new LinkedHashMap<>();
    affiliations.forEach(each -> users.put(each.user(), each));
    Map<String, Subscription> subscriptions = new LinkedHashMap<>();
    changed.forEach(each -> subscriptions.put(each.id(), each));
    boolean saved =
        writer.change(connection -> {
          long owner =
              DomainOwners.idOf(connection, sql, node.owner(), IdClock.micros(time.instant()));
          if (owner == OwnerIds.NONE) {
            return false;
          }
          long id = save(connection.handle(), node, owner);
          put(connection.handle(), id, users.values());
          putAll(connection.handle(), id, subscriptions.values());
          return true;
        });
    if (!saved) {
      throw new Stores.MissingOwnerException(node.owner());
    }
  }

  private static void requireName(String name) {
    if (name.isEmpty() || name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
      throw new IllegalArgumentException("a name is empty or too long: " + name.length());
    }
  }

  private long save(Handle handle, Node node, long owner) {
    Long known = PubSubRows.idOf(handle, owner, node.name());
    if (known != null) {
      handle.execute(
          CHANGE_NODE,
          node.settings(),
          node.listed() ? 1 : 0,
          node.entries(),
          node.presence() ? 1 : 0,
          known);
      return known;
    }
    long id = writer.ids().next();
    handle.execute(
        ADD_NODE,
        id,
        owner,
        node.name(),
        node.creator().toString(),
        IdClock.micros(node.created()),
        node.settings(),
        node.listed() ? 1 : 0,
        node.entries(),
        node.presence() ? 1 : 0);
    return id;
  }

  private void put(Handle handle, long node, Collection<Affiliation> changed) {
    for (Affiliation each : changed) {
      if (each.affiliation().equals(NO_ENTRY)) {
        handle.execute(
            "delete from pubsub_affiliation where node_id = ? and jid = ?",
            node,
            each.user().toString());
      } else {
        sql.putPubSubAffiliation()
            .execute(handle, node, each.user().toString(), each.affiliation());
      }
    }
  }

  private void putAll(Handle handle, long node, Collection<Subscription> changed) {
    for (Subscription each : changed) {
      if (each.state().equals(NO_ENTRY)) {
        handle.execute(
            "delete from pubsub_subscription where node_id = ? and subid = ?", node, each.id());
      } else {
        sql.putPubSubSubscription()
            .execute(
                handle,
                node,
                each.id(),
                each.subscriber().toString(),
                each.state(),
                each.options());
      }
    }
  }

  @Override
  public boolean remove(Jid owner, String name) {
    return writer.change(connection -> {
      Long id = PubSubRows.idOf(connection.handle(), connection.ownerIds().idOf(owner), name);
      // Affiliations, subscriptions and items too (on delete cascade).
      return id != null
          && connection.handle().execute("delete from pubsub_node where id = ?", id) > 0;
    });
  }

  /// A change of the items of a node, in the writer's transaction.
  private interface ItemChange<T> {
    T run(ItemRows rows);
  }

  /// Runs a change and stores the new number and size of the items; null if there is no such node.
  private <T> @Nullable T change(Jid owner, String node, ItemChange<T> change) {
    return writer.<@Nullable T>change(connection -> {
      Long id = PubSubRows.idOf(connection.handle(), connection.ownerIds().idOf(owner), node);
      if (id == null) {
        return null;
      }
      ItemRows rows = ItemRows.of(connection.handle(), id);
      T result = change.run(rows);
      rows.saveTotals();
      return result;
    });
  }

  @Override
  public List<String> publish(Jid owner, String node, List<Item> items, int most) {
    items.forEach(item -> requireName(item.id()));
    List<Item> copy = List.copyOf(items);
    List<String> removed =
        change(
            owner,
            node,
            rows -> {
              copy.forEach(rows::put);
              return rows.trim(most);
            });
    if (removed == null) {
      throw new IllegalStateException("no node " + node + " of " + owner);
    }
    return removed;
  }

  @Override
  public List<String> trim(Jid owner, String node, int most) {
    List<String> removed = change(owner, node, rows -> rows.trim(most));
    return removed == null ? List.of() : removed;
  }

  @Override
  public Set<String> retract(Jid owner, String node, Collection<String> ids) {
    List<String> copy = List.copyOf(ids);
    Set<String> removed =
        change(
            owner,
            node,
            rows -> {
              Set<String> existing = new LinkedHashSet<>();
              for (String id : copy) {
                if (rows.remove(id)) {
                  existing.add(id);
                }
              }
              return existing;
            });
    return removed == null ? Set.of() : removed;
  }

  @Override
  public int purge(Jid owner, String node) {
    Integer purged = change(owner, node, ItemRows::removeAll);
    return purged == null ? 0 : purged;
  }

  @Override
  public int expire(Jid owner, String node, Instant before) {
    long micros = IdClock.micros(before);
    int expired =
        queries.query(handle ->
            handle
                .createQuery(EXPIRED)
                .bind(0, micros)
                .bind(1, owner.domain())
                .bind(2, OwnerIds.localOf(owner))
                .bind(3, node)
                .mapTo(Integer.class)
                .one());
    if (expired == 0) {
      return 0; // without a write
    }
    Integer removed = change(owner, node, rows -> rows.expire(micros));
    return removed == null ? 0 : removed;
  }

  @Override
  public List<Item> items(Jid owner, String node, Collection<String> ids) {
    return ids.isEmpty()
        ? List.of()
        : queries.query(handle ->
            handle.<List<Item>, RuntimeException>inTransaction(
                same -> ItemPages.items(same, owner, node, ids)));
  }

  @Override
  public Map<String, Jid> publishers(Jid owner, String node, Collection<String> ids) {
    return ids.isEmpty()
        ? Map.of()
        : queries.query(handle -> PubSubRows.publishers(handle, owner, node, ids));
  }

  @Override
  public List<String> newest(Jid owner, String node, int limit) {
    return queries.query(handle -> PubSubRows.newest(handle, owner, node, limit)).reversed();
  }

  @Override
  public @Nullable Page page(
      Jid owner,
      String node,
      Order order,
      @Nullable String reference,
      boolean backwards,
      int limit) {
    return queries.<@Nullable Page>query(handle ->
        handle.<@Nullable Page, RuntimeException>inTransaction(
            same -> ItemPages.page(same, owner, node, order, reference, backwards, limit)));
  }

  @Override
  public @Nullable ItemHeads heads(Jid owner, String node, @Nullable String after, int limit) {
    return queries.<@Nullable ItemHeads>query(handle ->
        handle.<@Nullable ItemHeads, RuntimeException>inTransaction(
            same -> ItemPages.heads(same, owner, node, after, limit)));
  }

  @Override
  public @Nullable List<Affiliation> affiliations(
      Jid owner, String node, @Nullable String after, int limit) {
    return queries.<@Nullable List<Affiliation>>query(
        handle -> PubSubRows.affiliations(handle, owner, node, after, limit));
  }

  @Override
  public @Nullable List<Subscription> subscriptions(
      Jid owner, String node, @Nullable String after, int limit) {
    return queries.<@Nullable List<Subscription>>query(
        handle -> PubSubRows.subscriptions(handle, owner, node, after, limit));
  }

  @Override
  public @Nullable List<Item> select(
      Jid owner, String node, Range range, boolean backwards, int limit) {
    return queries.<@Nullable List<Item>>query(handle ->
        handle.<@Nullable List<Item>, RuntimeException>inTransaction(
            same -> ItemPages.select(same, owner, node, range, backwards, limit)));
  }

  @Override
  public List<Last> lastItems(Jid owner, Set<String> nodes) {
    return nodes.isEmpty()
        ? List.of()
        : queries.query(handle -> PubSubRows.lastItems(handle, owner, nodes));
  }
}
