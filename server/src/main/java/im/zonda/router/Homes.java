package im.zonda.router;

import im.zonda.config.Limits;
import im.zonda.jid.Jid;
import im.zonda.store.Stores;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The loaded homes of this node. A home is loaded by the first task for it and leaves when it has
/// no session and nothing to do.
final class Homes {
  private static final Logger log = LoggerFactory.getLogger(Homes.class);

  private final Map<Jid, AccountHome> homes = new ConcurrentHashMap<>();
  private final Stores stores;
  private final Executor workers;
  private final Limits limits;
  private final AtomicBoolean sweeping = new AtomicBoolean();

  /// More homes than this are a reason to sweep before the time comes.
  private volatile int crowd;

  Homes(Stores stores, Executor workers, Limits limits) {
    this.stores = stores;
    this.workers = workers;
    this.limits = limits;
    this.crowd = limits.homes();
  }

  /// Runs `task` at the home of `account`, a bare address of the host that `dispatch` belongs to.
  void submit(
      Jid account, Dispatch dispatch, boolean mayBlock, @Nullable Outbound origin, HomeTask task) {
    while (true) {
      AccountHome home = homes.get(account);
      if (home == null) {
        home =
            homes.computeIfAbsent(
                account,
                jid -> new AccountHome(jid, dispatch, new Mailbox(workers, limits.mailboxTasks())));
        sweepIfCrowded();
      }
      if (submit(home, mayBlock, origin, task)) {
        return;
      }
      homes.remove(account, home);
    }
  }

  /// Runs `task` at this home; false if the home has retired and another must be looked up.
  boolean submit(AccountHome home, boolean mayBlock, @Nullable Outbound origin, HomeTask task) {
    return home.mailbox().submit(() -> run(home, task), mayBlock || !home.isLoaded(), origin);
  }

  /// Lets homes go that have no session and nothing to do.
  void sweep() {
    homes.values().removeIf(home -> home.mailbox().retire(() -> home.sessions().isEmpty()));
  }

  /// Someone who writes to a great many addresses must not fill the memory between two sweeps.
  private void sweepIfCrowded() {
    if (homes.size() > crowd && sweeping.compareAndSet(false, true)) {
      workers.execute(() -> {
        sweep();
        crowd = homes.size() + limits.homes();
        sweeping.set(false);
      });
    }
  }

  private void run(AccountHome home, HomeTask task) {
    try {
      if (!home.isLoaded()) {
        home.load(stores);
      }
      task.run(home);
    } catch (RuntimeException | Error e) {
      // Whatever it is, it must not stop the mailbox for all that comes after.
      log.atError().addKeyValue("home", home.jid()).setCause(e).log("home_task_failed");
      task.failed(e);
    } finally {
      if (!home.exists()) {
        // The account may be made at any time: the next task looks again.
        home.unload();
      }
    }
  }
}
