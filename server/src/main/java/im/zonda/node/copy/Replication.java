package im.zonda.node.copy;

import im.zonda.jid.Jid;
import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Has other nodes keep copies of the state of homes of this one, for the case that it dies. Any
/// thread may call.
public interface Replication {
  /// A server without a cluster, which copies nothing.
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
            Jid home, Map<String, byte @Nullable []> parts, @Nullable CopyListener listener) {}
      };

  /// Whether other nodes keep copies of the state of homes. Never changes.
  default boolean copies() {
    return true;
  }

  /// Whether there is another node that keeps copies of the state of a home of this one.
  boolean hasStandby(Jid home);

  /// Parts of the state of a home of this node have changed: another node is to have them if this
  /// one dies. Returns at once; does nothing for a home that is not here any more.
  ///
  /// @param parts taken over, by their keys, and sent in this order; null for a part that there is
  ///   not any more
  /// @param listener learns when the other node has all of them
  void copy(Jid home, Map<String, byte @Nullable []> parts, @Nullable CopyListener listener);

  /// As [#copy(Jid, Map, CopyListener)], of one part.
  default void copy(Jid home, String key, byte @Nullable [] state) {
    copy(home, Collections.singletonMap(key, state), null);
  }

  /// For how long, in ms, sessions of a home that were lost with their node may be made again by
  /// their streams; 0 if none was lost.
  default long awaitsSessions(Jid home) {
    return 0;
  }
}
