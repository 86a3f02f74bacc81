package im.zonda.storage.sql.log;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.database.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Cache of the database ids of owners (accounts and rooms). Confined to the writer thread.
///
/// In a cluster, another node may remove an account whose id is known here. Each node counts the
/// accounts it has removed; when a transaction begins and the sum has changed, all known ids are
/// discarded. A transaction at the same time as the removal may still write rows of the removed
/// account, which no one can read.
public final class OwnerIds {
  /// The result for an owner that does not exist.
  public static final long NONE = -1;

  /// The column `local` of a domain's row; that of a queue for a remote domain begins with it.
  public static final String DOMAIN = "/";

  private static final int MAX = 16_384;
  private static final String FIND = "select id from account where domain = ? and local = ?";

  private static final String REMOVALS = "select sum(removals) from cluster_node";
  private static final String COUNT =
      "update cluster_node set removals = removals + 1 where number = ?";

  private final Map<Jid, Long> known =
      new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Jid, Long> eldest) {
          return size() > MAX;
        }
      };
  private final PreparedStatement find;
  private final int node;
  private final @Nullable PreparedStatement removals;
  private long removed = -1;

  /// @param node the number of the node, or [Dialect#NO_NODE]
  OwnerIds(Connection connection, int node) throws SQLException {
    find = connection.prepareStatement(FIND);
    this.node = node;
    removals = node == Dialect.NO_NODE ? null : connection.prepareStatement(REMOVALS);
  }

  /// A transaction has begun.
  void begin() throws SQLException {
    if (removals == null) {
      return;
    }
    try (ResultSet row = removals.executeQuery()) {
      long sum = row.next() ? row.getLong(1) : 0;
      if (sum != removed) {
        known.clear();
        removed = sum;
      }
    }
  }

  /// Removes an account that is being deleted, and lets the other nodes know with the commit.
  public void removeAccount(Jid account) throws SQLException {
    forget(account);
    if (removals != null) {
      try (PreparedStatement count = find.getConnection().prepareStatement(COUNT)) {
        count.setInt(1, node);
        count.executeUpdate();
      }
    }
  }

  /// The id of the owner, or [#NONE].
  public long idOf(Jid owner) throws SQLException {
    Long id = known.get(owner);
    if (id != null) {
      return id;
    }
    find.setString(1, owner.domain());
    find.setString(2, localOf(owner));
    try (ResultSet row = find.executeQuery()) {
      if (!row.next()) {
        return NONE;
      }
      long found = row.getLong(1);
      known.put(owner, found);
      return found;
    }
  }

  /// Removes an owner that is being deleted.
  public void forget(Jid owner) {
    known.remove(owner);
  }

  /// Closes the statement. After a rollback the cache must not be used either: the owners that it
  /// holds may not have been created.
  void close() throws SQLException {
    find.close();
    if (removals != null) {
      removals.close();
    }
  }

  /// The column `local` of an owner's row. That of a queue for a remote domain
  /// ([im.zonda.store.RemoteQueueStore]) begins with a slash, which no local part of an address has
  /// (RFC 7622, section 3.3.1). That of the domain of a service is the slash alone.
  public static String localOf(Jid owner) {
    String local = owner.local();
    if (local != null) {
      return local;
    }
    String remote = owner.resource();
    return remote == null ? DOMAIN : DOMAIN + remote;
  }
}
