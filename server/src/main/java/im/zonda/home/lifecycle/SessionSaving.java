package im.zonda.home.lifecycle;

import im.zonda.account.GuestAddress;
import im.zonda.cluster.placement.ClusterView;
import im.zonda.home.HomeTask;
import im.zonda.home.account.AccountHome;
import im.zonda.home.account.AccountRegistry;
import im.zonda.home.delivery.CatchUp;
import im.zonda.home.recovery.FormerHomes;
import im.zonda.home.recovery.HeldStanzas;
import im.zonda.home.recovery.SessionReplication;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.LogAction;
import im.zonda.home.session.SentEntries;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.home.session.SessionSnapshots;
import im.zonda.home.session.StreamManagementState;
import im.zonda.hook.SessionListener;
import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.store.MessageLog;
import im.zonda.store.StanzaIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Saves sessions that can be resumed (XEP-0198, section 5) at a stop of the server, restores them
/// at the start, and moves them between nodes: to their clients it looks like a short break of the
/// network.
final class SessionSaving {
  private static final Logger log = LoggerFactory.getLogger(SessionSaving.class);
  private static final long PATIENCE_SECONDS = 10;

  private final SessionLifecycle sessions;
  private final AccountRegistry registry;
  private final Resumption resumption;
  private final SessionReplication replication;
  private final FormerHomes formerHomes;
  private final HeldStanzas held;
  private final MessageLog messages;
  private final StanzaIds stanzaIds;
  private final SessionSnapshots snapshots;
  private final CatchUp catchUp;
  private final ArrivingSessions arriving;

  SessionSaving(
      SessionLifecycle sessions, Resumption resumption, SessionContext context, CatchUp catchUp) {
    this.sessions = sessions;
    this.registry = sessions.registry();
    this.resumption = resumption;
    this.replication = context.recovery().replication();
    this.formerHomes = context.recovery().formerHomes();
    this.held = context.recovery().heldStanzas();
    this.messages = context.messages();
    this.stanzaIds = context.stanzaIds();
    this.snapshots = context.snapshots();
    this.catchUp = catchUp;
    this.arriving =
        new ArrivingSessions(registry, context.runtime().scheduler(), this::loaded, this::homeless);
  }

  /// The snapshots of all sessions. All streams must have ended. Blocks.
  ///
  /// Waits until the clients' stanzas in progress are handled: a client that resumes sends
  /// uncounted stanzas again, and their receivers would get them twice. A session whose count is
  /// not known in time is not saved. Nor is one whose home is not here, as at a node that was
  /// evicted: its home at another node has recovered it, and a home without a placement does not
  /// answer.
  List<SessionSnapshot> save() {
    ClusterView view = registry.homes().nodes().view();
    return save(sessions.all().stream().filter(each -> view.isHere(each.jid().bare())).toList());
  }

  /// Removes the sessions of these accounts, which have no streams, from their homes: they move to
  /// another node. Blocks.
  List<SessionSnapshot> take(Predicate<Jid> accounts) {
    Taken taken = new Taken(passOn(accounts));
    atHomes(
        sessions.all().stream().filter(each -> accounts.test(each.jid().bare())).toList(),
        "sessions_not_moved",
        (home, session, done) -> {
          home.shared().release();
          if (home.sessions().contains(session)) {
            taken.take(home, session);
          }
          done.run();
        });
    return taken.close();
  }

  /// The sessions that move. A session whose home was busy for too long ends, as the other ones
  /// have left.
  private final class Taken {
    private final List<SessionSnapshot> all;
    private boolean closed;

    Taken(List<SessionSnapshot> first) {
      all = new ArrayList<>(first);
    }

    synchronized void take(AccountHome home, LocalSession session) {
      SessionSnapshot one = closed ? null : move(home, session);
      if (one == null) {
        sessions.end(home, session);
      } else {
        all.add(one);
      }
    }

    private @Nullable SessionSnapshot move(AccountHome home, LocalSession session) {
      try {
        return resumption.take(home, session);
      } catch (RuntimeException e) {
        log.atError().addKeyValue("jid", session.jid()).setCause(e).log("session_not_moved");
        return null;
      }
    }

    synchronized List<SessionSnapshot> close() {
      closed = true;
      return List.copyOf(all);
    }
  }

  private List<SessionSnapshot> save(List<LocalSession> all) {
    boolean stored = flush();
    if (stored) {
      atHomes(
          all,
          "stanzas_not_handled",
          (home, session, done) -> {
            StreamManagementState management = session.management();
            if (management == null) {
              done.run();
            } else {
              management.whenSettled(done);
            }
          });
    }
    ConcurrentLinkedQueue<SessionSnapshot> saved = new ConcurrentLinkedQueue<>();
    atHomes(
        all,
        "sessions_not_saved",
        (home, session, done) -> {
          // Shared entries are not saved, so an entry that a client has acknowledged must not wait
          // in the log.
          home.shared().release();
          // Stanzas that could not be stored are not handled; the client sends them again.
          if (home.sessions().contains(session)
              && session.outgoing().replicatedUpTo().isEmpty()
              && (!stored || isSettled(session))) {
            SessionSnapshot one = snapshots.whole(session, SentEntries.of(session));
            if (one != null) {
              saved.add(one);
            }
          }
          done.run();
        });
    if (stored) {
      // If the server is killed now, the sessions must not be sent their entries twice.
      flush();
    }
    return List.copyOf(saved);
  }

  /// Waits until what has been appended is durable; false if it cannot be stored.
  private boolean flush() {
    try {
      messages.flush();
      return true;
    } catch (RuntimeException e) {
      log.atWarn().setCause(e).log("sessions_saved_without_commit");
      return false;
    }
  }

  private static boolean isSettled(LocalSession session) {
    StreamManagementState management = session.management();
    return management != null && management.handled().isSettled();
  }

  /// A step for one session at its home; runs `done` in the end.
  private interface Step {
    void run(AccountHome home, LocalSession session, Runnable done);
  }

  /// Runs the step for all sessions, and waits until all are done, at most for the patience; then
  /// logs `late`.
  private void atHomes(List<LocalSession> all, String late, Step step) {
    CountDownLatch waiting = new CountDownLatch(all.size());
    for (LocalSession session : all) {
      Runnable done = once(waiting::countDown);
      HomeTask<AccountHome> task =
          new HomeTask<>() {
            @Override
            public void run(AccountHome home) {
              step.run(home, session, done);
            }

            @Override
            public void failed(Throwable cause) {
              done.run(); // reported by the mailbox
            }
          };
      if (!registry.submit(session.jid().bare(), task, null)) {
        done.run();
      }
    }
    try {
      if (!waiting.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        log.atWarn().addKeyValue("missing", waiting.getCount()).log(late);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// An action that runs at its first call only: a step that is done may fail later.
  private static Runnable once(Runnable action) {
    AtomicBoolean done = new AtomicBoolean();
    return () -> {
      if (done.compareAndSet(false, true)) {
        action.run();
      }
    };
  }

  /// Restores the sessions of a restart file. Returns at once; no one can resume a session before
  /// its home has it.
  void restore(List<SessionSnapshot> saved) {
    for (SessionSnapshot each : saved) {
      try {
        restore(each);
      } catch (RuntimeException e) {
        log.atError().addKeyValue("jid", each.jid()).setCause(e).log("session_not_restored");
      }
    }
    opened();
  }

  /// Homes are open here: they take the sessions that have arrived for them. Returns at once.
  void opened() {
    arriving.open();
  }

  /// Keeps a session that has moved here until its home takes it. Returns at once.
  void restore(SessionSnapshot snapshot) {
    LocalSession session = make(snapshot);
    if (session == null) {
      log.atWarn().addKeyValue("jid", snapshot.jid()).log("session_not_restored");
      replication.removeReplica(snapshot.jid().bare(), snapshot.id());
      return;
    }
    boolean incomplete = formerHomes.restored(session, snapshot);
    arriving.add(new ArrivingSessions.Arrival(snapshot, session, incomplete));
  }

  /// Takes the sessions that have not reached their homes here; they move on unchanged.
  private List<SessionSnapshot> passOn(Predicate<Jid> accounts) {
    List<SessionSnapshot> moving = new ArrayList<>();
    for (ArrivingSessions.Arrival each : arriving.take(accounts)) {
      StreamManagementState management = Objects.requireNonNull(each.session().management());
      resumption.left(each.session());
      moving.add(each.snapshot().withPossiblyHandledSince(management.possiblyHandledSince()));
    }
    return moving;
  }

  /// The home is loaded: it takes the sessions that have arrived for it.
  void loaded(AccountHome home) {
    for (ArrivingSessions.Arrival each : arriving.take(home.jid())) {
      LocalSession session = each.session();
      try {
        if (attach(home, session, each.snapshot(), each.incomplete())) {
          sessions.changed(session); // not before: replication would load the home
          if (each.incomplete()) {
            recovered(home, session, each.snapshot(), Map.of());
          }
        }
      } catch (RuntimeException e) {
        log.atError().addKeyValue("jid", session.jid()).setCause(e).log("session_not_restored");
        home.remove(session);
        resumption.end(session);
      }
    }
  }

  private void homeless(LocalSession session) {
    log.atWarn()
        .addKeyValue("jid", session.jid())
        .addKeyValue("reason", "its home is not there")
        .log("session_not_restored");
    resumption.end(session);
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
