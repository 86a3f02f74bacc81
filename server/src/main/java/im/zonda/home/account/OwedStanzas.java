package im.zonda.home.account;

import im.zonda.home.HomeTask;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.Management;
import im.zonda.home.session.MovingSession;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stanzas of sessions that have moved here, which another node was still handling: that node says
/// when it has. If it cannot, because it is gone, the client is to send them again. Also sessions
/// that were made again after the loss of a node, as long as another stream may know more of them.
final class OwedStanzas {
  private static final Logger LOG = LoggerFactory.getLogger(OwedStanzas.class);

  /// A session may be on its way between two nodes that know of a third one's end.
  private static final Duration MOVING = Duration.ofSeconds(30);

  /// How long the streams of one client may take to find the home of a session that was lost, one
  /// after the other.
  private static final Duration STREAMS = Duration.ofSeconds(3);

  private static final Duration SECOND = Duration.ofSeconds(1);

  /// By then a node that lives has said what it has handled, in seconds in which the database
  /// writes.
  private static final int SAYING = 5;

  private final StanzaRouter router;
  private final MessageLog log;
  private final InstantSource clock;
  private final Supplier<Collection<LocalSession>> sessions;
  private final Consumer<LocalSession> settled;

  /// When the others went on without a node of the cluster last, in ms since 1970.
  private volatile long lostAt;

  /// When it had been missed, which is earlier if the database was away.
  private volatile long lostSince;

  /// Since when nodes have been missed that may come back; 0 if none are.
  private volatile long missingSince;

  /// @param sessions all that are not over
  /// @param settled gets a session of which nothing is being handled any more, at its home
  OwedStanzas(
      StanzaRouter router,
      Sessions.Surroundings around,
      Supplier<Collection<LocalSession>> sessions,
      Consumer<LocalSession> settled) {
    this.router = router;
    this.log = around.messages();
    this.clock = around.runtime().clock();
    this.sessions = sessions;
    this.settled = settled;
  }

  /// A node is missed, and nobody knows yet whether it is gone. Any thread may call.
  void memberMissed() {
    if (missingSince == 0) {
      missingSince = clock.millis();
    }
  }

  /// Which nodes there are is known again. If one is gone, it may have been handling stanzas of
  /// sessions which have moved here, and will not say so: their clients send those again. Called by
  /// one thread at a time.
  void placed(boolean lost) {
    long missed = missingSince;
    missingSince = 0;
    if (!lost) {
      return;
    }
    lostAt = clock.millis();
    lostSince = missed == 0 ? lostAt : missed;
    for (LocalSession each : sessions.get()) {
      router.submit(each.jid().bare(), false, home -> recountOwed(home, each));
    }
  }

  /// Whether a session that comes now may have been at a node that is gone, since it was taken out
  /// of the home from which it comes.
  boolean isAfterLoss() {
    return clock.millis() - lostAt < MOVING.toMillis();
  }

  /// Since when a home that has died may have handled what its session does not count that is made
  /// again now, in ms since 1970.
  ///
  /// @param known when the session was known to be so. Its home has kept the copy up to date since:
  ///   a session that has been idle for hours is not in doubt for hours
  long doubtSince(long known) {
    long died = isAfterLoss() ? lostSince : Math.max(known, lostSince);
    return died - Resumption.UNHANDLED.toMillis();
  }

  /// The session has just been made again as a stream of its client knew it. Another stream may
  /// know more, which the client has been told; a server without a cluster has told the first one
  /// that it was left.
  void madeAgain(LocalSession session) {
    Management management = session.management();
    if (management != null && router.homes().nodes().replication().copies()) {
      management.mayBeOlderUntil(clock.millis() + STREAMS.toMillis());
    }
  }

  /// The session has come here from a home that had it made again since then, in ms since 1970. If
  /// that was lately, the streams that know more look for it here.
  void movedInDoubt(LocalSession session, long since) {
    if (clock.millis() - since < Resumption.UNHANDLED.plus(MOVING).toMillis()) {
      madeAgain(session);
    }
  }

  /// The session has moved here.
  void moved(LocalSession session, MovingSession moved) {
    Management management = session.management();
    if (management != null) {
      moved.doubtSince().ifPresent(management::doubtSince);
      if (!moved.pending().isEmpty()) {
        management.owed(clock.millis());
        if (isAfterLoss()) {
          // It was at no home when the loss became known.
          await(session, SAYING);
        }
      }
    }
  }

  private void await(LocalSession session, int seconds) {
    router.submitLater(SECOND, session.jid().bare(), new Waiting(session, seconds));
  }

  /// Waits for another node to say what it has handled. While the database does not write, no node
  /// can; while it cannot be read, the session does not get to its home.
  private final class Waiting implements HomeTask<AccountHome> {
    private final LocalSession session;
    private final int seconds;

    Waiting(LocalSession session, int seconds) {
      this.session = session;
      this.seconds = seconds;
    }

    @Override
    public void run(AccountHome home) {
      Management management = session.management();
      if (management == null || !management.isOwed() || session.outgoing().isOver()) {
        return;
      }
      int left = log.state().ok() ? seconds - 1 : SAYING;
      if (left == 0) {
        recount(session, management);
      } else {
        await(session, left);
      }
    }

    @Override
    public void failed(Throwable cause) {
      if (cause instanceof StoreException store && store.retryable()) {
        await(session, SAYING);
      }
    }
  }

  private void recountOwed(AccountHome home, LocalSession session) {
    Management management = session.management();
    if (management != null && management.isOwed() && home.sessions().contains(session)) {
      recount(session, management);
    }
  }

  /// What another node was handling is of no account any more. A session has no stream until that
  /// is known, so nothing else is being handled; but a node that lives may say later that it has
  /// handled one of those stanzas ([Management#counts]).
  void recount(LocalSession session, Management management) {
    LOG.atInfo().addKeyValue("jid", session.jid()).log("stanzas_counted_again");
    long since = management.recount() - Resumption.UNHANDLED.toMillis();
    if (log.keepsOrigins()) {
      management.doubtSince(since);
    }
    settled.accept(session);
  }
}
