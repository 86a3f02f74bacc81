package im.zonda.cluster.replica;

import im.zonda.jid.Jid;
import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Replicates the state of this node's homes to their standbys, which open the homes if this node
/// dies. Any thread may call.
public interface Replication {
  /// A server without a cluster, which replicates nothing.
  Replication NONE =
      new Replication() {
        @Override
        public boolean copies() {
          return false;
        }

        @Override
        public boolean hasStandby(Jid home) {
          return false;
        }

        @Override
        public void copy(
            Jid home, Map<String, byte @Nullable []> parts, @Nullable ReplicaListener listener) {}
      };

  /// Whether the state of homes is replicated to other nodes. Never changes.
  default boolean copies() {
    return true;
  }

  /// Whether a home of this node has a standby.
  boolean hasStandby(Jid home);

  /// Replicates changed parts of the state of a home of this node to its standby. Returns at once;
  /// does nothing for a home that has left this node.
  ///
  /// @param parts taken over, by their keys, and sent in this order; null for a part that was
  ///   removed
  /// @param listener notified when the standby has all of them
  void copy(Jid home, Map<String, byte @Nullable []> parts, @Nullable ReplicaListener listener);

  /// As [#copy(Jid, Map, ReplicaListener)], of one part.
  default void copy(Jid home, String key, byte @Nullable [] state) {
    copy(home, Collections.singletonMap(key, state), null);
  }

  /// For how long, in ms, streams may still recover sessions of a home that were lost with their
  /// node; 0 if none was lost.
  default long awaitsSessions(Jid home) {
    return 0;
  }
}
