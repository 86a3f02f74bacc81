package im.zonda.home.lifecycle;

import im.zonda.home.HomeTask;
import im.zonda.home.account.AccountHome;
import im.zonda.home.account.AccountRegistry;
import im.zonda.home.delivery.OutboundStanzas;
import im.zonda.home.session.HomeLink;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.SavedSession;
import im.zonda.home.session.SentEntries;
import im.zonda.home.session.SessionState;
import im.zonda.jid.Jid;
import im.zonda.link.LostSession;
import im.zonda.link.SessionVersion;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.link.ack.HandledCount;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.store.StanzaIds;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Recovers sessions that were lost because the server was killed, from the snapshots that the
/// keepers of their streams have ([LostSession]).
///
/// A recovered session reads the log after the last message that its client received. So no message
/// comes twice, although the log may lack acknowledgements.
final class SessionRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(SessionRecovery.class);

  /// The delay after which the session's presence is broadcast and its contacts are probed again:
  /// most other sessions have been recovered by then.
  private static final Duration ANNOUNCE = Duration.ofSeconds(3);

  private final SessionLifecycle sessions;
  private final AccountRegistry registry;
  private final OutboundStanzas outbound;
  private final SessionSaving saving;
  private final Resumption resumption;
  private final StanzaIds stanzaIds;
  private final InstantSource clock;
  private final Duration time;

  SessionRecovery(
      SessionLifecycle sessions,
      Resumption resumption,
      SessionContext context,
      OutboundStanzas outbound,
      SessionSaving saving) {
    this.sessions = sessions;
    this.registry = sessions.registry();
    this.outbound = outbound;
    this.saving = saving;
    this.resumption = resumption;
    this.stanzaIds = context.stanzaIds();
    this.clock = context.runtime().clock();
    this.time = context.limits().resumeTime();
  }

  /// Recovers the session at its home, unless it is there, and resumes it.
  HomeTask<AccountHome> task(HomeLink link, LostSession lost) {
    return HomeTask.blocking(
        new HomeTask<>() {
          @Override
          public void run(AccountHome home) {
            recover(home, link, lost);
          }

          @Override
          public void failed(Throwable cause) {
            LOG.atWarn()
                .addKeyValue("jid", lost.jid())
                .setCause(cause)
                .log("session_not_recovered");
            Resumption.resumeFailed(link, cause);
          }
        });
  }

  private void recover(AccountHome home, HomeLink link, LostSession lost) {
    SessionState state = SessionState.read(lost.state());
    if (state == null || !state.jid().equals(lost.jid())) {
      LOG.atWarn().addKeyValue("jid", lost.jid()).log("session_state_not_read");
      link.stream().receive(new ToStream.SessionNotFound(null));
      return;
    }
    SessionVersion version = lost.version(state.resumptions());
    LocalSession other = home.sessionById(state.id());
    if (other != null && isOlder(other, version)) {
      supersede(home, other);
      other = null;
    }
    if (other == null && home.sessions().size() < home.dispatch().limits().sessionsPerAccount()) {
      create(home, lost, state);
    }
    long acknowledged = lost.counts().acknowledged();
    resumption.resume(
        home, link, new ToSession.Resume(home.jid(), lost.id(), acknowledged, true, version));
  }

  /// Whether a session is older than the snapshot of its stream.
  private static boolean isOlder(LocalSession other, SessionVersion stream) {
    SessionVersion here = other.version();
    return here.resumptions() <= stream.resumptions() && !here.covers(stream);
  }

  /// Replaces a session that was recovered from an outdated snapshot by a newer one. Listeners are
  /// not notified; its undelivered log entries stay pending for the new one.
  private void supersede(AccountHome home, LocalSession old) {
    LOG.atInfo().addKeyValue("jid", old.jid()).log("session_superseded");
    HomeLink link = old.link();
    home.remove(old);
    resumption.left(old);
    String id = old.resumptionId();
    if (old.isCopied() && id != null) {
      sessions.removeCopy(home.jid(), id);
    }
    home.waiting().joinedUncounted();
    home.waiting().unread(true);
    if (link != null) {
      link.stream().receive(Resumption.CONFLICT);
    }
  }

  private void create(AccountHome home, LostSession lost, SessionState state) {
    SavedSession saved = saved(lost, state, Math.max(last(home.jid(), lost), state.readUpTo()));
    LocalSession session = saving.make(saved, new HandledCount(saved.handled()));
    if (session == null) {
      return;
    }
    saving.recovered(session, saved);
    try {
      if (!saving.attach(home, session, saved, true)) {
        return;
      }
      resumption.pendingElsewhere().recovered(session);
    } catch (RuntimeException | Error e) {
      home.remove(session);
      saving.drop(session);
      throw e;
    }
    saving.recovered(home, session, lastIds(lost));
    Presence presence = session.presence();
    if (presence != null) {
      registry.submitLater(ANNOUNCE, home.jid(), announcement(session, presence));
    }
  }

  private SavedSession saved(LostSession lost, SessionState state, long last) {
    Presence presence = state.presence();
    Instant now = clock.instant();
    List<SavedSession.Sent> sent = new ArrayList<>(lost.unacknowledged().size());
    for (LostSession.Sent each : lost.unacknowledged()) {
      sent.add(new SavedSession.Sent(each.stanza(), now.minus(each.age())));
    }
    return new SavedSession(
        lost.jid(),
        state.id(),
        now.plus(time),
        lost.counts().handled(),
        lost.counts().acknowledged(),
        sent,
        presence,
        false,
        SentEntries.upTo(presence != null && presence.priority() >= 0 ? last : 0),
        state.resumptions(),
        state.values());
  }

  /// The last entry of the log that the session had been sent; 0 if there was none.
  private long last(Jid account, LostSession lost) {
    String acknowledged = lost.lastIds().get(account);
    long last = acknowledged == null ? 0 : stanzaIds.decode(acknowledged).orElse(0);
    for (LostSession.Sent sent : lost.unacknowledged()) {
      last = Math.max(last, saving.logId(account, sent.stanza()));
    }
    return last;
  }

  /// The last ids that the client was sent by each room.
  private static Map<Jid, String> lastIds(LostSession lost) {
    Map<Jid, String> ids = new HashMap<>(lost.lastIds());
    ids.remove(lost.jid().bare());
    for (LostSession.Sent sent : lost.unacknowledged()) {
      Jid from = sent.stanza().from();
      if (from != null
          && sent.stanza() instanceof Message message
          && message.type() == Message.Type.GROUPCHAT) {
        String id = StanzaIds.assigned(message, from.bare());
        if (id != null) {
          ids.put(from.bare(), id);
        }
      }
    }
    return ids;
  }

  /// Broadcasts the presence as initial presence, unless the client has changed it since, so that
  /// the client and its contacts get each other's current presence.
  private HomeTask<AccountHome> announcement(LocalSession session, Presence presence) {
    return new HomeTask<>() {
      @Override
      public void run(AccountHome home) {
        if (home.sessions().contains(session) && presence.equals(session.presence())) {
          session.presence(null);
          outbound.accept(
              home,
              session,
              new Envelope(presence.withAddresses(session.jid(), null), Origin.NONE, null));
        }
      }

      @Override
      public void failed(Throwable cause) {
        LOG.atWarn().addKeyValue("jid", session.jid()).setCause(cause).log("presence_not_sent");
      }
    };
  }
}
