package im.zonda.router;

import im.zonda.jid.Jid;
import im.zonda.module.IdSource;
import im.zonda.module.Scheduler;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Sessions that outlive their streams (XEP-0198, section 5).
///
/// A session is found by an identifier that nobody can guess and that only its own account may use.
/// Of the identifiers only hashes are kept.
final class Resumption {
  /// How long a resumption waits for what the client sent on the old stream, if that is still being
  /// stored. Shorter than a client waits, and than a stream may take to be negotiated.
  private static final Duration SETTLE = Duration.ofSeconds(20);

  /// Of how many accounts ended sessions are remembered.
  private static final int REMEMBERED = 5_000;

  private static final int HASH_BYTES = 18;

  private final StanzaRouter router;
  private final IdSource ids;
  private final InstantSource clock;
  private final Scheduler scheduler;
  private final Duration time;
  private final Budget budget;
  private final RouterStats stats;
  private final Map<String, LocalSession> sessions = new ConcurrentHashMap<>();
  private final EndedSessions ended = new EndedSessions(REMEMBERED);

  Resumption(
      StanzaRouter router,
      IdSource ids,
      InstantSource clock,
      Scheduler scheduler,
      Duration time,
      Budget budget) {
    this.clock = clock;
    this.router = router;
    this.ids = ids;
    this.scheduler = scheduler;
    this.time = time;
    this.budget = budget;
    this.stats = router.stats();
  }

  /// Makes a session that can be managed.
  ///
  /// @param outbound the stream that it will be attached to; null if it was saved
  LocalSession session(Jid jid, @Nullable Outbound outbound) {
    LocalSession session = new LocalSession(jid, new Outgoing(outbound, budget, clock), router);
    budget.add(session);
    return session;
  }

  /// Makes the session's stream a managed one; `answer` tells the client. False if the session has
  /// another stream by now or is managed already.
  boolean manage(
      LocalSession session, Outbound stream, boolean resumable, Consumer<Managed> answer) {
    String id = resumable ? ids.next() + ids.next() : null;
    String kept = id == null ? null : hash(id);
    Management management = new Management(kept, new HandledCount(session.jid(), stream, 0));
    Managed managed = new Managed(id, resumable ? time : Duration.ZERO);
    boolean done =
        session
            .outgoing()
            .manage(
                stream,
                () -> {
                  // Before the end of the session can see that it is managed.
                  session.management(management);
                  if (kept != null) {
                    sessions.put(kept, session);
                  }
                  answer.accept(managed);
                });
    return done;
  }

  /// Gives a session of `home` the stream of `stream`. Runs at the home.
  void resume(AccountHome home, String id, long h, Outbound stream, Consumer<Resumed> then) {
    String kept = hash(id);
    LocalSession session = sessions.get(kept);
    Management management = session == null ? null : session.management();
    if (session == null || management == null || !home.sessions().contains(session)) {
      then.accept(notFound(kept, home.jid()));
      return;
    }
    Outbound old = session.outgoing().owner();
    switch (session.outgoing().takeOver(stream, h)) {
      case TAKEN -> {}
      case TOO_HIGH -> {
        then.accept(new Resumed.TooHigh(session.outgoing().sent()));
        return;
      }
      case OLD -> {
        // The client has lost what it had acknowledged; the stanzas are here no more.
        then.accept(new Resumed.NotFound(null));
        return;
      }
      case null -> {
        then.accept(notFound(kept, home.jid()));
        return;
      }
    }
    management.handled().belongsTo(stream);
    if (old != null) {
      old.close(StreamErrorCondition.CONFLICT, "resumed by a new connection");
    }
    settle(session, management, stream, then);
  }

  /// What the client sent on the old stream may be on its way to the disk. If the client were told
  /// the count now, it would send that again, and the receivers would have it twice. So the count
  /// is not told before, and if that takes too long the client has to try again.
  private void settle(
      LocalSession session, Management management, Outbound stream, Consumer<Resumed> then) {
    HandledCount handled = management.handled();
    Runnable action =
        () -> {
          management.resumed();
          stats.resumed.increment();
          then.accept(
              new Resumed.Done(new ClientSession(router, session, stream), handled.handled()));
        };
    Scheduler.Cancellable timeout =
        scheduler.schedule(
            SETTLE,
            () -> {
              if (handled.stopWaiting(action)) {
                router.lost(session, stream);
                then.accept(new Resumed.Unsettled());
              }
            });
    if (handled.whenSettled(action)) {
      timeout.cancel();
    }
  }

  private Resumed notFound(String kept, Jid account) {
    return new Resumed.NotFound(ended.handled(account, kept));
  }

  /// The session's stream is gone without an end. False if it cannot be resumed; otherwise it waits
  /// for another stream until its time is over. Runs at its home.
  boolean detached(LocalSession session) {
    Management management = session.management();
    if (management == null || management.id() == null) {
      return false;
    }
    management.handled().belongsTo(null);
    stats.detached.increment();
    expireAt(session, management, clock.instant().plus(time));
    return true;
  }

  private void expireAt(LocalSession session, Management management, Instant until) {
    int resumptions = management.resumptions();
    Duration left = management.deadline(clock.millis(), until.toEpochMilli());
    management.timer(
        scheduler.schedule(
            left, () -> router.expire(session, () -> management.resumptions() == resumptions)));
  }

  /// What clients have been sent and have not acknowledged.
  long unacknowledgedBytes() {
    return budget.taken();
  }

  /// The sessions that can be resumed.
  List<LocalSession> all() {
    return List.copyOf(sessions.values());
  }

  /// What is to be saved of a session; null if it cannot be resumed. Runs at its home.
  @Nullable SavedSession saved(LocalSession session) {
    Management management = session.management();
    String id = management == null ? null : management.id();
    if (management == null || id == null) {
      return null;
    }
    List<KeptStanza> unacknowledged = session.outgoing().unsettled();
    if (unacknowledged == null) {
      return null;
    }
    return new SavedSession(
        session.jid(),
        id,
        clock.instant().plus(time),
        management.handled().handled(),
        session.outgoing().acknowledged(),
        unacknowledged.stream()
            .map(kept -> new SavedSession.Sent(kept.stanza(), Instant.ofEpochMilli(kept.time())))
            .toList(),
        session.presence(),
        session.isCatchingUp(),
        session.savedValues());
  }

  /// Makes a session as it was saved, without a stream; null if there is no room for it. Once it is
  /// at its home it is to be told to [#restored].
  ///
  /// @param acknowledged makes what runs when the client has acknowledged a stanza, or null
  @Nullable LocalSession restore(
      SavedSession saved, Function<Stanza, @Nullable Runnable> acknowledged) {
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
    session.management(
        new Management(saved.id(), new HandledCount(session.jid(), null, saved.handled())));
    session.presence(saved.presence());
    session.restore(saved.values());
    sessions.put(saved.id(), session);
    return session;
  }

  /// A session that was saved is at its home, where it waits for a stream until its time is over;
  /// it may be so already.
  void restored(LocalSession session, SavedSession saved) {
    Management management = session.management();
    if (management != null) {
      expireAt(session, management, saved.until());
    }
  }

  /// The session is over, and so is its way out; only the count of what was handled is remembered.
  void over(LocalSession session) {
    budget.remove(session);
    Management management = session.management();
    if (management == null) {
      return;
    }
    management.resumed();
    management.handled().belongsTo(null);
    String kept = management.id();
    if (kept != null) {
      sessions.remove(kept);
      ended.add(session.jid().bare(), kept, management.handled());
    }
  }

  private static String hash(String id) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(Arrays.copyOf(hash, HASH_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }
}
