package im.zonda.store;

import im.zonda.jid.Jid;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/// The message log as the nodes of a cluster share it: homes move between them, and stanzas whose
/// handling is uncertain are found again by their origin.
///
/// A store that only one server uses need not implement it.
public interface ClusterLog {
  /// A log that only this server uses.
  ClusterLog NONE = new ClusterLog() {};

  /// An entry that was found by its origin.
  ///
  /// @param id its position in the log
  /// @param isSentCopy whether it is its sender's own copy, too
  record Known(long id, boolean isSentCopy) {}

  /// Called when the home of an owner is loaded, before its data is read; for an account, by
  /// [Stores#openHome]. In a cluster the home may have been on another node, which has flushed its
  /// log since: what stores have in memory of the owner is dropped, and further ids are larger than
  /// those of all its entries. Blocks in a cluster.
  ///
  /// @param newest an id that may be in the log and not in the database yet: the last one that the
  ///   former home has issued, if it is known
  /// @return no entry of the owner has a higher id; `newest` without a cluster, where nothing has
  ///   to be done
  default long takeOver(Jid owner, long newest) {
    return newest;
  }

  /// As the other, if no id of the former home is known.
  default void takeOver(Jid owner) {
    long _ = takeOver(owner, Long.MIN_VALUE);
  }

  /// Whether entries keep their origin, which costs nothing without a cluster: then they do not.
  default boolean keepsOrigins() {
    return false;
  }

  /// Finds the entries with these origins. Blocks.
  ///
  /// @param age how long ago the oldest of the entries can have been appended, if the clocks of all
  ///   nodes were the same; a difference of half a minute does no harm
  /// @throws StoreException if it is not known now
  default Map<Long, Known> findOrigins(Set<Long> origins, Duration age) {
    return Map.of();
  }

  /// The origins of all entries that were appended at most `age` ago and are durable at the call,
  /// and perhaps of some later ones. Blocks.
  ///
  /// @param age as for [#findOrigins]
  /// @throws StoreException if they are not known now
  default AppendedOrigins appendedOrigins(Duration age) {
    return AppendedOrigins.NONE;
  }
}
