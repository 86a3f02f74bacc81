package im.zonda.router;

import im.zonda.config.Limits;
import im.zonda.jid.Jid;
import im.zonda.module.IdSource;
import im.zonda.module.Scheduler;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Sessions that outlive their streams (XEP-0198, section 5).
///
/// A session is found by an identifier that nobody can guess and that only its own account may use.
/// Of the identifiers only hashes are kept.
final class Resumption {
  /// How long a resumption waits for what the client sent on the old stream, if that is still being
  /// stored, before the client is asked to send it again.
  private static final Duration SETTLE = Duration.ofSeconds(5);

  /// How many sessions that are over are remembered, so that a client that comes too late still
  /// learns what was handled.
  private static final int REMEMBERED = 10_000;

  private static final int HASH_BYTES = 18;

  /// What is known of a session that is over.
  private record Over(Jid account, long handled) {}

  private final StanzaRouter router;
  private final IdSource ids;
  private final InstantSource clock;
  private final Scheduler scheduler;
  private final Duration time;
  private final Budget budget;
  private final RouterStats stats;
  private final Map<String, LocalSession> sessions = new ConcurrentHashMap<>();
  private final Map<String, Over> over =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Over> eldest) {
          return size() > REMEMBERED;
        }
      };

  Resumption(
      StanzaRouter router, IdSource ids, InstantSource clock, Scheduler scheduler, Limits limits) {
    this.clock = clock;
    this.router = router;
    this.ids = ids;
    this.scheduler = scheduler;
    this.time = limits.resumeTime();
    this.budget = new Budget(limits);
    this.stats = router.stats();
  }

  /// Makes the session's stream a managed one; `answer` tells the client. False if the session has
  /// another stream by now or is managed already.
  boolean manage(
      LocalSession session, Outbound stream, boolean resumable, Consumer<Managed> answer) {
    String id = resumable ? ids.next() + ids.next() : null;
    String kept = id == null ? null : hash(id);
    Management management = new Management(kept, new HandledCount(stream, 0));
    Managed managed = new Managed(id, resumable ? time : Duration.ZERO);
    boolean done =
        session
            .outgoing()
            .manage(
                stream,
                new Unacknowledged(budget, 0),
                () -> {
                  session.management(management);
                  answer.accept(managed);
                });
    if (done && kept != null) {
      sessions.put(kept, session);
    }
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
    management.newStream();
    management.handled().belongsTo(stream);
    if (old != null) {
      old.close(StreamErrorCondition.CONFLICT, "resumed by a new connection");
    }
    stats.resumed.increment();
    settle(
        management.handled(),
        () ->
            then.accept(
                new Resumed.Done(
                    new ClientSession(router, session, stream), management.handled().handled())));
  }

  /// What the client sent on the old stream may be on its way to the disk. If the client were told
  /// the count now, it would send that again, and the receivers would have it twice.
  private void settle(HandledCount handled, Runnable action) {
    Scheduler.Cancellable timeout =
        scheduler.schedule(
            SETTLE,
            () -> {
              if (handled.giveUp(action)) {
                action.run();
              }
            });
    if (handled.whenSettled(action)) {
      timeout.cancel();
    }
  }

  private Resumed notFound(String kept, Jid account) {
    Over known;
    synchronized (over) {
      known = over.get(kept);
    }
    if (known == null || !known.account.equals(account)) {
      return new Resumed.NotFound(null);
    }
    return new Resumed.NotFound(known.handled);
  }

  /// The stream of `stream` is gone without an end. Returns whether the session goes on without;
  /// then `expire` is called when its time is over, with a question to be asked at the home:
  /// whether no other stream has come meanwhile.
  boolean lost(LocalSession session, Outbound stream, Consumer<BooleanSupplier> expire) {
    Management management = session.management();
    if (!session.outgoing().detach(stream)) {
      return true;
    }
    if (management == null || management.id() == null) {
      return false;
    }
    management.handled().belongsTo(null);
    stats.detached.increment();
    int streams = management.streams();
    BooleanSupplier stillAlone = () -> management.streams() == streams;
    management.timer(scheduler.schedule(time, () -> expire.accept(stillAlone)));
    return true;
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
    List<Stanza> unacknowledged = session.outgoing().unsettled();
    return new SavedSession(
        session.jid(),
        id,
        clock.instant().plus(time),
        management.handled().handled(),
        session.outgoing().acknowledged(),
        unacknowledged,
        session.presence(),
        session.isCatchingUp(),
        session.savedValues());
  }

  /// Makes a session as it was saved, without a stream; null if there is no room for it.
  ///
  /// @param acknowledged makes what runs when the client has acknowledged a stanza, or null
  /// @param expire as in [#lost]
  @Nullable LocalSession restore(
      SavedSession saved,
      Function<Stanza, @Nullable Runnable> acknowledged,
      BiConsumer<LocalSession, BooleanSupplier> expire) {
    Duration left = Duration.between(clock.instant(), saved.until());
    Unacknowledged queue = new Unacknowledged(budget, saved.acknowledged());
    for (Stanza stanza : saved.unacknowledged()) {
      if (!queue.add(stanza, acknowledged.apply(stanza))) {
        queue.drain();
        return null;
      }
    }
    LocalSession session = new LocalSession(saved.jid(), null, router::noRoom);
    Management management = new Management(saved.id(), new HandledCount(null, saved.handled()));
    session.management(management);
    session.outgoing().restore(queue);
    session.presence(saved.presence());
    session.restore(saved.values());
    sessions.put(saved.id(), session);
    int streams = management.streams();
    BooleanSupplier stillAlone = () -> management.streams() == streams;
    management.timer(
        scheduler.schedule(
            left.isNegative() ? Duration.ZERO : left, () -> expire.accept(session, stillAlone)));
    return session;
  }

  /// The session is over; only the count of what was handled is remembered.
  void over(LocalSession session) {
    Management management = session.management();
    String kept = management == null ? null : management.id();
    if (management == null || kept == null) {
      return;
    }
    management.newStream();
    sessions.remove(kept);
    synchronized (over) {
      over.put(kept, new Over(session.jid().bare(), management.handled().handled()));
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
