package im.zonda.home.lifecycle;

import im.zonda.home.HomeTask;
import im.zonda.home.account.AccountHome;
import im.zonda.home.account.AccountRegistry;
import im.zonda.home.session.Budget;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.SessionPhase;
import im.zonda.jid.Jid;
import im.zonda.runtime.ServerRuntime;
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

/// Enforces the bound on the unacknowledged stanzas of all sessions ([Budget]): when it is
/// exceeded, sessions of the accounts that use most of it are closed, not the session that receives
/// the next stanza.
///
/// Of the account that uses most, the first session without a stream is closed, the largest before
/// smaller ones and then the oldest; if it has none, one with a stream. Then the account that uses
/// most is determined again, until an eighth of the bound is free. Messages of closed sessions wait
/// in the log. The choice reads all sessions, on a worker thread; the next one is made after all
/// chosen sessions have been closed.
final class SharedBound {
  private static final Logger log = LoggerFactory.getLogger(SharedBound.class);

  /// The shortest time between two log lines, in ms.
  private static final long QUIET = 10_000;

  private static final String REASON = "too much is not acknowledged by this account";

  private final Budget<LocalSession> budget;
  private final AccountRegistry registry;
  private final SessionBinding binding;
  private final Executor workers;
  private final InstantSource clock;
  private final AtomicBoolean busy = new AtomicBoolean();

  // Accessed only by the one thread that runs while `busy` is set.
  private long loggedAt = Long.MIN_VALUE;
  private int endedSinceLogged;
  private long bytesSinceLogged;

  SharedBound(
      Budget<LocalSession> budget,
      AccountRegistry registry,
      SessionBinding binding,
      ServerRuntime runtime) {
    this.budget = budget;
    this.registry = registry;
    this.binding = binding;
    this.workers = runtime.workers();
    this.clock = runtime.clock();
  }

  /// Closes sessions because the bound is exceeded. Returns at once; any thread may call.
  void exceeded() {
    if (busy.compareAndSet(false, true)) {
      try {
        workers.execute(this::free);
      } catch (RejectedExecutionException e) {
        // The server is stopping, which ends all sessions.
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
    // One more for this thread: `busy` is cleared after the loop even if all have ended before.
    AtomicInteger left = new AtomicInteger(paying.size() + 1);
    for (Paying each : paying) {
      end(each.session, left);
    }
    done(left);
  }

  private void end(LocalSession session, AtomicInteger left) {
    if (registry.host(session.jid()) == null) {
      done(left);
      return;
    }
    registry.submit(
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

  /// A session that is to be closed.
  ///
  /// @param bytes the bytes that this frees
  /// @param detached when it lost its stream, or [SessionPhase#NEVER]
  record Paying(LocalSession session, int bytes, long detached) {
    /// Sessions without a stream first, then by size, the largest first, then by age.
    private static final Comparator<Paying> ORDER =
        Comparator.comparing((Paying each) -> each.detached == SessionPhase.NEVER)
            .thenComparing(Comparator.comparingInt(Paying::bytes).reversed())
            .thenComparingLong(Paying::detached);
  }

  private static final class Account {
    private final PriorityQueue<Paying> sessions = new PriorityQueue<>(Paying.ORDER);
    private long bytes;
    private long since = SessionPhase.NEVER;

    private void add(Paying session) {
      sessions.add(session);
      bytes += session.bytes;
      since = Math.min(since, session.detached);
    }
  }

  /// Chooses the sessions to close, in order, so that at least `excess` bytes become free.
  static List<Paying> paying(Collection<LocalSession> sessions, long excess) {
    Map<Jid, Account> accounts = new HashMap<>();
    for (LocalSession session : sessions) {
      int bytes = session.outgoing().bytes();
      if (bytes > 0) {
        accounts
            .computeIfAbsent(session.jid().bare(), _ -> new Account())
            .add(new Paying(session, bytes, session.phase().detachedSince()));
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
