package im.zonda.home.account;

import im.zonda.home.session.LocalSession;
import im.zonda.home.session.Management;
import im.zonda.home.session.MovingSession;
import im.zonda.home.session.SavedSession;
import im.zonda.jid.Jid;
import im.zonda.node.Nodes;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// Has another node of the cluster keep copies of the sessions that wait for resumption (XEP-0198,
/// section 5), for the case that this node dies. Any thread may call.
///
/// A session is copied as a whole, some times a second at most and less often the larger it is. The
/// messages that a copy has not are in the log, which is read from the last one on that it has.
final class SessionCopies {
  /// A session waits for one more round after each so many bytes.
  private static final int ROUND_BYTES = 32_768;

  private final StanzaRouter router;
  private final Resumption resumption;
  private final Nodes nodes;
  private final boolean enabled;

  /// Sessions that are not as they were.
  private final Set<LocalSession> changed = ConcurrentHashMap.newKeySet();

  SessionCopies(StanzaRouter router, Resumption resumption) {
    this.router = router;
    this.resumption = resumption;
    this.nodes = router.homes().nodes();
    this.enabled = nodes.copies();
  }

  /// A session without a stream is not as it was.
  void changed(LocalSession session) {
    if (enabled) {
      changed.add(session);
    }
  }

  /// A session has a stream again, or is over: a copy must not be resumed.
  void remove(LocalSession session) {
    Management management = session.management();
    String id = management == null ? null : management.id();
    if (enabled && id != null) {
      changed.remove(session);
      if (session.isCopied()) {
        session.copied(false);
        removeCopy(session.jid().bare(), id);
      }
    }
  }

  /// Removes the copy of a session that is not here.
  void removeCopy(Jid account, String id) {
    nodes.copy(account, id, null);
  }

  /// Copies the sessions that have changed. Returns at once.
  ///
  /// @param form writes one
  void copyChanges(Function<MovingSession, byte[]> form) {
    for (LocalSession session : List.copyOf(changed)) {
      if (session.mayCopy()) {
        changed.remove(session);
        router.submit(session.jid().bare(), false, home -> copy(home, session, form));
      }
    }
  }

  private void copy(AccountHome home, LocalSession session, Function<MovingSession, byte[]> form) {
    if (!session.isDetached() || !home.sessions().contains(session)) {
      return;
    }
    SavedSession saved = resumption.copy(session);
    if (saved == null) {
      return;
    }
    // What is being handled is sent again by the client: it is not known which node will say so.
    byte[] state = form.apply(MovingSession.copy(saved));
    session.copied(true);
    session.pauseCopies(state.length / ROUND_BYTES);
    nodes.copy(home.jid(), saved.id(), state);
  }
}
