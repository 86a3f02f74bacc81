package im.zonda.home.recovery;

import im.zonda.cluster.Member;
import im.zonda.home.account.AccountHome;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.home.session.StreamManagementState;
import im.zonda.jid.Jid;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/// The former homes of sessions at other nodes, which may still handle stanzas of the sessions, or
/// have handled some before they were lost.
public interface FormerHomes {
  /// A server without a cluster. What its process before had in progress is lost: the clients send
  /// it again.
  FormerHomes NONE =
      new FormerHomes() {
        @Override
        public boolean restored(LocalSession session, SessionSnapshot snapshot) {
          StreamManagementState management = session.management();
          if (management != null) {
            abandonPending(session, management);
          }
          return false;
        }

        @Override
        public void recovered(LocalSession session, SessionSnapshot snapshot) {}

        @Override
        public void restoreNumbers(Jid account, Map<String, byte[]> parts) {}

        @Override
        public boolean hasLeft(String id, long resumption) {
          return false;
        }

        @Override
        public Map<Jid, Map<String, byte[]>> takeNumbers(Predicate<Jid> accounts) {
          return Map.of();
        }

        @Override
        public void attached(AccountHome home, LocalSession session) {}

        @Override
        public void abandonPending(LocalSession session, StreamManagementState management) {
          long _ = management.abandonPending();
        }

        @Override
        public boolean isAfterLoss() {
          return false;
        }

        @Override
        public void memberMissed() {}

        @Override
        public void placed(Set<Member> members) {}
      };

  /// A session has been restored from a snapshot and is not at its home yet.
  ///
  /// @return whether it may have been sent more than the snapshot says
  boolean restored(LocalSession session, SessionSnapshot snapshot);

  /// A session has been recovered from what the keeper of one of its streams had, as its home was
  /// lost. At the home.
  ///
  /// @param snapshot its time to be resumed began when it was taken
  void recovered(LocalSession session, SessionSnapshot snapshot);

  /// The home of an account moves here: stores the numbers of the last resumptions of its sessions
  /// that the former home had replicated, if they are among the parts. Any thread may call.
  void restoreNumbers(Jid account, Map<String, byte[]> parts);

  /// Whether a client has left the stream with that number, because a lost home has replicated a
  /// higher one. Any thread may call.
  ///
  /// @param id the id of the session, hashed
  /// @param resumption see [im.zonda.link.SessionVersion#resumptions]
  boolean hasLeft(String id, long resumption);

  /// Takes what [#restoreNumbers] was given for these accounts, which move to another node. Any
  /// thread may call.
  Map<Jid, Map<String, byte[]>> takeNumbers(Predicate<Jid> accounts);

  /// A restored or recovered session is at its home.
  void attached(AccountHome home, LocalSession session);

  /// Gives up on stanzas still in progress at the former home: none is in progress then, and the
  /// client sends them again. At the home.
  void abandonPending(LocalSession session, StreamManagementState management);

  /// Whether a node was lost so recently that its sessions may still be recovered or arrive. Any
  /// thread may call.
  boolean isAfterLoss();

  /// A node is missed and not yet evicted. Any thread may call.
  void memberMissed();

  /// The membership is decided. If a node is gone, stanzas of moved sessions that were in progress
  /// there are abandoned. Returns at once; called by one thread at a time.
  void placed(Set<Member> members);
}
