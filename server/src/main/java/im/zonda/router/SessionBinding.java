package im.zonda.router;

import im.zonda.config.Limits;
import im.zonda.home.HomeTask;
import im.zonda.hook.SessionListener;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.IdSource;
import im.zonda.route.ErrorReplies;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import im.zonda.stanza.StreamErrorCondition;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sessions come to and leave their account's home (RFC 6120, section 7).
///
/// A client that asks for a resource in use gets it, and the older session is ended with `conflict`
/// (section 7.7.2.2, third case): after a broken connection the old one is usually dead.
final class SessionBinding {
  private static final Logger LOG = LoggerFactory.getLogger(SessionBinding.class);

  private final IdSource ids;
  private final Limits limits;
  private final CatchUp catchUp;
  private final Resumption resumption;
  private final StanzaRouter router;

  SessionBinding(
      IdSource ids, Limits limits, CatchUp catchUp, Resumption resumption, StanzaRouter router) {
    this.ids = ids;
    this.limits = limits;
    this.catchUp = catchUp;
    this.resumption = resumption;
    this.router = router;
  }

  HomeTask<AccountHome> task(
      @Nullable String resource, Outbound outbound, SessionGate.Binding callback) {
    return new HomeTask<AccountHome>() {
      @Override
      public void run(AccountHome home) {
        bind(home, resource, outbound, callback);
      }

      @Override
      public void failed(Throwable cause) {
        callback.refused(ErrorReplies.errorFor(cause).condition());
      }
    };
  }

  private void bind(
      AccountHome home,
      @Nullable String resource,
      Outbound outbound,
      SessionGate.Binding callback) {
    if (!home.exists()) {
      callback.refused(ErrorCondition.NOT_AUTHORIZED);
      return;
    }
    Jid jid;
    try {
      jid = home.jid().withResource(resource == null ? ids.next() : resource);
    } catch (JidFormatException e) {
      callback.refused(ErrorCondition.BAD_REQUEST);
      return;
    }
    String prepared = jid.resource();
    LocalSession older = prepared == null ? null : home.session(prepared);
    if (older == null && home.sessions().size() >= limits.sessionsPerAccount()) {
      // A session without a stream makes room for one with.
      older = longestDetached(home);
    }
    if (older == null && home.sessions().size() >= limits.sessionsPerAccount()) {
      callback.refused(ErrorCondition.RESOURCE_CONSTRAINT);
      return;
    }
    if (older != null) {
      close(home, older, StreamErrorCondition.CONFLICT, "replaced by a new connection");
    }
    LocalSession session = resumption.session(jid, outbound);
    home.add(session);
    try {
      for (SessionListener listener : home.dispatch().listeners()) {
        listener.bound(home, session);
      }
      callback.atHome(home, session);
    } catch (RuntimeException | Error e) {
      // The client is refused, so nothing would ever end the session.
      end(home, session);
      throw e;
    }
    callback.bound(new ClientSession(router, session, outbound));
  }

  private static boolean isDetached(LocalSession session) {
    return session.outgoing().use().detached() != Outgoing.ATTACHED;
  }

  private static @Nullable LocalSession longestDetached(AccountHome home) {
    LocalSession longest = null;
    long since = Outgoing.ATTACHED;
    for (LocalSession session : home.sessions()) {
      long detached = session.outgoing().use().detached();
      if (detached < since) {
        longest = session;
        since = detached;
      }
    }
    return longest;
  }

  /// The session's stream `stream` is gone without an end: it waits for another one if it can.
  void lost(AccountHome home, LocalSession session, Outbound stream) {
    if (!session.outgoing().detach(stream) || !home.sessions().contains(session)) {
      return;
    }
    if (!resumption.detached(session)) {
      end(home, session);
      return;
    }
    catchUp.detached(home, session);
    long detached = home.sessions().stream().filter(SessionBinding::isDetached).count();
    LocalSession longest = longestDetached(home);
    if (detached > limits.detachedSessionsPerAccount() && longest != null) {
      end(home, longest);
    }
  }

  /// Ends a session that has no room for what is sent to it.
  void noRoom(AccountHome home, LocalSession session) {
    int stanzas = session.outgoing().unacknowledged();
    int bytes = session.outgoing().use().bytes();
    if (close(
        home, session, StreamErrorCondition.RESOURCE_CONSTRAINT, "too much is not acknowledged")) {
      LOG.atInfo()
          .addKeyValue("jid", session.jid())
          .addKeyValue("stanzas", stanzas)
          .addKeyValue("bytes", bytes)
          .log("session_ended_unacknowledged");
    }
  }

  /// Ends the session, and its stream if it has one. False if it has ended before.
  boolean close(
      AccountHome home, LocalSession session, StreamErrorCondition condition, String text) {
    if (!home.sessions().contains(session)) {
      return false;
    }
    end(home, session);
    // It is the last one: a session that is over gets no other.
    Outbound stream = session.outgoing().owner();
    if (stream != null) {
      stream.close(condition, text);
    }
    return true;
  }

  /// Takes an ended session out of its home; does nothing if it is not there any more.
  void end(AccountHome home, LocalSession session) {
    if (!home.remove(session)) {
      return;
    }
    for (SessionListener listener : home.dispatch().listeners()) {
      try {
        listener.ended(home, session);
      } catch (RuntimeException | Error e) {
        // What the session holds must be released all the same.
        LOG.atError().addKeyValue("jid", session.jid()).setCause(e).log("session_listener_failed");
      }
    }
    session.presence(null);
    List<KeptStanza> rest = session.outgoing().end();
    resumption.over(session);
    int entries = 0;
    for (KeptStanza sent : rest) {
      entries += sent.left() instanceof Logged ? 1 : 0;
      if (sent.stanza() instanceof Iq iq) {
        // Whoever asked must not wait for ever (XEP-0198, section 4).
        router.refuse(iq, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE));
      }
    }
    // What was sent to it but has not left is still in the log.
    home.waiting().joined(entries);
    if (session.management() == null) {
      home.waiting().joinedUncounted();
    }
    home.waiting().unread(true);
    for (LocalSession other : home.sessions()) {
      catchUp.begin(home, other);
    }
  }

  /// The account is no more: its sessions end, what was loaded is forgotten.
  void forget(AccountHome home) {
    for (LocalSession session : home.sessions()) {
      close(home, session, StreamErrorCondition.NOT_AUTHORIZED, "the account was removed");
    }
    home.unload();
  }
}
