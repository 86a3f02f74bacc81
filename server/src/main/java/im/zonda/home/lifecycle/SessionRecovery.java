package im.zonda.home.lifecycle;

import im.zonda.home.HomeTask;
import im.zonda.home.account.AccountHome;
import im.zonda.home.account.AccountRegistry;
import im.zonda.home.delivery.OutboundStanzas;
import im.zonda.home.recovery.FormerHomes;
import im.zonda.home.recovery.SessionReplication;
import im.zonda.home.session.HomeLink;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.SessionPhase;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.link.LostSession;
import im.zonda.link.SessionVersion;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.stanza.Presence;
import im.zonda.store.StanzaIds;
import java.time.Duration;
import java.time.InstantSource;
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

  private final AccountRegistry registry;
  private final OutboundStanzas outbound;
  private final RestoredSessions restored;
  private final SessionReplication replication;
  private final FormerHomes formerHomes;
  private final Resumption resumption;
  private final StanzaIds stanzaIds;
  private final InstantSource clock;
  private final Duration time;

  SessionRecovery(
      AccountRegistry registry,
      Resumption resumption,
      SessionContext context,
      OutboundStanzas outbound,
      RestoredSessions restored) {
    this.registry = registry;
    this.outbound = outbound;
    this.restored = restored;
    this.replication = context.recovery().replication();
    this.formerHomes = context.recovery().formerHomes();
    this.resumption = resumption;
    this.stanzaIds = context.stanzaIds();
    this.clock = context.runtime().clock();
    this.time = context.snapshots().resumeTime();
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
    KeeperSnapshot kept = KeeperSnapshot.of(lost, stanzaIds, clock.instant(), time);
    if (kept == null) {
      LOG.atWarn().addKeyValue("jid", lost.jid()).log("session_state_not_read");
      link.stream().receive(new ToStream.SessionNotFound(null));
      return;
    }
    SessionSnapshot snapshot = kept.snapshot();
    SessionVersion version = snapshot.version();
    if (resumption.hasLeft(home, link, snapshot.id(), version)) {
      return;
    }
    LocalSession other = home.sessionById(snapshot.id());
    if (other != null && other.version().lacks(version)) {
      supersede(home, other);
      other = null;
    }
    if (other == null && home.sessions().size() < home.dispatch().limits().sessionsPerAccount()) {
      create(home, kept);
    }
    long acknowledged = snapshot.sent().acknowledged();
    resumption.resume(
        home, link, new ToSession.Resume(home.jid(), lost.id(), acknowledged, true, version));
  }

  /// Replaces a session that was recovered from an outdated snapshot by a newer one. Listeners are
  /// not notified; its undelivered log entries stay pending for the new one.
  private void supersede(AccountHome home, LocalSession old) {
    LOG.atInfo().addKeyValue("jid", old.jid()).log("session_superseded");
    SessionPhase.Link link = old.link();
    home.remove(old);
    resumption.left(old);
    String id = old.resumptionId();
    if (old.isCopied() && id != null) {
      replication.removeReplica(home.jid(), id);
    }
    home.waiting().joinedUncounted();
    home.waiting().returned();
    if (link != null) {
      link.stream().receive(Resumption.CONFLICT);
    }
  }

  private void create(AccountHome home, KeeperSnapshot kept) {
    SessionSnapshot snapshot = kept.snapshot();
    LocalSession session = restored.make(snapshot);
    if (session == null) {
      return;
    }
    formerHomes.recovered(session, snapshot);
    try {
      if (!restored.attach(home, session, snapshot, true)) {
        return;
      }
    } catch (RuntimeException | Error e) {
      home.remove(session);
      resumption.end(session);
      throw e;
    }
    replication.recovered(session);
    restored.recovered(home, session, snapshot, kept.lastIds());
    Presence presence = session.presence();
    if (presence != null) {
      registry.submitLater(ANNOUNCE, home.jid(), announcement(session, presence));
    }
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
