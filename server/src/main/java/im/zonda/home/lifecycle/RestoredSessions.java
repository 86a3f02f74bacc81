package im.zonda.home.lifecycle;

import im.zonda.account.GuestAddress;
import im.zonda.home.account.AccountHome;
import im.zonda.home.account.AccountRegistry;
import im.zonda.home.delivery.CatchUp;
import im.zonda.home.recovery.FormerHomes;
import im.zonda.home.recovery.HeldStanzas;
import im.zonda.home.recovery.SessionReplication;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.LogAction;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.hook.SessionListener;
import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.store.MessageLog;
import im.zonda.store.StanzaIds;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Creates sessions from snapshots and adds them to their homes. The snapshot of a session comes
/// from the restart file, another node or the keeper of its stream.
final class RestoredSessions {
  private static final Logger log = LoggerFactory.getLogger(RestoredSessions.class);

  private final AccountRegistry registry;
  private final Resumption resumption;
  private final SessionReplication replication;
  private final FormerHomes formerHomes;
  private final HeldStanzas held;
  private final MessageLog messages;
  private final StanzaIds stanzaIds;
  private final CatchUp catchUp;

  RestoredSessions(
      AccountRegistry registry, Resumption resumption, SessionContext context, CatchUp catchUp) {
    this.registry = registry;
    this.resumption = resumption;
    this.replication = context.recovery().replication();
    this.formerHomes = context.recovery().formerHomes();
    this.held = context.recovery().heldStanzas();
    this.messages = context.messages();
    this.stanzaIds = context.stanzaIds();
    this.catchUp = catchUp;
  }

  /// Creates a session from a snapshot; null if its host is gone or there is no room for it.
  @Nullable LocalSession make(SessionSnapshot snapshot) {
    Jid account = snapshot.jid().bare();
    LogAction.Reader reader = reader(account);
    return registry.host(account) == null
        ? null
        : resumption.restore(snapshot, stanza -> acknowledged(account, stanza, reader));
  }

  /// Adds a session to its home; false if the home cannot have it.
  ///
  /// @param readsLog whether the log may have more for it than it has been sent
  boolean attach(
      AccountHome home, LocalSession session, SessionSnapshot snapshot, boolean readsLog) {
    String resource = Objects.requireNonNull(session.jid().resource());
    boolean guest = GuestAddress.isGuest(home.jid()) && home.dispatch().guests().enabled();
    LocalSession other = home.session(resource);
    if (other != null || !(home.exists() || guest)) {
      refuse(session, other);
      return false;
    }
    home.add(session);
    home.dispatch().guestCount().add(session);
    session.firstStanzaSeen();
    held.recovered(home, session);
    session.since(messages.nextId());
    formerHomes.attached(home, session);
    resumption.restored(session, snapshot);
    // After the loss of a node, thousands of sessions are recovered at once, most of them idle.
    boolean catchesUp = snapshot.log().catchingUp() || (readsLog && !home.nothingWaited());
    log.atDebug()
        .addKeyValue("jid", session.jid())
        .addKeyValue("reads", catchesUp)
        .addKeyValue("after", session.sentBefore().upTo())
        .addKeyValue("newest", home.newestId())
        .log("session_attached");
    if (catchesUp && session.priority() < 0) {
      // It reads the messages that are addressed to it alone.
      catchUp.firstStanzaSeen(home, session);
    } else if (catchesUp) {
      catchUp.continueReading(home, session);
    }
    return true;
  }

  /// Discards a session that its home cannot take. If its stream has recovered it at the home
  /// before, replicas at other nodes are outdated: they are removed unless the session there is
  /// replicated.
  private void refuse(LocalSession session, @Nullable LocalSession other) {
    boolean itself = other != null && Objects.equals(other.resumptionId(), session.resumptionId());
    log.atInfo()
        .addKeyValue("jid", session.jid())
        .addKeyValue(
            "reason",
            itself ? "it is there" : other == null ? "there is no account" : "there is another one")
        .log("session_not_restored");
    if (other != null && itself) {
      resumption.left(session);
      if (!other.isCopied()) {
        replication.recovered(other);
      }
    } else {
      resumption.end(session);
    }
  }

  /// Notifies listeners that the session was recovered after the node of its home died.
  ///
  /// @param lastIds see [SessionListener.Snapshot]
  void recovered(
      AccountHome home, LocalSession session, SessionSnapshot snapshot, Map<Jid, String> lastIds) {
    SessionListener.Snapshot sent =
        new SessionListener.Snapshot(
            snapshot.sent().unacknowledged().stream()
                .map(SessionSnapshot.SentStanza::stanza)
                .toList(),
            lastIds);
    for (SessionListener listener : home.dispatch().listeners()) {
      try {
        listener.recovered(home, session, sent);
      } catch (RuntimeException e) {
        log.atError().addKeyValue("jid", session.jid()).setCause(e).log("session_listener_failed");
      }
    }
  }

  private @Nullable Runnable acknowledged(Jid account, Stanza stanza, LogAction.Reader reader) {
    long id = logId(stanzaIds, account, stanza);
    return id == 0 ? null : new LogAction.Read(id, stanza.writtenSize(), reader);
  }

  /// Marks the entries that a restored session was sent before.
  private LogAction.Reader reader(Jid account) {
    return entries -> {
      messages.delivered(account, entries.stream().map(LogAction.Read::id).toList());
      registry.submit(account, false, home -> home.waiting().delivered());
    };
  }

  /// The message's place in the account's log; 0 if it has none.
  static long logId(StanzaIds stanzaIds, Jid account, Stanza stanza) {
    try {
      return stanza instanceof Message message ? stanzaIds.find(message, account).orElse(0) : 0;
    } catch (RuntimeException e) {
      // The stanza loses its place in the log; the session is not affected.
      log.atError().addKeyValue("account", account).setCause(e).log("stanza_id_not_read");
      return 0;
    }
  }
}
