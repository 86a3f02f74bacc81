package im.zonda.storage.sql.account;

import im.zonda.jid.Jid;
import im.zonda.store.PubSubStore.Node;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/// Which nodes are in which collections (XEP-0248).
final class AssociationRows {
  private static final String EXISTING =
      "select count(*) from pubsub_association where collection_id = ? and child_id = ?";

  private static final String COLLECTIONS =
      """
      select c.name
      from pubsub_association a
        join pubsub_node n on n.id = a.child_id
        join pubsub_node c on c.id = a.collection_id
      where n.owner_id = (select id from account where domain = ? and local = ?) and n.name = ?
      order by c.name
      """;

  private static final String OF_COLLECTION =
      """
      from pubsub_node
      where id in (
        select child_id from pubsub_association
        where collection_id = (
          select id from pubsub_node
          where owner_id = (select id from account where domain = ? and local = ?) and name = ?))
      """;

  private static final String CHILDREN =
      "select " + PubSubRows.COLUMNS + " " + OF_COLLECTION + " and name > ? order by name limit ?";

  private AssociationRows() {}

  /// Adds an association in the writer's transaction; false if it is there, or a node is not.
  static boolean add(Handle handle, long owner, String collection, String child) {
    Long from = PubSubRows.idOf(handle, owner, collection);
    Long to = PubSubRows.idOf(handle, owner, child);
    if (from == null || to == null || exists(handle, from, to)) {
      return false;
    }
    handle.execute(
        "insert into pubsub_association (collection_id, child_id) values (?, ?)", from, to);
    return true;
  }

  private static boolean exists(Handle handle, long collection, long child) {
    return handle
            .createQuery(EXISTING)
            .bind(0, collection)
            .bind(1, child)
            .mapTo(Integer.class)
            .one()
        > 0;
  }

  /// Removes an association in the writer's transaction; false if there was none.
  static boolean remove(Handle handle, long owner, String collection, String child) {
    Long from = PubSubRows.idOf(handle, owner, collection);
    Long to = PubSubRows.idOf(handle, owner, child);
    return from != null
        && to != null
        && handle.execute(
                "delete from pubsub_association where collection_id = ? and child_id = ?", from, to)
            > 0;
  }

  static List<String> collections(Handle handle, Jid owner, String child) {
    return named(handle, COLLECTIONS, owner, child).mapTo(String.class).list();
  }

  static List<Node> children(
      Handle handle, Jid owner, String collection, @Nullable String after, int limit) {
    return named(handle, CHILDREN, owner, collection)
        .bind(3, after == null ? "" : after)
        .bind(4, limit)
        .map((row, context) -> PubSubRows.node(owner, row))
        .list();
  }

  static int countChildren(Handle handle, Jid owner, String collection) {
    return named(handle, "select count(*) " + OF_COLLECTION, owner, collection)
        .mapTo(Integer.class)
        .one();
  }

  private static Query named(Handle handle, String query, Jid owner, String node) {
    return PubSubRows.owned(handle, query, owner).bind(2, node);
  }
}
