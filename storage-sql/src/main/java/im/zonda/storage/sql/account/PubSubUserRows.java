package im.zonda.storage.sql.account;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.log.OwnerIds;
import im.zonda.store.PubSubStore.AffiliatedNode;
import im.zonda.store.PubSubStore.Place;
import im.zonda.store.PubSubStore.SubscribedNode;
import im.zonda.store.PubSubStore.Subscription;
import im.zonda.store.PubSubStore.SubscriptionPlace;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/// Reads what a user has at the nodes of an owner, found by the user.
final class PubSubUserRows {
  /// The nodes of an owner that a table of entries refers to.
  private static final String NODES =
      """
      join pubsub_node n on n.id = e.node_id
      where n.owner_id = (select id from account where domain = ? and local = ?)
      """;

  private static final String AFFILIATIONS =
      "from pubsub_affiliation e " + NODES + " and e.jid = ? ";

  /// The full addresses of a user are between `user/` and `user0`, which is the next character.
  private static final String SUBSCRIPTIONS =
      "from pubsub_subscription e " + NODES + " and (e.jid = ? or (e.jid > ? and e.jid < ?)) ";

  private static final String AFFILIATIONS_OF =
      "select n.name, e.affiliation " + AFFILIATIONS + " and n.name > ? order by n.name limit ?";

  private static final String SUBSCRIPTIONS_OF =
      "select e.node_id, e.subid, e.jid, e.state, e.options, n.name "
          + SUBSCRIPTIONS
          + " and (n.name > ? or (n.name = ? and e.subid > ?)) order by n.name, e.subid limit ?";

  private static final String PRESENCE_NODES =
      "select n.name as name "
          + AFFILIATIONS
          + " and n.presence = 1 union select n.name as name "
          + SUBSCRIPTIONS
          + " and n.presence = 1 order by name limit ?";

  private static final String HAS_PRESENCE_NODES =
      """
      select count(*) from (
        select 1 as found from pubsub_node
        where owner_id = (select id from account where domain = ? and local = ?) and presence = 1
        limit 1) as first_one
      """;

  private static final String PLACES =
      """
      select o.domain as domain, o.local as local, n.name as name
      from pubsub_node n join account o on o.id = n.owner_id
      where n.id in (
        select node_id from pubsub_affiliation where jid = ? and affiliation <> 'outcast'
        union
        select node_id from pubsub_subscription where jid = ? or (jid > ? and jid < ?))
      order by n.id limit ?
      """;

  private PubSubUserRows() {}

  static List<AffiliatedNode> affiliationsOf(
      Handle handle, Jid owner, Jid user, @Nullable String after, int limit) {
    return PubSubRows.owned(handle, AFFILIATIONS_OF, owner)
        .bind(2, user.toString())
        .bind(3, after == null ? "" : after)
        .bind(4, limit)
        .map((row, context) -> new AffiliatedNode(row.getString(1), row.getString(2)))
        .list();
  }

  static int countAffiliations(Handle handle, Jid owner, Jid user) {
    return PubSubRows.owned(handle, "select count(*) " + AFFILIATIONS, owner)
        .bind(2, user.toString())
        .mapTo(Integer.class)
        .one();
  }

  static List<SubscribedNode> subscriptionsOf(
      Handle handle, Jid owner, Jid user, @Nullable SubscriptionPlace after, int limit) {
    SubscriptionPlace first = after == null ? new SubscriptionPlace("", "") : after;
    return ReadableRows.page(
        limit,
        (last, wanted) -> {
          SubscriptionPlace place = last == null ? first : last.place;
          return bindUser(PubSubRows.owned(handle, SUBSCRIPTIONS_OF, owner), 2, user)
              .bind(5, place.node())
              .bind(6, place.node())
              .bind(7, place.id())
              .bind(8, wanted)
              .map((row, context) -> found(owner, row))
              .list();
        },
        Found::node);
  }

  /// @param node null if the subscription cannot be read
  private record Found(SubscriptionPlace place, @Nullable SubscribedNode node) {}

  private static Found found(Jid owner, ResultSet row) throws SQLException {
    String name = row.getString(6);
    Subscription subscription = PubSubRows.subscription(owner, row);
    return new Found(
        new SubscriptionPlace(name, row.getString(2)),
        subscription == null ? null : new SubscribedNode(name, subscription));
  }

  private static Query bindUser(Query query, int first, Jid user) {
    return query
        .bind(first, user.toString())
        .bind(first + 1, user + "/")
        .bind(first + 2, user + "0");
  }

  static int countSubscriptions(Handle handle, Jid owner, Jid user) {
    Query query = PubSubRows.owned(handle, "select count(*) " + SUBSCRIPTIONS, owner);
    return bindUser(query, 2, user).mapTo(Integer.class).one();
  }

  static List<String> presenceNodes(Handle handle, Jid owner, Jid user, int limit) {
    Query query =
        PubSubRows.owned(handle, PRESENCE_NODES, owner)
            .bind(2, user.toString())
            .bind(3, owner.domain())
            .bind(4, OwnerIds.localOf(owner));
    return bindUser(query, 5, user).bind(8, limit).mapTo(String.class).list();
  }

  static List<Place> places(Handle handle, Jid user, int limit) {
    Query query = handle.createQuery(PLACES).bind(0, user.toString());
    return ReadableRows.of(
        bindUser(query, 1, user).bind(4, limit),
        row -> {
          Jid owner = ReadableRows.owner(row.getString(1), row.getString(2));
          return owner == null ? null : new Place(owner, row.getString(3));
        });
  }

  static boolean hasPresenceNodes(Handle handle, Jid owner) {
    return PubSubRows.owned(handle, HAS_PRESENCE_NODES, owner).mapTo(Integer.class).one() > 0;
  }
}
