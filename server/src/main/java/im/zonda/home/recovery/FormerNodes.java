package im.zonda.home.recovery;

import im.zonda.cluster.Member;
import im.zonda.home.HomeTask;
import im.zonda.home.account.AccountHome;
import im.zonda.home.account.AccountRegistry;
import im.zonda.home.session.Budget;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.home.session.SessionSnapshots;
import im.zonda.home.session.StreamManagementState;
import im.zonda.jid.Jid;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreException;
import im.zonda.store.Stores;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The nodes on which sessions had their homes before, in a cluster.
///
/// Stanzas of a moved session may still be in progress at its former home, which reports them when
/// they are handled. If that node is lost, the client sends them again. A home that was lost may
/// have handled stanzas that the snapshot of the session does not count. Unless it has replicated
/// the number of the client's last resumption, another stream may bring a newer snapshot for some
/// seconds.
public final class FormerNodes implements FormerHomes {
  /// Upper bound on the time between a stanza's append and the moment another node notices that its
  /// home died. Recovery searches the log no further back.
  public static final Duration UNHANDLED = Duration.ofMinutes(2);

  private static final Logger LOG = LoggerFactory.getLogger(FormerNodes.class);

  /// Upper bound on the time for which a session moves between two nodes after a third one was
  /// lost.
  private static final Duration MOVE_TIME = Duration.ofSeconds(30);

  /// Upper bound on the time until all streams of one client have found the new home of a lost
  /// session. Used only if it is not known which of them the client has left.
  private static final Duration STREAMS_TIME = Duration.ofSeconds(3);

  private static final Duration SECOND = Duration.ofSeconds(1);

  /// Upper bound on the time until a living node has reported what it handled, in seconds in which
  /// the database writes.
  private static final int REPORT_SECONDS = 5;

  private final AccountRegistry registry;
  private final MessageLog log;

  /// Whether the nodes share the log, and find what others have appended by its origin.
  private final boolean origins;

  private final InstantSource clock;
  private final Duration resumeTime;
  private final Budget<LocalSession> sessions;
  private final ResumptionNumbers numbers;
  private final Consumer<LocalSession> settled;

  /// The nodes of the cluster.
  private Set<Member> members = Set.of();

  /// When a node was last evicted from the cluster, in ms since 1970.
  private volatile long lostAt;

  /// When that node was first missed, which is earlier if the database was away.
  private volatile long lostSince;

  /// Since when nodes are missed and not evicted; 0 if none are.
  private volatile long missingSince;

  /// @param sessions all sessions that have not ended
  /// @param numbers what former homes have replicated
  /// @param settled called with a session of which no stanza is in progress, at its home
  public FormerNodes(
      AccountRegistry registry,
      Stores stores,
      SessionSnapshots snapshots,
      Budget<LocalSession> sessions,
      ResumptionNumbers numbers,
      Consumer<LocalSession> settled) {
    this.registry = registry;
    this.log = stores.messages();
    this.origins = stores.clusterLog().keepsOrigins();
    this.clock = snapshots.clock();
    this.resumeTime = snapshots.resumeTime();
    this.sessions = sessions;
    this.numbers = numbers;
    this.settled = settled;
  }

  @Override
  public void memberMissed() {
    if (missingSince == 0) {
      missingSince = clock.millis();
    }
  }

  @Override
  public void placed(Set<Member> next) {
    boolean lost = !next.containsAll(members);
    members = next;
    long missed = missingSince;
    missingSince = 0;
    if (!lost) {
      return;
    }
    lostAt = clock.millis();
    lostSince = missed == 0 ? lostAt : missed;
    for (LocalSession each : sessions.sessions()) {
      registry.submit(each.jid().bare(), false, home -> abandonLost(home, each));
    }
  }

  @Override
  public boolean isAfterLoss() {
    return clock.millis() - lostAt < MOVE_TIME.toMillis();
  }

  // ---- restored and recovered sessions

  @Override
  public boolean restored(LocalSession session, SessionSnapshot snapshot) {
    StreamManagementState management = Objects.requireNonNull(session.management());
    // Another home may have had the session in between, and have accepted stanzas for it.
    boolean incomplete = snapshot.isReplica() || isAfterLoss();
    if (snapshot.isReplica()) {
      possiblyHandled(management, snapshot);
    } else if (!snapshot.received().pending().isEmpty()) {
      management.pendingElsewhere(clock.millis());
      if (isAfterLoss()) {
        // The session was between two homes when the node was evicted.
        await(session, REPORT_SECONDS);
      }
    }
    snapshot
        .certainty()
        .possiblyHandledSince()
        .ifPresent(since -> recoveredBefore(management, snapshot.id(), since));
    OptionalLong replicatedUpTo = snapshot.certainty().replicatedUpTo();
    if (incomplete || replicatedUpTo.isPresent()) {
      session.outgoing().replicatedUpTo(replicatedUpTo.orElse(session.outgoing().given()));
    }
    session.copied(true); // other nodes have replicas of an earlier version
    if (replicatedUpTo.isPresent()) {
      management.openCopy();
    }
    return incomplete;
  }

  /// A home that has recovered the session has passed it on. If that was recently, a stream with a
  /// newer snapshot may look for it here.
  private void recoveredBefore(StreamManagementState management, String id, long since) {
    management.possiblyHandledSince(since);
    if (clock.millis() - since < UNHANDLED.plus(MOVE_TIME).toMillis()) {
      mayBeOlder(management, id);
    }
  }

  @Override
  public void recovered(LocalSession session, SessionSnapshot snapshot) {
    StreamManagementState management = session.management();
    if (management != null) {
      possiblyHandled(management, snapshot);
      mayBeOlder(management, snapshot.id());
    }
  }

  @Override
  public void restoreNumbers(Jid account, Map<String, byte[]> parts) {
    numbers.restore(account, parts);
  }

  @Override
  public boolean hasLeft(String id, long resumption) {
    return resumption < numbers.find(id).orElse(0);
  }

  @Override
  public Map<Jid, Map<String, byte[]>> takeNumbers(Predicate<Jid> accounts) {
    return numbers.take(accounts);
  }

  /// Unless the lost home has replicated on which stream the client was, another one may bring a
  /// newer snapshot. (A server without a cluster has closed the older stream itself.)
  private void mayBeOlder(StreamManagementState management, String id) {
    if (numbers.find(id).isEmpty()) {
      management.mayBeOlderUntil(clock.millis() + STREAMS_TIME.toMillis());
    }
  }

  /// A home that died may have handled stanzas that the snapshot does not count. That home has kept
  /// a replica up to date since the replica was written: the search for a session that was idle for
  /// hours does not go back hours.
  private void possiblyHandled(StreamManagementState management, SessionSnapshot snapshot) {
    long taken = snapshot.until().minus(resumeTime).toEpochMilli();
    long died = isAfterLoss() ? lostSince : Math.max(taken, lostSince);
    possiblyHandledSince(management, died - UNHANDLED.toMillis());
  }

  @Override
  public void attached(AccountHome home, LocalSession session) {
    if (origins) {
      // The ids of one node may run ahead of those of another.
      session.sentNoneAbove(home.newestWhenLoaded());
    }
  }

  // ---- stanzas in progress

  private void await(LocalSession session, int seconds) {
    registry.submitLater(SECOND, session.jid().bare(), new Waiting(session, seconds));
  }

  /// Waits for the former home's reports. While the database does not write, no node can report;
  /// while it cannot be read, the session does not get to its home.
  private final class Waiting implements HomeTask<AccountHome> {
    private final LocalSession session;
    private final int seconds;

    Waiting(LocalSession session, int seconds) {
      this.session = session;
      this.seconds = seconds;
    }

    @Override
    public void run(AccountHome home) {
      StreamManagementState management = session.management();
      if (management == null || !management.isPendingElsewhere() || session.phase().isOver()) {
        return;
      }
      int left = log.state().ok() ? seconds - 1 : REPORT_SECONDS;
      if (left == 0) {
        abandon(session, management);
      } else {
        await(session, left);
      }
    }

    @Override
    public void failed(Throwable cause) {
      if (cause instanceof StoreException store && store.retryable()) {
        await(session, REPORT_SECONDS);
      }
    }
  }

  private void abandonLost(AccountHome home, LocalSession session) {
    StreamManagementState management = session.management();
    if (management != null
        && management.isPendingElsewhere()
        && home.sessions().contains(session)) {
      abandon(session, management);
    }
  }

  private void abandon(LocalSession session, StreamManagementState management) {
    abandonPending(session, management);
    settled.accept(session);
  }

  /// No other stanza of the session is in progress, as it has no stream meanwhile. A late report of
  /// that node is counted once ([StreamManagementState#counts]).
  @Override
  public void abandonPending(LocalSession session, StreamManagementState management) {
    LOG.atInfo().addKeyValue("jid", session.jid()).log("pending_stanzas_abandoned");
    possiblyHandledSince(management, management.abandonPending() - UNHANDLED.toMillis());
  }

  private void possiblyHandledSince(StreamManagementState management, long since) {
    if (origins) {
      management.possiblyHandledSince(since);
    }
  }
}
