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
      AccountHome home = home(account, dispatch);
      if (submit(home, mayBlock, origin, task)) {
        return;
      }
      homes.remove(account, home);
    }
  }

  /// Runs `task`, which cannot block, at the home of `account`, for a thread that must not take
  /// over other tasks of the home ([Mailbox#submitAlone]).
  void submitAlone(Jid account, Dispatch dispatch, HomeTask task) {
    while (true) {
      AccountHome home = home(account, dispatch);
      if (home.mailbox().submitAlone(new AtHome(home, false, task))) {
        return;
      }
      homes.remove(account, home);
    }
  }

  private AccountHome home(Jid account, Dispatch dispatch) {
    AccountHome home = homes.get(account);
    if (home == null) {
      home =
          homes.computeIfAbsent(
              account,
              jid -> new AccountHome(jid, dispatch, new Mailbox(workers, limits.mailboxTasks())));
      sweepIfCrowded();
    }
    return home;
  }

  /// Runs `task` at this home; false if the home has retired and another must be looked up.
  boolean submit(AccountHome home, boolean mayBlock, @Nullable Outbound origin, HomeTask task) {
    return home.mailbox().submit(new AtHome(home, mayBlock, task), origin);
  }

  /// Lets homes go that have no session and nothing to do.
  void sweep() {
    homes.values().removeIf(home -> home.mailbox().retire(() -> home.sessions().isEmpty()));
  }

  /// Someone who writes to a great many addresses must not fill the memory between two sweeps.
  private void sweepIfCrowded() {
    if (homes.size() > crowd && sweeping.compareAndSet(false, true)) {
      try {
        workers.execute(this::sweepCrowd);
      } catch (RuntimeException | Error e) {
        sweeping.set(false);
        log.atError().setCause(e).log("homes_not_swept");
      }
    }
  }

  private void sweepCrowd() {
    try {
      sweep();
      crowd = homes.size() + limits.homes();
    } finally {
      sweeping.set(false);
    }
  }

  /// A task in the mailbox of its home. Loading the home may block, so where it is not loaded, any
  /// task may.
  private final class AtHome implements Mailbox.Task {
    private final AccountHome home;
    private final boolean mayBlock;
    private final HomeTask task;

    private AtHome(AccountHome home, boolean mayBlock, HomeTask task) {
      this.home = home;
      this.mayBlock = mayBlock;
      this.task = task;
    }

    @Override
    public boolean mayBlock() {
      return mayBlock || !home.isLoaded();
    }

    @Override
    public void run() {
      try {
        if (!home.isLoaded()) {
          home.load(stores);
        }
        task.run(home);
      } finally {
        if (!home.exists()) {
          // The account may be made at any time: the next task looks again.
          home.unload();
        }
      }
    }

    @Override
    public void failed(Throwable cause) {
      log.atError().addKeyValue("home", home.jid()).setCause(cause).log("home_task_failed");
      task.failed(cause);
    }
  }
}
