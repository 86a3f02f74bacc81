package im.zonda.home.account;

import im.zonda.home.HomeTask;
import im.zonda.home.session.Budget;
import im.zonda.home.session.EndedSessions;
import im.zonda.home.session.HandledCount;
import im.zonda.home.session.HomeLink;
import im.zonda.home.session.KeptStanza;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.Management;
import im.zonda.home.session.MovingSession;
import im.zonda.home.session.Outgoing;
import im.zonda.home.session.SavedSession;
import im.zonda.home.session.SentEntries;
import im.zonda.jid.Jid;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
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
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stream management of sessions, which may outlive their streams (XEP-0198, sections 3 and 5).
///
/// A session is found at its account's home by an id that nobody can guess. Of the ids only hashes
/// are kept. Everything runs in the home's mailbox, the timers too: what they do is submitted there
/// with the epoch in which they were set.
final class Resumption {
  /// How long a resumption waits for what the client sent on the old stream, if that is still being
  /// stored. Shorter than a client waits, and than a stream may take to be negotiated.
  private static final Duration SETTLE = Duration.ofSeconds(20);

  /// What a client has sent and its home has not said to have handled was appended to the log at
  /// most so long before another node knew of the home's death.
  static final Duration UNHANDLED = Duration.ofMinutes(2);

  /// A client, or the keeper of its stream, sends that again when its session has been resumed: it
  /// has begun after the first time, and is done after the second.
  private static final Duration SENDING_AGAIN = Duration.ofSeconds(5);

  private static final Duration SENT_AGAIN = Duration.ofMinutes(1);

  /// Of how many accounts ended sessions are remembered.
  private static final int REMEMBERED = 5_000;

  /// For a stream that the client has left for another one.
  static final ToStream CONFLICT =
      new ToStream.Close(StreamErrorCondition.CONFLICT, "resumed by a new connection");

  private static final Logger LOG = LoggerFactory.getLogger(Resumption.class);

  private final Sessions sessions;
  private final StanzaRouter router;
  private final IdSource ids;
  private final InstantSource clock;
  private final Scheduler scheduler;

  private final Duration time;
  private final Budget budget;
  private final RouterStats stats;
  private final boolean origins;
  private final EndedSessions ended = new EndedSessions(REMEMBERED);
  private final OwedStanzas owed;

  Resumption(Sessions sessions, StanzaRouter router, Sessions.Surroundings around, Budget budget) {
    this.sessions = sessions;
    this.router = router;
    this.ids = around.runtime().ids();
    this.clock = around.runtime().clock();
    this.scheduler = around.runtime().scheduler();
    this.time = around.limits().resumeTime();
    this.budget = budget;
    this.stats = router.stats();
    this.origins = around.messages().keepsOrigins();
    this.owed = new OwedStanzas(router, around, budget::sessions, this::settled);
  }

  /// Makes a session that can be managed.
  ///
  /// @param link the link of the client that binds it; null if it was saved
  LocalSession session(Jid jid, @Nullable HomeLink link) {
    Outgoing outgoing = new Outgoing(link != null, budget, clock);
    LocalSession session = new LocalSession(jid, link, outgoing, sessions);
    budget.add(session);
    return session;
  }

  /// The client enables stream management.
  void enable(LocalSession session, HomeLink link, boolean resumable) {
    ToStream.Enabled enabled = manage(session, resumable);
    link.stream().receive(enabled == null ? new ToStream.NotEnabled() : enabled);
  }

  /// Enables stream management: what is sent and received from now on is counted. Null if it was
  /// enabled before.
  ToStream.@Nullable Enabled manage(LocalSession session, boolean resumable) {
    if (!session.outgoing().manage()) {
      return null;
    }
    String id = resumable ? ids.next() + ids.next() : null;
    session.management(
        new Management(id == null ? null : Management.hash(id), new HandledCount(0)));
    remember(session);
    sessions.copies().begin(session);
    return new ToStream.Enabled(id, resumable ? time : Duration.ZERO);
  }

  /// In a cluster, copies of the session say what the log may not know.
  private void remember(LocalSession session) {
    if (router.homes().nodes().replication().copies()) {
      session.outgoing().rememberAcknowledged();
    }
  }

  // ---- another stream

  /// Gives a session another link, if the client may have it.
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

  /// The session may be there when the account can be read again, here or elsewhere.
  static void resumeFailed(HomeLink link, Throwable cause) {
    link.stream()
        .receive(
            cause instanceof StoreException
                ? new ToStream.Unsettled()
                : new ToStream.SessionNotFound(null));
  }

  /// Gives a session of `home` another link, if the client may have it.
  void resume(AccountHome home, HomeLink link, ToSession.Resume resume) {
    String kept = Management.hash(resume.id());
    LocalSession session = find(home, kept);
    Management management = session == null ? null : session.management();
    if (session == null || management == null) {
      LOG.atDebug().addKeyValue("account", home.jid()).log("session_not_found");
      link.stream().receive(notFound(kept, home.jid()));
      return;
    }
    ToStream refusal = refusal(session, management, resume);
    if (refusal != null) {
      link.stream().receive(refusal);
      return;
    }
    switch (session.outgoing().takeOver(resume.h())) {
      case TAKEN -> {}
      case TOO_HIGH -> {
        link.stream().receive(tooHigh(home, session, kept));
        return;
      }
      case OLD -> {
        // The client has lost what it had acknowledged; the stanzas are here no more.
        LOG.atDebug().addKeyValue("jid", session.jid()).log("session_newer_than_its_client");
        link.stream().receive(new ToStream.SessionNotFound(null));
        return;
      }
      case null -> {
        link.stream().receive(notFound(kept, home.jid()));
        return;
      }
    }
    try {
      if (resume.resumptions() == ToSession.Resume.CLIENT) {
        session.countResumption();
      }
      HomeLink old = session.link();
      session.link(link);
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

  /// Why a stream cannot have the session; null if it can.
  private @Nullable ToStream refusal(
      LocalSession session, Management management, ToSession.Resume resume) {
    long resumptions = resume.resumptions();
    if (resumptions == ToSession.Resume.CLIENT) {
      // It may have been told more on a stream that is about to have the session made again.
      return management.mayBeOlder(clock.millis()) ? new ToStream.Unsettled() : null;
    }
    if (resumptions < session.resumptions()) {
      return CONFLICT;
    }
    if (resumptions > session.resumptions() || resume.delivered() > session.outgoing().sent()) {
      // It was made again as it was before its client has resumed it, or has been sent more: the
      // keeper knows better. What it sent now would have numbers that the client has had.
      LOG.atInfo().addKeyValue("jid", session.jid()).log("session_older_than_its_stream");
      return new ToStream.SessionNotFound(null);
    }
    return null;
  }

  private ToStream tooHigh(AccountHome home, LocalSession session, String kept) {
    if (session.outgoing().known().isEmpty()) {
      return new ToStream.CountTooHigh(session.outgoing().sent());
    }
    // The client has got what the copy had not. What it has not got waits in the log.
    LOG.atInfo().addKeyValue("jid", session.jid()).log("session_newer_than_its_copy");
    sessions.end(home, session);
    return notFound(kept, home.jid());
  }

  static @Nullable LocalSession find(AccountHome home, String kept) {
    for (LocalSession session : home.sessions()) {
      Management management = session.management();
      if (management != null && kept.equals(management.id())) {
        return session;
      }
    }
    return null;
  }

  /// What the client sent on the old stream may be on its way to the disk. If the client were told
  /// the count now, it would send that again, and the receivers would have it twice. So the count
  /// is not told before, and if that takes too long the client has to try again.
  ///
  /// If the client, or the keeper of its stream, asks again and again, the time is not begun again
  /// for what another node was handling.
  private void settle(LocalSession session, Management management) {
    management.settling(true);
    if (management.isOwedBefore(clock.millis() - SETTLE.toMillis())) {
      owed.recount(session, management);
      return;
    }
    if (management.handled().isSettled()) {
      settled(session);
      return;
    }
    int epoch = management.epoch();
    management.timer(
        scheduler.schedule(
            SETTLE,
            () ->
                router.submit(
                    session.jid().bare(), false, home -> unsettled(home, session, epoch))));
  }

  /// All that the client has sent before has been handled: if a stream waits for that, the session
  /// continues on it.
  void settled(LocalSession session) {
    Management management = session.management();
    HomeLink link = session.link();
    if (management == null
        || link == null
        || !management.isSettling()
        || !management.handled().isSettled()) {
      return;
    }
    sessions.copies().resuming(session, () -> goOn(session, management));
  }

  /// No copy is older any more: the session continues. Meanwhile it may have continued and lost its
  /// stream again; then what came on that one must be handled first.
  private void goOn(LocalSession session, Management management) {
    HomeLink link = session.link();
    if (link == null
        || !management.isSettling()
        || !management.handled().isSettled()
        || session.outgoing().isOver()) {
      return;
    }
    management.resumed();
    if (management.isInDoubt()) {
      long now = clock.millis();
      management.doubtUntil(now + SENDING_AGAIN.toMillis(), now + SENT_AGAIN.toMillis());
    }
    stats.resumed.increment();
    long handled = management.handled().handled();
    try {
      session.resumed(
          link,
          new ToStream.Resumed(
              session.jid(), handled, session.outgoing().acknowledged(), session.resumptions()),
          (message, sent) -> late(session.jid(), message, sent));
    } catch (RuntimeException | Error e) {
      LOG.atError().addKeyValue("jid", session.jid()).setCause(e).log("session_not_resumed");
      closeIncomplete(session, link);
    }
  }

  /// The client may have been sent a part of what it was to be sent: it resumes once more.
  private void closeIncomplete(LocalSession session, HomeLink link) {
    router.submit(
        session.jid().bare(),
        false,
        home -> {
          if (session.isOn(link)) {
            sessions.lost(home, session);
          }
        });
    sessions.countFailed(link);
  }

  private void unsettled(AccountHome home, LocalSession session, int epoch) {
    Management management = session.management();
    HomeLink link = session.link();
    if (management == null || !management.isSettling() || management.epoch() != epoch) {
      return;
    }
    if (management.isOwed()) {
      owed.recount(session, management);
    } else if (link != null) {
      sessions.lost(home, session);
      link.stream().receive(new ToStream.Unsettled());
    }
  }

  private Message late(Jid receiver, Message message, Instant sent) {
    Dispatch host = router.host(receiver);
    return host == null ? message : host.markLate(message, sent);
  }

  private ToStream notFound(String kept, Jid account) {
    return new ToStream.SessionNotFound(ended.handled(account, kept));
  }

  /// Stanzas that former homes of sessions are still handling.
  OwedStanzas owed() {
    return owed;
  }

  // ---- without a stream

  /// The session's stream is gone without an end. False if it cannot be resumed; otherwise it waits
  /// for another stream until its time is over.
  boolean detached(LocalSession session) {
    Management management = session.management();
    if (management == null || management.id() == null) {
      return false;
    }
    management.settling(false);
    sessions.copies().detached(session);
    stats.detached.increment();
    expireAt(session, management, clock.instant().plus(time));
    return true;
  }

  private void expireAt(LocalSession session, Management management, Instant until) {
    int epoch = management.epoch();
    Duration left = management.deadline(clock.millis(), until.toEpochMilli());
    management.timer(scheduler.schedule(left, () -> sessions.expire(session, management, epoch)));
  }

  /// What is to be saved of a session; null if it cannot be resumed.
  @Nullable SavedSession saved(LocalSession session) {
    return saved(session, SentEntries.of(session));
  }

  /// What another node has to know of a session that waits for resumption, in case this one dies;
  /// null if it cannot be resumed. Messages that it is sent later are read from the log, as for
  /// every copy.
  @Nullable SavedSession copy(LocalSession session) {
    return SavedSession.of(
        session, session.outgoing().waiting(), SentEntries.ofCopy(session), until());
  }

  private @Nullable SavedSession saved(LocalSession session, SentEntries sent) {
    List<KeptStanza> unacknowledged = session.outgoing().unsettled();
    return unacknowledged == null ? null : SavedSession.of(session, unacknowledged, sent, until());
  }

  private Instant until() {
    return clock.instant().plus(time);
  }

  /// Makes a session as it was saved, without a stream; null if there is no room for it. Once it is
  /// at its home, [#restored] is to be called.
  ///
  /// @param acknowledged makes what runs when the client has acknowledged a stanza, or null
  @Nullable LocalSession restore(
      SavedSession saved, HandledCount handled, Function<Stanza, @Nullable Runnable> acknowledged) {
    LocalSession session = session(saved.jid(), null);
    session.outgoing().restore(saved.acknowledged());
    for (SavedSession.Sent sent : saved.unacknowledged()) {
      Stanza stanza = sent.stanza();
      if (!session
          .outgoing()
          .addSaved(stanza, acknowledged.apply(stanza), sent.time().toEpochMilli())) {
        session.outgoing().end();
        over(session);
        return null;
      }
    }
    Management management = new Management(saved.id(), handled);
    management.countedElsewhere();
    session.management(management);
    remember(session);
    session.presence(saved.presence());
    session.sentBefore(saved.sent());
    session.restore(saved.values());
    return session;
  }

  /// Takes a session out of its home, to be restored on another node; null if it cannot be resumed.
  /// What is still to be counted follows it.
  @Nullable MovingSession take(AccountHome home, LocalSession session) {
    // If the node to which it moves dies, the log is read for what came meanwhile.
    SavedSession saved = saved(session, SentEntries.ofCopy(session));
    Management management = session.management();
    if (saved == null || management == null || !home.remove(session)) {
      return null;
    }
    HandledCount handled = management.handled();
    left(session);
    return new MovingSession(
        saved,
        handled.received(),
        handled.pending(),
        session.outgoing().known(),
        management.doubtSince());
  }

  /// A session moves to another node, and is at no home here.
  void left(LocalSession session) {
    session.outgoing().end();
    budget.remove(session);
    Objects.requireNonNull(session.management()).moved();
    sessions.copies().forget(session);
  }

  /// A session that was saved is at its home, where it waits for a stream until its time is over;
  /// it may be so already.
  void restored(LocalSession session, SavedSession saved) {
    Management management = session.management();
    if (management != null) {
      boolean attached = session.outgoing().known().isPresent();
      expireAt(session, management, attached ? clock.instant().plus(time) : saved.until());
    }
  }

  /// The session was at a home that has died, and is now as it was a while before.
  ///
  /// @param saved as it was; its time begins when it was saved
  void remade(LocalSession session, SavedSession saved) {
    Management management = session.management();
    if (management != null && origins) {
      management.doubtSince(owed.doubtSince(saved.until().minus(time).toEpochMilli()));
    }
  }

  /// How long ago a home that has died may have handled what the client sends now, in ms; 0 if the
  /// client has sent everything again by now.
  int age(Management management) {
    return Math.toIntExact(Math.min(Integer.MAX_VALUE, management.doubt(clock.millis())));
  }

  /// The sessions that are not over. A view, safe to read by any thread.
  Collection<LocalSession> sessions() {
    return budget.sessions();
  }

  /// The session is over, and so is its way out; only the count of what was handled is remembered.
  void over(LocalSession session) {
    budget.remove(session);
    sessions.copies().remove(session);
    Management management = session.management();
    if (management == null) {
      return;
    }
    management.resumed();
    String kept = management.id();
    if (kept != null) {
      ended.add(session.jid().bare(), kept, management.handled());
    }
  }
}
