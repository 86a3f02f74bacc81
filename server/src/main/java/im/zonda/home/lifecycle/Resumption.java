package im.zonda.home.lifecycle;

import im.zonda.home.HomeTask;
import im.zonda.home.account.AccountHome;
import im.zonda.home.account.AccountRegistry;
import im.zonda.home.account.Dispatch;
import im.zonda.home.recovery.FormerHomes;
import im.zonda.home.recovery.SessionReplication;
import im.zonda.home.session.Budget;
import im.zonda.home.session.EndedSessions;
import im.zonda.home.session.HomeLink;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.SentEntries;
import im.zonda.home.session.SessionPhase;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.home.session.SessionSnapshots;
import im.zonda.home.session.StreamManagementState;
import im.zonda.jid.Jid;
import im.zonda.link.SessionVersion;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.link.ack.HandledCount;
import im.zonda.module.IdSource;
import im.zonda.module.Scheduler;
import im.zonda.route.RouterStats;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stream management of sessions, which may outlive their streams (XEP-0198, sections 3 and 5).
///
/// A session is found at its account's home by an id that cannot be guessed, of which only the hash
/// is kept. Everything runs in the home's mailbox; timers submit their task there with the epoch in
/// which they were set.
final class Resumption {
  /// How long a resumption waits until the client's stanzas on the old stream are handled. Shorter
  /// than a client waits, and than a stream may take to be negotiated.
  private static final Duration SETTLE = Duration.ofSeconds(20);

  /// For how many accounts ended sessions are remembered.
  private static final int REMEMBERED = 5_000;

  /// Closes a stream whose session the client has resumed on another one.
  static final ToStream CONFLICT =
      new ToStream.Close(StreamErrorCondition.CONFLICT, "resumed by a new connection");

  private static final Logger LOG = LoggerFactory.getLogger(Resumption.class);

  private final SessionLifecycle sessions;
  private final AccountRegistry registry;
  private final IdSource ids;
  private final InstantSource clock;
  private final Scheduler scheduler;

  private final SessionSnapshots snapshots;
  private final SessionReplication replication;
  private final FormerHomes formerHomes;
  private final Budget<LocalSession> budget;
  private final RouterStats stats;
  private final EndedSessions ended = new EndedSessions(REMEMBERED);

  Resumption(SessionLifecycle sessions, SessionContext context, Budget<LocalSession> budget) {
    this.sessions = sessions;
    this.registry = sessions.registry();
    this.ids = context.runtime().ids();
    this.clock = context.runtime().clock();
    this.scheduler = context.runtime().scheduler();
    this.snapshots = context.snapshots();
    this.replication = context.recovery().replication();
    this.formerHomes = context.recovery().formerHomes();
    this.budget = budget;
    this.stats = registry.stats();
  }

  /// Creates a session that can be managed.
  ///
  /// @param first the phase in which its life begins
  LocalSession session(Jid jid, SessionPhase first) {
    LocalSession session = new LocalSession(jid, first, budget, sessions);
    budget.add(session);
    return session;
  }

  /// The client enables stream management.
  void enable(LocalSession session, HomeLink link, boolean resumable) {
    ToStream.Enabled enabled = manage(session, resumable);
    link.stream().receive(enabled == null ? new ToStream.NotEnabled() : enabled);
  }

  /// Enables stream management: stanzas in both directions are counted from now on. Null if it was
  /// enabled before.
  ToStream.@Nullable Enabled manage(LocalSession session, boolean resumable) {
    if (!session.outgoing().manage()) {
      return null;
    }
    String id = resumable ? ids.next() + ids.next() : null;
    session.management(
        new StreamManagementState(
            id == null ? null : StreamManagementState.hash(id), new HandledCount(0)));
    replication.managed(session);
    return new ToStream.Enabled(id, resumable ? snapshots.resumeTime() : Duration.ZERO);
  }

  // ---- another stream

  /// Resumes a session on another link, if the client may have it.
  HomeTask<AccountHome> task(HomeLink link, ToSession.Resume resume) {
    return new HomeTask<>() {
      @Override
      public void run(AccountHome home) {
        resume(home, link, resume);
      }

      @Override
      public void failed(Throwable cause) {
        resumeFailed(link, cause);
      }
    };
  }

  /// If the account could not be read, the client tries again: the session may be found then, at
  /// this node or another.
  static void resumeFailed(HomeLink link, Throwable cause) {
    link.stream()
        .receive(
            cause instanceof StoreException
                ? new ToStream.Unsettled()
                : new ToStream.SessionNotFound(null));
  }

  /// Resumes a session of `home` on another link, if the client may have it.
  void resume(AccountHome home, HomeLink link, ToSession.Resume resume) {
    String hash = StreamManagementState.hash(resume.id());
    LocalSession session = home.sessionById(hash);
    StreamManagementState management = session == null ? null : session.management();
    if (session == null || management == null) {
      if (!hasLeft(home, link, hash, resume.version())) {
        LOG.atDebug().addKeyValue("account", home.jid()).log("session_not_found");
        link.stream().receive(notFound(hash, home.jid()));
      }
      return;
    }
    ToStream refusal = refusal(session, management, resume);
    if (refusal != null) {
      link.stream().receive(refusal);
      return;
    }
    SessionPhase.Link old = session.link();
    switch (session.resuming(link, resume.h())) {
      case VALID -> {}
      case TOO_HIGH -> {
        link.stream().receive(tooHigh(home, session, hash));
        return;
      }
      case OLD -> {
        // The client has lost stanzas that it had acknowledged, and they are no longer stored here.
        LOG.atDebug().addKeyValue("jid", session.jid()).log("session_newer_than_its_client");
        link.stream().receive(new ToStream.SessionNotFound(null));
        return;
      }
      case null -> {
        link.stream().receive(notFound(hash, home.jid()));
        return;
      }
    }
    try {
      if (resume.version() == null) {
        long epoch = registry.homes().nodes().view().epoch();
        session.resumption(SessionVersion.nextResumption(management.resumptions(), epoch));
      }
      link.session(session);
      if (old != null) {
        old.stream().receive(CONFLICT);
      }
      settle(session, management);
    } catch (RuntimeException | Error e) {
      sessions.lost(home, session); // the stream will not have it
      throw e;
    }
  }

  /// Whether the client has left the stream that asks for a session of a lost home. The stream ends
  /// then.
  ///
  /// @param stream the version that the stream has; null if the client itself asks
  boolean hasLeft(AccountHome home, HomeLink link, String hash, @Nullable SessionVersion stream) {
    boolean left = stream != null && formerHomes.hasLeft(hash, stream.resumptions());
    if (left) {
      LOG.atInfo().addKeyValue("account", home.jid()).log("session_of_left_stream");
      link.stream().receive(CONFLICT);
    }
    return left;
  }

  /// Why a stream cannot resume the session; null if it can.
  private @Nullable ToStream refusal(
      LocalSession session, StreamManagementState management, ToSession.Resume resume) {
    SessionVersion stream = resume.version();
    if (stream == null) {
      // Another stream may still bring a newer snapshot.
      return management.mayBeOlder(clock.millis()) ? new ToStream.Unsettled() : null;
    }
    SessionVersion here = session.version();
    if (here.covers(stream)) {
      return null;
    }
    if (stream.resumptions() < here.resumptions()) {
      return CONFLICT; // the client has left that stream
    }
    // The session was recovered from an outdated snapshot, and the keeper has a newer one. Its next
    // stanzas would reuse numbers that the client has received, or its count would go back.
    LOG.atInfo().addKeyValue("jid", session.jid()).log("session_older_than_its_stream");
    return new ToStream.SessionNotFound(null);
  }

  private ToStream tooHigh(AccountHome home, LocalSession session, String hash) {
    if (session.outgoing().replicatedUpTo().isEmpty()) {
      return new ToStream.CountTooHigh(session.outgoing().given());
    }
    // The client has received stanzas that the replica lacks. Undelivered ones wait in the log.
    LOG.atInfo().addKeyValue("jid", session.jid()).log("session_newer_than_its_copy");
    sessions.end(home, session);
    return notFound(hash, home.jid());
  }

  /// Waits until the client's stanzas on the old stream are handled. They may be on their way to
  /// the disk, and a client that got the count now would send them again, so that receivers would
  /// get them twice. If that takes too long, the client has to try again.
  ///
  /// Repeated requests do not restart the time for stanzas in progress at the former home.
  private void settle(LocalSession session, StreamManagementState management) {
    if (management.isPendingElsewhereBefore(clock.millis() - SETTLE.toMillis())) {
      formerHomes.abandonPending(session, management);
    }
    if (management.handled().isSettled()) {
      settled(session);
    } else if (session.phase() instanceof SessionPhase.Resuming resuming) {
      resuming.timer(
          scheduler.schedule(
              SETTLE,
              () ->
                  registry.submit(
                      session.jid().bare(),
                      false,
                      home -> settleTimedOut(home, session, management, resuming))));
    }
  }

  /// Continues the session on the stream that waits for it, if all stanzas of the client are
  /// handled.
  void settled(LocalSession session) {
    StreamManagementState management = session.management();
    if (management == null
        || !(session.phase() instanceof SessionPhase.Resuming)
        || !management.handled().isSettled()) {
      return;
    }
    replication.resuming(session, () -> continueSession(session, management));
  }

  /// No replica is outdated now: the session continues. Meanwhile it may have continued and lost
  /// its stream again; then stanzas of that stream must be handled first.
  private void continueSession(LocalSession session, StreamManagementState management) {
    if (!(session.phase() instanceof SessionPhase.Resuming resuming)
        || !management.handled().isSettled()) {
      return;
    }
    SessionPhase.Link link = resuming.link();
    management.resumed(clock.millis());
    stats.resumed.increment();
    long handled = management.handled().handled();
    try {
      session.resumed(
          link,
          new ToStream.Resumed(
              session.jid(), handled, session.outgoing().acknowledged(), management.resumptions()),
          (message, sent) -> late(session.jid(), message, sent));
    } catch (RuntimeException | Error e) {
      LOG.atError().addKeyValue("jid", session.jid()).setCause(e).log("session_not_resumed");
      closeIncomplete(session, link);
    }
  }

  /// The client may have been sent a part of its stanzas: it must resume once more.
  private void closeIncomplete(LocalSession session, SessionPhase.Link link) {
    registry.submit(
        session.jid().bare(),
        false,
        home -> {
          if (session.isOn(link)) {
            sessions.lost(home, session);
          }
        });
    sessions.countFailed(link);
  }

  private void settleTimedOut(
      AccountHome home,
      LocalSession session,
      StreamManagementState management,
      SessionPhase.Resuming resuming) {
    if (!resuming.equals(session.phase())) {
      return;
    }
    if (management.isPendingElsewhere()) {
      formerHomes.abandonPending(session, management);
      settled(session);
    } else {
      sessions.lost(home, session);
      resuming.link().stream().receive(new ToStream.Unsettled());
    }
  }

  private Message late(Jid receiver, Message message, Instant sent) {
    Dispatch host = registry.host(receiver);
    return host == null ? message : host.markLate(message, sent);
  }

  private ToStream notFound(String hash, Jid account) {
    return new ToStream.SessionNotFound(ended.handled(account, hash));
  }

  // ---- without a stream

  /// The session's stream is gone without an end. False if it cannot be resumed; otherwise it waits
  /// for another stream until its time is over.
  boolean detached(LocalSession session) {
    StreamManagementState management = session.management();
    if (management == null || management.id() == null) {
      return false;
    }
    detach(session, snapshots.until());
    replication.detached(session);
    stats.detached.increment();
    return true;
  }

  private void detach(LocalSession session, Instant until) {
    long now = clock.millis();
    SessionPhase.Detached detached = session.detached(now, until.toEpochMilli());
    long most = Math.max(0, until.toEpochMilli() - now);
    Duration left = Duration.ofMillis(Math.clamp(detached.deadline() - now, 0, most));
    detached.timer(scheduler.schedule(left, () -> sessions.expire(session, detached)));
  }

  /// Creates a session from a snapshot, without a stream; null if there is no room for it. Once it
  /// is at its home, [#restored] is to be called.
  ///
  /// @param acknowledged creates the action that runs when the client has acknowledged a stanza, or
  ///   null
  @Nullable LocalSession restore(
      SessionSnapshot snapshot, Function<Stanza, @Nullable Runnable> acknowledged) {
    LocalSession session = session(snapshot.jid(), new SessionPhase.Arriving(clock.millis()));
    session.outgoing().restore(snapshot.sent().acknowledged());
    for (SessionSnapshot.SentStanza sent : snapshot.sent().unacknowledged()) {
      Stanza stanza = sent.stanza();
      if (!session
          .outgoing()
          .addSaved(stanza, acknowledged.apply(stanza), sent.time().toEpochMilli())) {
        end(session);
        return null;
      }
    }
    SessionSnapshot.State state = snapshot.state();
    StreamManagementState management =
        new StreamManagementState(state.id(), snapshot.received().count());
    management.countedElsewhere();
    management.resumptions(state.resumptions());
    session.management(management);
    replication.managed(session);
    session.presence(state.presence());
    session.sentBefore(snapshot.log().sent());
    session.restore(state.values());
    return session;
  }

  /// Removes a session from its home, to be moved to another node; null if it cannot be resumed.
  /// Its stanzas in progress are reported to the next home.
  @Nullable SessionSnapshot take(AccountHome home, LocalSession session) {
    // If the next node dies, the session reads later messages from the log.
    SessionSnapshot moving = snapshots.whole(session, SentEntries.ofCopy(session));
    if (moving == null || !home.remove(session)) {
      return null;
    }
    left(session);
    return moving;
  }

  /// A session moves to another node, and is at no home here.
  void left(LocalSession session) {
    session.moved();
    budget.remove(session);
    replication.forget(session);
  }

  /// A restored session is at its home, where it waits for a stream until it expires, which may be
  /// at once.
  void restored(LocalSession session, SessionSnapshot snapshot) {
    StreamManagementState management = session.management();
    if (management != null) {
      boolean attached = management.copy() != null;
      detach(session, attached ? snapshots.until() : snapshot.until());
    }
  }

  /// How long ago a home that died may have handled what the client sends now, in ms; 0 if the
  /// client has sent everything again by now.
  int age(StreamManagementState management) {
    return Math.toIntExact(
        Math.min(Integer.MAX_VALUE, management.possiblyHandledAge(clock.millis())));
  }

  /// Ends a session that is at no home; its entries wait in the log.
  void end(LocalSession session) {
    if (!session.phase().isOver()) {
      session.ended();
      over(session);
    }
  }

  /// The session and its outbound queue have ended; only the count of handled stanzas is
  /// remembered.
  void over(LocalSession session) {
    budget.remove(session);
    replication.ended(session);
    StreamManagementState management = session.management();
    String hash = management == null ? null : management.id();
    if (management != null && hash != null) {
      ended.add(session.jid().bare(), hash, management.handled());
    }
  }
}
