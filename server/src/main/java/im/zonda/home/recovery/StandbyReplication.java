package im.zonda.home.recovery;

import im.zonda.cluster.replica.Replication;
import im.zonda.home.account.AccountHome;
import im.zonda.home.account.AccountRegistry;
import im.zonda.home.session.AttachedReplica;
import im.zonda.home.session.Budget;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.SessionPhase;
import im.zonda.home.session.SessionSnapshotCodec.Section;
import im.zonda.home.session.SessionSnapshots;
import im.zonda.home.session.StreamManagementState;
import im.zonda.jid.Jid;
import im.zonda.module.Scheduler;
import im.zonda.runtime.ServerRuntime;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Replicates sessions that can be resumed (XEP-0198, section 5) to the standby, another node of
/// the cluster that recovers them if this node dies.
///
/// A session without a stream is replicated as a whole, a few times a second at most and less often
/// the larger it is. Messages that the replica lacks are in the log, which is read after the last
/// one that it has.
///
/// A session whose stream is in this process is replicated in rounds, in three parts: its state,
/// its queue of sent stanzas, and its count of the client's stanzas. The client gets the count
/// after the standby has confirmed it; stanzas to the client do not wait. Sessions whose stream is
/// at another process are not replicated: the keeper of the stream recovers them
/// ([im.zonda.link.keeper]).
///
/// A standby that does not confirm is waited for until another node becomes the standby: as long as
/// it may recover the session from its replica, the client must not get a higher count than the
/// replica has.
public final class StandbyReplication implements SessionReplication {
  private static final Logger LOG = LoggerFactory.getLogger(StandbyReplication.class);

  /// The most sessions without a stream that are replicated in a tick. After the loss of a node
  /// there may be thousands at once, and messages wait meanwhile.
  private static final int TICK_SESSIONS = 500;

  /// A session without a stream skips one tick for each unit of this size, in bytes.
  private static final int TICK_BYTES = 32_768;

  /// The least time between two rounds of sessions with a stream.
  private static final Duration ROUND = Duration.ofMillis(10);

  /// A session with a stream skips one round for each unit of this size, in bytes.
  private static final int ROUND_BYTES = 16_384;

  /// How long a session is not replicated after a standby had no room for it.
  private static final Duration PAUSE = Duration.ofSeconds(5);

  /// The ticks between two searches for sessions without a replica, and for numbers that are no
  /// longer needed.
  private static final int TICKS = 25;

  private final AccountRegistry registry;
  private final Budget<LocalSession> sessions;
  private final Replication replication;
  private final Executor workers;
  private final Scheduler scheduler;
  private final InstantSource clock;
  private final boolean replicatesAttached;

  /// Changed sessions without a stream.
  private final Set<LocalSession> changed = ConcurrentHashMap.newKeySet();

  /// Those that are replicated next, in order: every session gets a turn before one gets a second.
  /// Used by [#replicateChanges] alone.
  private final Queue<LocalSession> turns = new ArrayDeque<>();

  /// Changed sessions with a stream in this process.
  private final Set<LocalSession> due = ConcurrentHashMap.newKeySet();

  private final ReplicaParts parts;
  private final ResumptionNumbers numbers;
  private final AtomicBoolean roundIsDue = new AtomicBoolean();
  private volatile long lastRound;
  private int ticks;

  /// @param sessions all sessions that have not ended
  /// @param numbers what former homes have replicated
  /// @param replicatesAttached whether sessions whose stream is in this process are replicated
  public StandbyReplication(
      AccountRegistry registry,
      Budget<LocalSession> sessions,
      SessionSnapshots snapshots,
      ServerRuntime runtime,
      ResumptionNumbers numbers,
      boolean replicatesAttached) {
    this.registry = registry;
    this.sessions = sessions;
    this.replication = registry.homes().nodes().replication();
    this.workers = runtime.workers();
    this.scheduler = runtime.scheduler();
    this.clock = runtime.clock();
    this.replicatesAttached = replicatesAttached;
    this.parts = new ReplicaParts(snapshots);
    this.numbers = numbers;
  }

  private static @Nullable AttachedReplica copy(LocalSession session) {
    StreamManagementState management = session.management();
    return management == null ? null : management.copy();
  }

  // ---- what happens to sessions

  @Override
  public void changed(LocalSession session) {
    if (session.isDetached()) {
      changed.add(session);
    } else {
      due.add(session);
      wake();
    }
  }

  @Override
  public void managed(LocalSession session) {
    // Replicas of the session have acknowledgements that the log may lack.
    session.outgoing().rememberAcknowledged();
    begin(session);
  }

  /// Starts the replication of a session if its stream is in this process.
  private void begin(LocalSession session) {
    StreamManagementState management = session.management();
    if (management != null && isAttachedHere(session) && hasStandby(session)) {
      AttachedReplica copy = management.openCopy();
      if (copy.mayBegin(clock.millis())) {
        copy.begin();
        changed(session);
      }
    }
  }

  private boolean isAttachedHere(LocalSession session) {
    SessionPhase.Link link = session.link();
    return replicatesAttached
        && link != null
        && session.resumptionId() != null
        && !link.stream().keepsState();
  }

  private boolean hasStandby(LocalSession session) {
    return replication.hasStandby(session.jid().bare());
  }

  @Override
  public void handled(
      LocalSession session, StreamManagementState management, SessionPhase.Link link) {
    AttachedReplica copy = management.copy();
    if (copy == null) {
      SessionReplication.super.handled(session, management, link);
    } else if (copy.phase() == AttachedReplica.Phase.NONE) {
      session.sendState(); // before the count
      copy.report(link, management.handled().handled());
    } else if (copy.changed(Section.HANDLED)) {
      changed(session);
    }
  }

  /// The replica stays until the whole session replaces it.
  @Override
  public void detached(LocalSession session) {
    AttachedReplica copy = copy(session);
    if (copy != null) {
      copy.end();
    }
    changed(session);
  }

  @Override
  public void resuming(LocalSession session, Runnable then) {
    StreamManagementState management = session.management();
    if (management == null
        || (!session.isCopied() && !isAttachedHere(session) && !isNumberDue(session, management))) {
      then.run();
      return;
    }
    AttachedReplica copy = management.openCopy();
    boolean begins = mayBegin(session, copy);
    boolean isNumberDue = !begins && isNumberDue(session, management);
    if (copy.isAwaited() && !isNumberDue) {
      return; // for the same reason
    }
    copy.whenConfirmed(then);
    if (begins) {
      copy.begin();
      copy.whenConfirmed(then);
      copyAttached(session);
    } else if (isNumberDue) {
      removeReplica(session, copy, 0);
    } else if (copy.phase() == AttachedReplica.Phase.REMOVING) {
      return; // until it has left
    } else if (session.isCopied()) {
      removeReplica(session, copy, 0);
    } else {
      copy.end();
      then.run();
    }
  }

  private boolean mayBegin(LocalSession session, AttachedReplica copy) {
    return isAttachedHere(session)
        && hasStandby(session)
        && (copy.phase() == AttachedReplica.Phase.REPLICATED || copy.mayBegin(clock.millis()));
  }

  /// Whether the standby does not know the number of the last resumption. A session whose client
  /// has only had one stream needs none.
  private boolean isNumberDue(LocalSession session, StreamManagementState management) {
    return management.resumptions() > 0
        && management.resumptions() != management.replicatedResumption()
        && session.resumptionId() != null
        && hasStandby(session);
  }

  @Override
  public void ended(LocalSession session) {
    forget(session);
    StreamManagementState management = session.management();
    String id = session.resumptionId();
    if (management == null || id == null) {
      return;
    }
    AttachedReplica copy = management.copy();
    if (copy != null) {
      copy.end();
    }
    if (session.isCopied() || management.replicatedResumption() > 0) {
      session.copied(false);
      management.replicatedResumption(0);
      removeReplica(session.jid().bare(), id);
    }
  }

  @Override
  public void forget(LocalSession session) {
    changed.remove(session);
    due.remove(session);
  }

  @Override
  public void removeReplica(Jid account, String id) {
    replication.copy(account, ReplicaParts.removal(id), null);
  }

  @Override
  public void recovered(LocalSession session) {
    StreamManagementState management = session.management();
    String id = session.resumptionId();
    if (management != null && id != null) {
      replication.copy(session.jid().bare(), number(management, id), null);
    }
  }

  private Map<String, byte @Nullable []> number(StreamManagementState management, String id) {
    numbers.replicated(id, management.resumptions());
    management.replicatedResumption(management.resumptions());
    return parts.number(management, id);
  }

  // ---- sessions without a stream

  @Override
  public void replicateChanges() {
    if (turns.isEmpty()) {
      turns.addAll(changed);
    }
    for (int copied = 0; copied < TICK_SESSIONS && !turns.isEmpty(); ) {
      LocalSession session = turns.remove();
      if (changed.contains(session) && session.mayCopy()) {
        copied++;
        changed.remove(session);
        atHome(session, home -> copyDetached(home, session));
      }
    }
    if (!due.isEmpty()) {
      round();
    }
    ticks++;
    if (ticks % TICKS == 0) {
      beginOthers();
      numbers.expire();
    }
  }

  private interface Task {
    void run(AccountHome home);
  }

  /// Runs `task` if the home is loaded. A session that has moved here is not at its home before
  /// that, and after the death of a node thousands of homes wait to be loaded.
  private void atHome(LocalSession session, Task task) {
    registry.submitIfLoaded(session.jid().bare(), task::run);
  }

  private void copyDetached(AccountHome home, LocalSession session) {
    if (!session.isDetached() || !home.sessions().contains(session)) {
      return;
    }
    StreamManagementState management = session.management();
    String id = session.resumptionId();
    byte[] state = parts.detached(session);
    if (management == null || id == null || state == null) {
      return;
    }
    session.copied(true);
    session.pauseCopies(state.length / TICK_BYTES);
    boolean hasOthers = management.copy() != null || management.replicatedResumption() > 0;
    Map<String, byte @Nullable []> all =
        hasOthers ? ReplicaParts.removal(id) : new LinkedHashMap<>();
    all.put(id, state);
    management.replicatedResumption(0); // the state has it
    replication.copy(home.jid(), all, null);
  }

  // ---- sessions with a stream

  /// Looks for sessions that have no replica, because there was no standby or no room.
  private void beginOthers() {
    for (LocalSession session : sessions.sessions()) {
      StreamManagementState management = session.management();
      AttachedReplica copy = copy(session);
      if (isAttachedHere(session)) {
        if ((copy == null || copy.mayBegin(clock.millis())) && hasStandby(session)) {
          whileAttached(session, this::begin);
        }
      } else if (!session.isDetached() && management != null && isNumberDue(session, management)) {
        whileAttached(session, this::recovered);
      }
    }
  }

  private void whileAttached(LocalSession session, Consumer<LocalSession> task) {
    atHome(
        session,
        home -> {
          if (home.sessions().contains(session)
              && session.phase() instanceof SessionPhase.Attached) {
            task.accept(session);
          }
        });
  }

  /// Schedules the next round: at once if the last one was long ago.
  private void wake() {
    if (!roundIsDue.compareAndSet(false, true)) {
      return;
    }
    long left = Math.min(lastRound + ROUND.toMillis() - clock.millis(), ROUND.toMillis());
    try {
      if (left <= 0) {
        workers.execute(this::round);
      } else {
        scheduler.schedule(Duration.ofMillis(left), this::round);
      }
    } catch (RejectedExecutionException e) {
      // The server is stopping.
      roundIsDue.set(false);
    }
  }

  private void round() {
    lastRound = clock.millis();
    roundIsDue.set(false);
    for (LocalSession session : List.copyOf(due)) {
      if (session.mayCopy() && due.remove(session)) {
        atHome(
            session,
            home -> {
              if (home.sessions().contains(session)) {
                copyAttached(session);
              }
            });
      }
    }
    if (!due.isEmpty()) {
      wake();
    }
  }

  private void copyAttached(LocalSession session) {
    StreamManagementState management = session.management();
    AttachedReplica copy = management == null ? null : management.copy();
    Set<Section> sections = copy == null ? Set.of() : copy.send();
    String id = session.resumptionId();
    if (sections.isEmpty() || copy == null || management == null || id == null) {
      return;
    }
    long handled = management.handled().handled();
    Map<String, byte @Nullable []> all;
    try {
      all = parts.attached(session, id, handled, copy, sections);
    } catch (RuntimeException e) {
      // No confirmation would come, and the client would wait for it.
      LOG.atError().addKeyValue("jid", session.jid()).setCause(e).log("session_not_copied");
      removeReplica(session, copy, clock.millis() + PAUSE.toMillis());
      return;
    }
    if (sections.contains(Section.QUEUE)) {
      session.pauseCopies(copy.queueBytes() / ROUND_BYTES);
    }
    session.copied(true);
    int epoch = copy.epoch();
    replication.copy(
        session.jid().bare(),
        all,
        kept -> atHome(session, _ -> confirmed(session, epoch, handled, kept)));
  }

  /// The standby has a replica with that count, or has no room for it.
  private void confirmed(LocalSession session, int epoch, long handled, boolean kept) {
    AttachedReplica copy = copy(session);
    if (copy == null || copy.epoch() != epoch) {
      return;
    }
    copy.confirmed();
    if (!kept) {
      removeReplica(session, copy, clock.millis() + PAUSE.toMillis());
      return;
    }
    if (session.phase() instanceof SessionPhase.Attached(var link)) {
      copy.report(link, handled);
    }
    proceed(copy);
    if (!copy.isUpToDate()) {
      changed(session);
    }
  }

  private static void proceed(AttachedReplica copy) {
    Runnable then = copy.takeWhenConfirmed();
    if (then != null) {
      then.run();
    }
  }

  /// Removes the replica; an action that waits for a confirmation runs when it is gone.
  ///
  /// @param until when replication may start again, in ms
  private void removeReplica(LocalSession session, AttachedReplica copy, long until) {
    StreamManagementState management = session.management();
    String id = session.resumptionId();
    if (management == null || id == null) {
      return;
    }
    copy.remove(until);
    int epoch = copy.epoch();
    replication.copy(
        session.jid().bare(),
        number(management, id),
        _ -> atHome(session, _ -> replicaRemoved(session, epoch)));
  }

  private void replicaRemoved(LocalSession session, int epoch) {
    StreamManagementState management = session.management();
    AttachedReplica copy = copy(session);
    if (management == null || copy == null || copy.epoch() != epoch) {
      return;
    }
    Runnable then = copy.takeWhenConfirmed();
    copy.end();
    session.copied(false); // not before: until then the standby may recover the session
    if (then != null) {
      then.run();
    } else if (session.phase() instanceof SessionPhase.Attached(var link)) {
      copy.report(link, management.handled().handled());
    }
  }
}
