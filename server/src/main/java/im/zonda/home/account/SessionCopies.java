package im.zonda.home.account;

import im.zonda.home.session.AttachedCopy;
import im.zonda.home.session.CopyForm;
import im.zonda.home.session.HomeLink;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.Management;
import im.zonda.home.session.MovingSession;
import im.zonda.home.session.SavedSession;
import im.zonda.jid.Jid;
import im.zonda.link.ToStream;
import im.zonda.module.Scheduler;
import im.zonda.node.copy.Replication;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Has another node of the cluster keep copies of sessions that can be resumed (XEP-0198, section
/// 5), for the case that this node dies. Any thread may call; what has a session is called in its
/// home's mailbox.
///
/// A session without a stream is copied as a whole, some times a second at most and less often the
/// larger it is. The messages that a copy has not are in the log, which is read from the last one
/// on that it has.
///
/// Of a session whose stream is in this process, its state, what it has sent, and its count of the
/// client's stanzas are parts of their own, copied in rounds. The client is told the count when the
/// copy has it; what it is sent does not wait. Sessions whose stream is elsewhere are not copied:
/// their streams keep them ([im.zonda.link.keeper]).
///
/// A standby that does not answer is waited for until it is the standby no longer: as long as it
/// may make the session from its copy, the client must not be told more than that copy has.
final class SessionCopies {
  private static final Logger LOG = LoggerFactory.getLogger(SessionCopies.class);

  /// Sessions without a stream that are copied in a tick. After the loss of a node there may be
  /// thousands at once, and messages wait meanwhile.
  private static final int TICK_SESSIONS = 500;

  /// A session without a stream waits for one more tick after each so many bytes.
  private static final int TICK_BYTES = 32_768;

  /// Copies of sessions with a stream are at least so far apart.
  private static final Duration ROUND = Duration.ofMillis(10);

  /// A session with a stream waits for one more round after each so many bytes.
  private static final int ROUND_BYTES = 16_384;

  /// How long a session is not copied after a standby had no room for it.
  private static final Duration PAUSE = Duration.ofSeconds(5);

  /// Sessions that have no copy are looked at again after so many ticks.
  private static final int TICKS = 25;

  private final StanzaRouter router;
  private final Resumption resumption;
  private final Replication replication;
  private final Executor workers;
  private final Scheduler scheduler;
  private final InstantSource clock;
  private final boolean enabled;
  private final boolean attachedToo;

  /// Sessions that are not as they were.
  private final Set<LocalSession> changed = ConcurrentHashMap.newKeySet();

  /// Of these, those that are copied next: none has a second turn before all have had one. Used by
  /// [#tick] alone.
  private final Queue<LocalSession> turns = new ArrayDeque<>();

  /// Sessions that are not as they were, with a stream in this process.
  private final Set<LocalSession> due = ConcurrentHashMap.newKeySet();

  private final AtomicBoolean roundIsDue = new AtomicBoolean();
  private volatile @Nullable CopyForm form;
  private volatile long lastRound;
  private int ticks;

  SessionCopies(StanzaRouter router, Resumption resumption, Sessions.Surroundings around) {
    this.router = router;
    this.resumption = resumption;
    this.replication = router.homes().nodes().replication();
    this.workers = around.runtime().workers();
    this.scheduler = around.runtime().scheduler();
    this.clock = around.runtime().clock();
    this.enabled = replication.copies();
    this.attachedToo = enabled && around.copiesAttached();
  }

  /// Begins to copy.
  void form(CopyForm writes) {
    form = writes;
  }

  private static @Nullable AttachedCopy copy(LocalSession session) {
    Management management = session.management();
    return management == null ? null : management.copy();
  }

  // ---- what happens to sessions

  /// A session is not as it was.
  void changed(LocalSession session) {
    if (!enabled) {
      return;
    }
    if (session.isDetached()) {
      changed.add(session);
    } else {
      due.add(session);
      wake();
    }
  }

  /// A session can be resumed from now on: it is copied, if its stream dies with this process.
  void begin(LocalSession session) {
    Management management = session.management();
    if (management != null && isAttachedHere(session) && hasStandby(session)) {
      AttachedCopy copy = management.openCopy();
      if (copy.mayBegin(clock.millis())) {
        copy.begin();
        changed(session);
      }
    }
  }

  private boolean isAttachedHere(LocalSession session) {
    HomeLink link = session.link();
    return attachedToo
        && form != null
        && link != null
        && session.resumptionId() != null
        && !link.stream().keepsState();
  }

  private boolean hasStandby(LocalSession session) {
    return replication.hasStandby(session.jid().bare());
  }

  /// More of the client's stanzas have been handled: it is told, now or when the copy has it.
  void handled(LocalSession session, Management management, HomeLink link) {
    AttachedCopy copy = management.copy();
    if (copy == null || copy.phase() == AttachedCopy.Phase.NONE) {
      // A stream that keeps the session must have what the client's stanzas have changed first.
      session.sendState();
      tell(copy, link, management);
    } else if (copy.handledChanged()) {
      changed(session);
    }
  }

  private static void tell(@Nullable AttachedCopy copy, HomeLink link, Management management) {
    long handled = management.handled().handled();
    if (copy == null) {
      link.stream().receive(new ToStream.Handled(handled));
    } else {
      copy.tell(link, handled);
    }
  }

  /// The session has no stream any more. Its copy stays, and is of no account when all of it has
  /// been copied.
  void detached(LocalSession session) {
    AttachedCopy copy = copy(session);
    if (copy != null) {
      copy.end();
    }
    changed(session);
  }

  /// The session is about to continue on another stream: `then` runs when no copy of what it was
  /// before can be resumed any more.
  void resuming(LocalSession session, Runnable then) {
    Management management = session.management();
    if (!enabled || management == null || (!session.isCopied() && !isAttachedHere(session))) {
      then.run();
      return;
    }
    AttachedCopy copy = management.openCopy();
    if (copy.isAwaited()) {
      return; // for the same reason
    }
    copy.then(then);
    boolean begins = copy.phase() == AttachedCopy.Phase.KEPT || copy.mayBegin(clock.millis());
    if (isAttachedHere(session) && hasStandby(session) && begins) {
      copy.begin();
      copy.then(then);
      copyAttached(session);
    } else if (copy.phase() == AttachedCopy.Phase.LEAVING) {
      return; // until it has left
    } else if (session.isCopied()) {
      leave(session, copy, 0);
    } else {
      copy.end();
      then.run();
    }
  }

  /// A session is over: a copy must not be resumed.
  void remove(LocalSession session) {
    AttachedCopy copy = copy(session);
    if (copy != null) {
      copy.end();
    }
    forget(session);
    String id = session.resumptionId();
    if (enabled && id != null && session.isCopied()) {
      session.copied(false);
      removeCopy(session.jid().bare(), id);
    }
  }

  /// A session is not here any more.
  void forget(LocalSession session) {
    changed.remove(session);
    due.remove(session);
  }

  /// Removes the copy of a session that is not here.
  void removeCopy(Jid account, String id) {
    replication.copy(account, removal(id), null);
  }

  private static Map<String, byte @Nullable []> removal(String id) {
    Map<String, byte @Nullable []> parts = new LinkedHashMap<>();
    parts.put(id, null);
    parts.put(CopyForm.queueKey(id), null);
    parts.put(CopyForm.handledKey(id), null);
    return parts;
  }

  // ---- sessions without a stream

  /// Copies the sessions that have changed. Returns at once; to be called some times a second.
  void tick() {
    CopyForm writes = form;
    if (!enabled || writes == null) {
      return;
    }
    if (turns.isEmpty()) {
      turns.addAll(changed);
    }
    for (int copied = 0; copied < TICK_SESSIONS && !turns.isEmpty(); ) {
      LocalSession session = turns.remove();
      if (changed.contains(session) && session.mayCopy()) {
        copied++;
        changed.remove(session);
        atHome(session, home -> copyDetached(home, session, writes));
      }
    }
    if (!due.isEmpty()) {
      round();
    }
    ticks++;
    if (attachedToo && ticks % TICKS == 0) {
      beginOthers();
    }
  }

  private interface Task {
    void run(AccountHome home);
  }

  /// A session that has come here is not at its home before that has been loaded, which may wait:
  /// thousands come at once when a node dies.
  private void atHome(LocalSession session, Task task) {
    router.submitIfLoaded(session.jid().bare(), task::run);
  }

  private void copyDetached(AccountHome home, LocalSession session, CopyForm writes) {
    if (!session.isDetached() || !home.sessions().contains(session)) {
      return;
    }
    SavedSession saved = resumption.copy(session);
    Management management = session.management();
    if (saved == null || management == null) {
      return;
    }
    // What is being handled is sent again by the client: it is not known which node will say so.
    byte[] state =
        writes.whole(
            MovingSession.copy(saved, session.outgoing().known(), management.doubtSince()));
    session.copied(true);
    session.pauseCopies(state.length / TICK_BYTES);
    Map<String, byte @Nullable []> parts = new LinkedHashMap<>();
    parts.put(saved.id(), state);
    if (copy(session) != null) {
      parts.put(CopyForm.queueKey(saved.id()), null);
      parts.put(CopyForm.handledKey(saved.id()), null);
    }
    replication.copy(home.jid(), parts, null);
  }

  // ---- sessions with a stream

  /// Looks for sessions that have no copy, because there was no standby or no room.
  private void beginOthers() {
    for (LocalSession session : resumption.sessions()) {
      AttachedCopy copy = copy(session);
      if (copy == null || copy.mayBegin(clock.millis())) {
        if (isAttachedHere(session) && hasStandby(session)) {
          atHome(
              session,
              home -> {
                if (home.sessions().contains(session) && !isSettling(session)) {
                  begin(session);
                }
              });
        }
      }
    }
  }

  private static boolean isSettling(LocalSession session) {
    Management management = session.management();
    return management != null && management.isSettling();
  }

  /// Has the next round begin: at once if the one before was long ago.
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
    Management management = session.management();
    AttachedCopy copy = management == null ? null : management.copy();
    CopyForm writes = form;
    AttachedCopy.Due parts = copy == null ? null : copy.send();
    if (parts == null || copy == null || writes == null || management == null) {
      return;
    }
    String id = session.resumptionId();
    if (id == null) {
      return;
    }
    long handled = management.handled().handled();
    Map<String, byte @Nullable []> all;
    try {
      all = write(session, id, copy, parts, writes);
    } catch (RuntimeException e) {
      // Nothing would be confirmed, and the client waits for that.
      LOG.atError().addKeyValue("jid", session.jid()).setCause(e).log("session_not_copied");
      leave(session, copy, clock.millis() + PAUSE.toMillis());
      return;
    }
    session.copied(true);
    int turn = copy.turn();
    replication.copy(
        session.jid().bare(),
        all,
        kept -> atHome(session, _ -> confirmed(session, turn, handled, kept)));
  }

  /// The parts that are due, in this order: a state that says that there is a stream needs the
  /// other parts.
  private Map<String, byte @Nullable []> write(
      LocalSession session, String id, AttachedCopy copy, AttachedCopy.Due due, CopyForm writes) {
    SavedSession saved = due.queue() || due.state() ? resumption.copy(session) : null;
    Management management = session.management();
    Map<String, byte @Nullable []> all = new LinkedHashMap<>();
    if (saved != null && due.queue()) {
      byte[] queue = writes.queue(saved, session.outgoing().sent(), session.sentValues());
      copy.queueBytes(queue.length);
      session.pauseCopies(queue.length / ROUND_BYTES);
      all.put(CopyForm.queueKey(id), queue);
    }
    if (management != null && due.handled()) {
      all.put(CopyForm.handledKey(id), writes.handled(management.handled().handled()));
    }
    if (saved != null && due.state()) {
      all.put(id, writes.attached(saved));
    }
    return all;
  }

  /// The standby has a copy with that count, or cannot have it.
  private void confirmed(LocalSession session, int turn, long handled, boolean kept) {
    AttachedCopy copy = copy(session);
    if (copy == null || copy.turn() != turn) {
      return;
    }
    copy.confirmed();
    if (!kept) {
      leave(session, copy, clock.millis() + PAUSE.toMillis());
      return;
    }
    HomeLink link = session.link();
    if (link != null && !isSettling(session)) {
      copy.tell(link, handled);
    }
    proceed(copy);
    if (!copy.isUpToDate()) {
      changed(session);
    }
  }

  private static void proceed(AttachedCopy copy) {
    Runnable then = copy.takeThen();
    if (then != null) {
      then.run();
    }
  }

  /// Removes the copy; what waits for one goes on when it is gone.
  ///
  /// @param until when there may be a copy again, in ms
  private void leave(LocalSession session, AttachedCopy copy, long until) {
    String id = session.resumptionId();
    if (id == null) {
      return;
    }
    copy.leave(until);
    int turn = copy.turn();
    replication.copy(
        session.jid().bare(), removal(id), _ -> atHome(session, _ -> left(session, turn)));
  }

  private void left(LocalSession session, int turn) {
    Management management = session.management();
    AttachedCopy copy = copy(session);
    if (management == null || copy == null || copy.turn() != turn) {
      return;
    }
    Runnable then = copy.takeThen();
    copy.end();
    session.copied(false); // not before: until then the standby may make the session from its copy
    HomeLink link = session.link();
    if (then != null) {
      then.run();
    } else if (link != null && !management.isSettling()) {
      tell(copy, link, management);
    }
  }
}
