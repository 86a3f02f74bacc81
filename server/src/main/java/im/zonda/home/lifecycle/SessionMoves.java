package im.zonda.home.lifecycle;

import im.zonda.home.account.AccountHome;
import im.zonda.home.recovery.FormerHomes;
import im.zonda.home.recovery.SessionReplication;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.home.session.StreamManagementState;
import im.zonda.jid.Jid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Moves sessions that can be resumed to other nodes, and brings those that arrive to their homes:
/// from another node, or from the restart file.
final class SessionMoves {
  private static final Logger log = LoggerFactory.getLogger(SessionMoves.class);

  private final SessionLifecycle sessions;
  private final Resumption resumption;
  private final RestoredSessions restored;
  private final SessionReplication replication;
  private final FormerHomes formerHomes;
  private final SessionSteps steps;
  private final ArrivingSessions arriving;

  SessionMoves(
      SessionLifecycle sessions,
      Resumption resumption,
      RestoredSessions restored,
      SessionContext context,
      SessionSteps steps) {
    this.sessions = sessions;
    this.resumption = resumption;
    this.restored = restored;
    this.replication = context.recovery().replication();
    this.formerHomes = context.recovery().formerHomes();
    this.steps = steps;
    this.arriving =
        new ArrivingSessions(
            sessions.registry(), context.runtime().scheduler(), this::loaded, this::homeless);
  }

  /// Removes the sessions of these accounts, which have no streams, from their homes: they move to
  /// another node. Blocks.
  List<SessionSnapshot> take(Predicate<Jid> accounts) {
    Taken taken = new Taken(passOn(accounts));
    steps.run(
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
    LocalSession session = restored.make(snapshot);
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
        if (restored.attach(home, session, each.snapshot(), each.incomplete())) {
          sessions.changed(session); // not before: replication would load the home
          if (each.incomplete()) {
            restored.recovered(home, session, each.snapshot(), Map.of());
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
}
