package im.zonda.home.account;

import im.zonda.home.HomeTask;
import im.zonda.home.session.Budget;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.Outgoing;
import im.zonda.jid.Jid;
import im.zonda.stanza.StreamErrorCondition;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps what all sessions have not acknowledged within the [Budget]: when it is exceeded, the
/// accounts that use most of it pay, never the one that is sent the next stanza.
///
/// Of the account that uses most, the sessions without a stream end first, the largest and then the
/// oldest of them, then those with one; and so on with the account that uses most then, until an
/// eighth of the bound is free. Their messages wait in the log. All sessions are looked at for
/// that, on a thread of its own, and not again before those that were chosen have ended.
final class SharedBound {
  private static final Logger log = LoggerFactory.getLogger(SharedBound.class);

  /// The log gets a line at most once in this time, in ms.
  private static final long QUIET = 10_000;

  private static final String REASON = "too much is not acknowledged by this account";

  private final Budget budget;
  private final StanzaRouter router;
  private final SessionBinding binding;
  private final Executor workers;
  private final InstantSource clock;
  private final AtomicBoolean busy = new AtomicBoolean();

  // Touched only while busy, by one thread at a time.
  private long loggedAt = Long.MIN_VALUE;
  private int endedSinceLogged;
  private long bytesSinceLogged;

  SharedBound(
      Budget budget,
      StanzaRouter router,
      SessionBinding binding,
      Executor workers,
      InstantSource clock) {
    this.budget = budget;
    this.router = router;
    this.binding = binding;
    this.workers = workers;
    this.clock = clock;
  }

  /// The bound is exceeded. Returns at once; any thread may call.
  void exceeded() {
    if (busy.compareAndSet(false, true)) {
      try {
        workers.execute(this::free);
      } catch (RejectedExecutionException e) {
        // The server stops, and all sessions with it.
        busy.set(false);
      }
    }
  }

  private void free() {
    List<Paying> paying;
    try {
      paying = paying(budget.sessions(), budget.excess());
      report(paying);
    } catch (RuntimeException | Error e) {
      busy.set(false);
      throw e;
    }
    // One more, so that the last of them, or this thread, sees all done.
    AtomicInteger left = new AtomicInteger(paying.size() + 1);
    for (Paying each : paying) {
      end(each.session, left);
    }
    done(left);
  }

  private void end(LocalSession session, AtomicInteger left) {
    if (router.host(session.jid()) == null) {
      done(left);
      return;
    }
    router.submit(
        session.jid().bare(),
        false,
        new HomeTask<AccountHome>() {
          @Override
          public void run(AccountHome home) {
            binding.close(home, session, StreamErrorCondition.RESOURCE_CONSTRAINT, REASON);
            done(left);
          }

          @Override
          public void failed(Throwable cause) {
            done(left);
          }
        });
  }

  private void done(AtomicInteger left) {
    if (left.decrementAndGet() == 0) {
      busy.set(false);
    }
  }

  private void report(List<Paying> paying) {
    for (Paying each : paying) {
      endedSinceLogged++;
      bytesSinceLogged += each.bytes;
    }
    long now = clock.millis();
    if (paying.isEmpty() || (loggedAt != Long.MIN_VALUE && now - loggedAt < QUIET)) {
      return;
    }
    Paying first = paying.getFirst();
    log.atWarn()
        .addKeyValue("taken", budget.taken())
        .addKeyValue("ended", endedSinceLogged)
        .addKeyValue("bytes", bytesSinceLogged)
        .addKeyValue("largest", first.session.jid().bare())
        .addKeyValue("of", budget.sessions().size())
        .log("unacknowledged_bound_reached");
    loggedAt = now;
    endedSinceLogged = 0;
    bytesSinceLogged = 0;
  }

  /// A session that is to end.
  ///
  /// @param bytes what that frees
  /// @param detached since when it has no stream, or [Outgoing#ATTACHED]
  record Paying(LocalSession session, int bytes, long detached) {
    /// Those without a stream first, the largest first, the oldest first.
    private static final Comparator<Paying> ORDER =
        Comparator.comparing((Paying each) -> each.detached == Outgoing.ATTACHED)
            .thenComparing(Comparator.comparingInt(Paying::bytes).reversed())
            .thenComparingLong(Paying::detached);
  }

  private static final class Account {
    private final PriorityQueue<Paying> sessions = new PriorityQueue<>(Paying.ORDER);
    private long bytes;
    private long since = Outgoing.ATTACHED;

    private void add(Paying session) {
      sessions.add(session);
      bytes += session.bytes;
      since = Math.min(since, session.detached);
    }
  }

  /// Which sessions are to end so that so many bytes become free, in this order.
  static List<Paying> paying(Collection<LocalSession> sessions, long excess) {
    Map<Jid, Account> accounts = new HashMap<>();
    for (LocalSession session : sessions) {
      Outgoing.Use use = session.outgoing().use();
      if (use.bytes() > 0) {
        accounts
            .computeIfAbsent(session.jid().bare(), _ -> new Account())
            .add(new Paying(session, use.bytes(), use.detached()));
      }
    }
    PriorityQueue<Account> largest =
        new PriorityQueue<>(
            Comparator.<Account>comparingLong(account -> account.bytes)
                .reversed()
                .thenComparingLong(account -> account.since));
    largest.addAll(accounts.values());
    List<Paying> paying = new ArrayList<>();
    for (long left = excess; left > 0 && !largest.isEmpty(); ) {
      Account account = largest.remove();
      Paying session = account.sessions.remove();
      paying.add(session);
      left -= session.bytes;
      account.bytes -= session.bytes;
      if (!account.sessions.isEmpty()) {
        largest.add(account);
      }
    }
    return paying;
  }
}
