package im.zonda.home.recovery;

import im.zonda.home.session.LocalSession;
import im.zonda.home.session.SessionPhase;
import im.zonda.home.session.StreamManagementState;
import im.zonda.jid.Jid;
import im.zonda.link.ToStream;

/// Replicates sessions that can be resumed (XEP-0198, section 5) to another node of the cluster,
/// which recovers them if this node dies. Any thread may call; methods with a session are called in
/// its home's mailbox, except [#forget].
public interface SessionReplication {
  /// A server without a cluster, which replicates nothing.
  SessionReplication NONE =
      new SessionReplication() {
        @Override
        public void managed(LocalSession session) {}

        @Override
        public void changed(LocalSession session) {}

        @Override
        public void resuming(LocalSession session, Runnable then) {
          then.run();
        }

        @Override
        public void detached(LocalSession session) {}

        @Override
        public void ended(LocalSession session) {}

        @Override
        public void forget(LocalSession session) {}

        @Override
        public void removeReplica(Jid account, String id) {}

        @Override
        public void recovered(LocalSession session) {}

        @Override
        public void replicateChanges() {}
      };

  /// Stream management of the session has been enabled, or restored with it: starts its
  /// replication.
  void managed(LocalSession session);

  /// The session has changed.
  void changed(LocalSession session);

  /// More of the client's stanzas have been handled: reports the count to the client, at once or
  /// when a replica has it.
  default void handled(
      LocalSession session, StreamManagementState management, SessionPhase.Link link) {
    // A keeper must get the changes that the client's stanzas have caused before their count.
    session.sendState();
    link.stream().receive(new ToStream.Handled(management.handled().handled()));
  }

  /// The session continues on another stream: runs `then` once no earlier version of it can be
  /// recovered, neither from a replica nor by the keeper of a stream that the client has left.
  void resuming(LocalSession session, Runnable then);

  /// The session has lost its stream and waits for another one.
  void detached(LocalSession session);

  /// The session has ended: its replica must not be recovered.
  void ended(LocalSession session);

  /// The session has left this node. Its replica stays.
  void forget(LocalSession session);

  /// Removes the replica of a session that is not here.
  ///
  /// @param id the id of the session, hashed
  void removeReplica(Jid account, String id);

  /// The session has been recovered from the snapshot of its stream: it replaces replicas of
  /// earlier versions.
  void recovered(LocalSession session);

  /// Replicates the changes that were not sent at once. Returns at once; to be called a few times a
  /// second.
  void replicateChanges();
}
