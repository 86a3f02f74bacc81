package im.zonda.home.lifecycle;

import im.zonda.account.GuestAddress;
import im.zonda.config.limits.HostLimits;
import im.zonda.home.HomeTask;
import im.zonda.home.account.AccountHome;
import im.zonda.home.delivery.CatchUp;
import im.zonda.home.guest.GuestCount;
import im.zonda.home.session.HomeLink;
import im.zonda.home.session.KeptStanza;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.LogAction;
import im.zonda.home.session.SessionPhase;
import im.zonda.hook.SessionListener;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.module.IdSource;
import im.zonda.route.ErrorReplies;
import im.zonda.session.ClientConnection;
import im.zonda.session.ClientNetwork;
import im.zonda.session.Session;
import im.zonda.session.UserAgent;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Binds, detaches and ends sessions at their account's home (RFC 6120, section 7).
///
/// A client that asks for a resource in use gets it, and the older session is ended with `conflict`
/// (section 7.7.2.2, third case): after a broken connection the old one is usually dead.
final class SessionBinding {
  private static final Logger LOG = LoggerFactory.getLogger(SessionBinding.class);

  private final SessionLifecycle sessions;
  private final IdSource ids;
  private final CatchUp catchUp;
  private final Resumption resumption;

  SessionBinding(SessionLifecycle sessions, IdSource ids, CatchUp catchUp, Resumption resumption) {
    this.sessions = sessions;
    this.ids = ids;
    this.catchUp = catchUp;
    this.resumption = resumption;
  }

  HomeTask<AccountHome> task(HomeLink link, ToSession.Bind bind) {
    return new HomeTask<>() {
      @Override
      public boolean mayBlock(AccountHome home) {
        return true;
      }

      @Override
      public void run(AccountHome home) {
        ErrorCondition refused = bind(home, link, bind);
        if (refused != null) {
          link.stream().receive(new ToStream.NotBound(refused));
        }
      }

      @Override
      public void failed(Throwable cause) {
        link.stream().receive(new ToStream.NotBound(ErrorReplies.errorFor(cause).condition()));
      }
    };
  }

  /// Binds, or returns why not.
  private @Nullable ErrorCondition bind(AccountHome home, HomeLink link, ToSession.Bind bind) {
    if (home.dispatch().isClosed()) {
      return ErrorCondition.ITEM_NOT_FOUND;
    }
    ClientNetwork guest = bind.guest();
    if (guest == null ? !home.exists() : !mayEnter(home)) {
      return ErrorCondition.NOT_AUTHORIZED;
    }
    HostLimits limits = home.dispatch().limits();
    Jid jid;
    try {
      String resource = bind.resource();
      jid = home.jid().withResource(resource == null ? ids.next() : resource);
    } catch (JidFormatException e) {
      return ErrorCondition.BAD_REQUEST;
    }
    String prepared = jid.resource();
    LocalSession older = prepared == null ? null : home.session(prepared);
    if (older == null && home.sessions().size() >= limits.sessionsPerAccount()) {
      // A session without a stream makes room for one with.
      older = longestDetached(home);
    }
    if (older == null && home.sessions().size() >= limits.sessionsPerAccount()) {
      return ErrorCondition.RESOURCE_CONSTRAINT;
    }
    if (older != null) {
      close(home, older, StreamErrorCondition.CONFLICT, "replaced by a new connection");
    }
    sessions.replaced(home, jid);
    if (guest != null && !home.dispatch().guestCount().tryAdd(home.dispatch().guests(), guest)) {
      return ErrorCondition.RESOURCE_CONSTRAINT;
    }
    LocalSession session = resumption.session(jid, new SessionPhase.Binding(link));
    if (guest != null) {
      GuestCount.mark(session, guest);
    }
    session.set(ClientConnection.KEY, bind.from());
    home.add(session);
    ToStream.Bound answer;
    try {
      for (SessionListener listener : home.dispatch().listeners()) {
        listener.bound(home, session);
      }
      ToSession.Inline inline = bind.inline();
      answer =
          inline == null
              ? new ToStream.Bound(jid, List.of(), null)
              : bindInline(home, session, inline);
    } catch (RuntimeException | Error e) {
      // The client gets an error, so nothing would ever end the session.
      end(home, session);
      throw e;
    }
    boolean inactive = bind.inline() != null && bind.inline().inactive();
    begin(home, session, link, answer, inactive);
    return null;
  }

  /// Notifies the client that the session is bound; if that fails, the session ends.
  private void begin(
      AccountHome home,
      LocalSession session,
      HomeLink link,
      ToStream.Bound answer,
      boolean inactive) {
    link.session(session);
    try {
      session.bound(link, answer);
      if (inactive) {
        session.active(false);
      }
    } catch (RuntimeException | Error e) {
      LOG.atError().addKeyValue("jid", session.jid()).setCause(e).log("session_not_begun");
      close(home, session, StreamErrorCondition.INTERNAL_SERVER_ERROR, null);
    }
  }

  /// Whether the home is one where a guest may begin its only session.
  private static boolean mayEnter(AccountHome home) {
    return !home.isReachable()
        && home.dispatch().guests().enabled()
        && GuestAddress.isGuest(home.jid());
  }

  /// Handles the inline requests of a bind within the authentication (XEP-0386).
  private ToStream.Bound bindInline(
      AccountHome home, LocalSession session, ToSession.Inline inline) {
    UserAgent agent = inline.userAgent();
    session.set(UserAgent.KEY, agent);
    String client = agent.id();
    for (Session other : home.sessions()) {
      UserAgent its = other.equals(session) ? null : other.get(UserAgent.KEY);
      if (client != null && its != null && client.equals(its.id())) {
        other.close(StreamErrorCondition.CONFLICT, "the same client has connected again");
      }
    }
    List<Element> answers = home.dispatch().bound(home, session, inline.request());
    ToStream.Enabled enabled =
        switch (inline.management()) {
          case NONE -> null;
          case NOT_RESUMABLE -> resumption.manage(session, false);
          case RESUMABLE -> resumption.manage(session, true);
        };
    return new ToStream.Bound(session.jid(), answers, enabled);
  }

  private static @Nullable LocalSession longestDetached(AccountHome home) {
    LocalSession longest = null;
    long since = SessionPhase.NEVER;
    for (LocalSession session : home.sessions()) {
      long detached = session.phase().detachedSince();
      if (detached < since) {
        longest = session;
        since = detached;
      }
    }
    return longest;
  }

  /// The client is active or inactive (XEP-0352).
  void active(AccountHome home, LocalSession session, boolean active) {
    boolean awake = !session.isAsleep();
    session.active(active);
    if (awake && session.isAsleep()) {
      notifyAsleep(home, session, List.of());
    }
  }

  /// The session's stream is gone without an end: it waits for another one if it can.
  void lost(AccountHome home, LocalSession session) {
    List<Message> unacknowledged = null;
    try {
      // Before they are packed.
      unacknowledged = session.isAsleep() ? null : messages(session);
    } finally {
      detach(home, session);
    }
    if (unacknowledged != null && home.sessions().contains(session)) {
      notifyAsleep(home, session, unacknowledged);
    }
  }

  private static List<Message> messages(LocalSession session) {
    List<Message> messages = new ArrayList<>();
    for (KeptStanza waiting : session.outgoing().waiting()) {
      if (waiting.stanza() instanceof Message message) {
        messages.add(message);
      }
    }
    return messages;
  }

  private static void notifyAsleep(
      AccountHome home, LocalSession session, List<Message> unacknowledged) {
    for (SessionListener listener : home.dispatch().listeners()) {
      listen(session, () -> listener.asleep(home, session, unacknowledged));
    }
  }

  private void detach(AccountHome home, LocalSession session) {
    if (!canWait(session)) {
      end(home, session);
      return;
    }
    step(session, () -> catchUp.detached(home, session));
    long detached = home.sessions().stream().filter(LocalSession::isDetached).count();
    LocalSession longest = longestDetached(home);
    if (detached > home.dispatch().limits().detachedSessionsPerAccount() && longest != null) {
      end(home, longest);
    }
  }

  /// Whether the session waits for another stream; it ends if nothing would end it later.
  private boolean canWait(LocalSession session) {
    try {
      return resumption.detached(session);
    } catch (RuntimeException | Error e) {
      LOG.atError().addKeyValue("jid", session.jid()).setCause(e).log("session_not_detached");
      return false;
    }
  }

  /// Ends a session that has no room for what is sent to it.
  void noRoom(AccountHome home, LocalSession session) {
    int stanzas = session.outgoing().unacknowledged();
    int bytes = session.outgoing().bytes();
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
      AccountHome home,
      LocalSession session,
      StreamErrorCondition condition,
      @Nullable String text) {
    if (!home.sessions().contains(session)) {
      return false;
    }
    SessionPhase.Link link = session.link();
    end(home, session);
    if (link != null) {
      link.stream().receive(new ToStream.Close(condition, text));
    }
    return true;
  }

  /// Removes an ended session from its home; does nothing if it has been removed.
  void end(AccountHome home, LocalSession session) {
    if (!home.remove(session)) {
      return;
    }
    for (SessionListener listener : home.dispatch().listeners()) {
      listen(session, () -> listener.ended(home, session));
    }
    step(session, () -> session.presence(null));
    List<KeptStanza> rest = session.ended();
    step(session, () -> resumption.over(session));
    int entries = 0;
    for (KeptStanza sent : rest) {
      entries += sent.onAcknowledged() instanceof LogAction ? 1 : 0;
      step(session, () -> reject(home, sent.stanza()));
    }
    // Messages whose bytes have not left are still in the log.
    home.waiting().joined(entries);
    boolean settled = session.outgoing().isSettled();
    if (!settled) {
      home.waiting().joinedUncounted();
    }
    if (entries > 0 || !settled) {
      home.waiting().returned();
    }
    for (LocalSession other : home.sessions()) {
      step(session, () -> catchUp.begin(home, other));
    }
    step(session, () -> CatchUp.releaseShared(home));
  }

  /// Answers the sender of a stanza that the session's client has not acknowledged.
  private void reject(AccountHome home, Stanza sent) {
    if (sent instanceof Iq iq) {
      // The requester must not wait forever (XEP-0198, section 4).
      sessions.notTaken(iq);
    } else if (sent instanceof Message message
        && (message.type() == Message.Type.CHAT || message.type() == Message.Type.NORMAL)) {
      sessions.unacknowledged(home, message);
    }
  }

  private static void listen(LocalSession session, Runnable call) {
    step(session, "session_listener_failed", call);
  }

  /// Runs one step of detaching or ending a session. A failure must not prevent the other steps:
  /// nothing would run them later.
  private static void step(LocalSession session, Runnable step) {
    step(session, "session_end_incomplete", step);
  }

  private static void step(LocalSession session, String event, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      LOG.atError().addKeyValue("jid", session.jid()).setCause(e).log(event);
    }
  }

  /// The host is removed: the account's sessions end.
  void endAll(AccountHome home) {
    for (LocalSession session : home.sessions()) {
      step(
          session,
          () -> close(home, session, StreamErrorCondition.HOST_GONE, "this host has been removed"));
    }
  }

  /// Called before the home moves to another node: sessions lose their streams, which resume them
  /// there if they can.
  void detachAll(AccountHome home) {
    for (LocalSession session : home.sessions()) {
      SessionPhase.Link link = session.link();
      if (link != null) {
        detach(home, session);
        step(session, () -> link.stream().receive(new ToStream.Moved()));
      }
    }
  }

  /// The account was removed: its sessions end, and its home is unloaded.
  void forget(AccountHome home) {
    for (LocalSession session : home.sessions()) {
      step(
          session,
          () ->
              close(home, session, StreamErrorCondition.NOT_AUTHORIZED, "the account was removed"));
    }
    home.unload();
  }
}
