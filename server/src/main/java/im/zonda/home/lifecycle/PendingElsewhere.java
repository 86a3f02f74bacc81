package im.zonda.home.lifecycle;

import im.zonda.home.HomeTask;
import im.zonda.home.account.AccountHome;
import im.zonda.home.account.AccountRegistry;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.home.session.StreamManagementState;
import im.zonda.store.ClusterLog;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stanzas of moved sessions that are still in progress at the former home, which reports them when
/// they are handled. If the former home is lost, the client sends them again. Also tracks for how
/// long another stream may bring a newer snapshot of a recovered session.
final class PendingElsewhere {
  private static final Logger LOG = LoggerFactory.getLogger(PendingElsewhere.class);

  /// Upper bound on the time for which a session moves between two nodes after a third one was
  /// lost.
  private static final Duration MOVE_TIME = Duration.ofSeconds(30);

  /// Upper bound on the time until all streams of one client have found the new home of a lost
  /// session.
  private static final Duration STREAMS_TIME = Duration.ofSeconds(3);

  private static final Duration SECOND = Duration.ofSeconds(1);

  /// Upper bound on the time until a living node has reported what it handled, in seconds in which
  /// the database writes.
  private static final int REPORT_SECONDS = 5;

  private final AccountRegistry registry;
  private final MessageLog log;
  private final ClusterLog clusterLog;
  private final InstantSource clock;
  private final Supplier<Collection<LocalSession>> sessions;
  private final Consumer<LocalSession> settled;

  /// When a node was last evicted from the cluster, in ms since 1970.
  private volatile long lostAt;

  /// When that node was first missed, which is earlier if the database was away.
  private volatile long lostSince;

  /// Since when nodes are missed and not evicted; 0 if none are.
  private volatile long missingSince;

  /// @param sessions all sessions that have not ended
  /// @param settled called with a session of which no stanza is in progress, at its home
  PendingElsewhere(
      AccountRegistry registry,
      SessionContext context,
      Supplier<Collection<LocalSession>> sessions,
      Consumer<LocalSession> settled) {
    this.registry = registry;
    this.log = context.messages();
    this.clusterLog = context.clusterLog();
    this.clock = context.runtime().clock();
    this.sessions = sessions;
    this.settled = settled;
  }

  /// A node is missed and not yet evicted. Any thread may call.
  void memberMissed() {
    if (missingSince == 0) {
      missingSince = clock.millis();
    }
  }

  /// The membership is decided. If a node is gone, stanzas of moved sessions that were in progress
  /// there are abandoned: their clients send them again. Called by one thread at a time.
  void placed(boolean lost) {
    long missed = missingSince;
    missingSince = 0;
    if (!lost) {
      return;
    }
    lostAt = clock.millis();
    lostSince = missed == 0 ? lostAt : missed;
    for (LocalSession each : sessions.get()) {
      registry.submit(each.jid().bare(), false, home -> abandonPending(home, each));
    }
  }

  /// Whether a session that arrives now may have passed through a node that is gone, after it left
  /// the home whose snapshot arrives.
  boolean isAfterLoss() {
    return clock.millis() - lostAt < MOVE_TIME.toMillis();
  }

  /// Since when a home that died may have handled stanzas that a session recovered now does not
  /// count, in ms since 1970.
  ///
  /// @param replicated when the replica was written. Its home has kept it up to date since: the
  ///   search for a session that was idle for hours does not go back hours
  long possiblyHandledSince(long replicated) {
    long died = isAfterLoss() ? lostSince : Math.max(replicated, lostSince);
    return died - Resumption.UNHANDLED.toMillis();
  }

  /// The session was recovered from the snapshot of one stream. Another stream of its client may
  /// bring a newer one. (A server without a cluster has closed the older stream itself.)
  void recovered(LocalSession session) {
    StreamManagementState management = session.management();
    if (management != null && registry.homes().nodes().replication().copies()) {
      management.mayBeOlderUntil(clock.millis() + STREAMS_TIME.toMillis());
    }
  }

  /// The session has moved here from a home that recovered it. If that was recently, a stream with
  /// a newer snapshot may look for it here.
  void movedAfterLoss(LocalSession session, long since) {
    if (clock.millis() - since < Resumption.UNHANDLED.plus(MOVE_TIME).toMillis()) {
      recovered(session);
    }
  }

  /// The session has moved here.
  void moved(LocalSession session, SessionSnapshot moved) {
    StreamManagementState management = session.management();
    if (management != null) {
      moved.certainty().possiblyHandledSince().ifPresent(management::possiblyHandledSince);
      if (!moved.received().pending().isEmpty()) {
        management.pendingElsewhere(clock.millis());
        if (isAfterLoss()) {
          // The session was between two homes when the node was evicted.
          await(session, REPORT_SECONDS);
        }
      }
    }
  }

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
      if (management == null || !management.isPendingElsewhere() || session.outgoing().isOver()) {
        return;
      }
      int left = log.state().ok() ? seconds - 1 : REPORT_SECONDS;
      if (left == 0) {
        abandonPending(session, management);
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

  private void abandonPending(AccountHome home, LocalSession session) {
    StreamManagementState management = session.management();
    if (management != null
        && management.isPendingElsewhere()
        && home.sessions().contains(session)) {
      abandonPending(session, management);
    }
  }

  /// Gives up on stanzas still in progress at the former home; the client sends them again. No
  /// other stanza of the session is in progress, as it has no stream meanwhile. A late report of
  /// that node is counted once ([StreamManagementState#counts]).
  void abandonPending(LocalSession session, StreamManagementState management) {
    LOG.atInfo().addKeyValue("jid", session.jid()).log("pending_stanzas_abandoned");
    long since = management.abandonPending() - Resumption.UNHANDLED.toMillis();
    if (clusterLog.keepsOrigins()) {
      management.possiblyHandledSince(since);
    }
    settled.accept(session);
  }
}
