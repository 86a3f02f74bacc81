package im.zonda.home.lifecycle;

import im.zonda.home.HomeTask;
import im.zonda.home.account.AccountHome;
import im.zonda.home.account.AccountRegistry;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.jid.Jid;
import im.zonda.module.Scheduler;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Sessions that have moved to this node and are not at their homes yet, because the homes have not
/// been loaded or the database fails. Few homes are loaded at a time for arriving sessions alone.
/// Any thread may call.
///
/// They count in the bound on unacknowledged stanzas of all sessions ([SharedBound]).
final class ArrivingSessions {
  /// Homes that are loaded at the same time for arriving sessions.
  static final int LOADS = 4;

  /// The pause before a home is loaded again that could not be.
  private static final Duration RETRY = Duration.ofSeconds(1);

  /// A session that has moved here.
  ///
  /// @param snapshot what it came from
  /// @param incomplete whether it may have been sent more than the snapshot says
  record Arrival(SessionSnapshot snapshot, LocalSession session, boolean incomplete) {}

  private final AccountRegistry registry;
  private final Scheduler scheduler;
  private final Consumer<AccountHome> there;
  private final Consumer<LocalSession> homeless;
  private final Map<Jid, List<Arrival>> arriving = new ConcurrentHashMap<>();

  /// The accounts whose homes may not be here yet.
  private final Queue<Jid> toOpen = new ConcurrentLinkedQueue<>();

  /// The accounts that wait for their turn to be loaded.
  private final Queue<Jid> toLoad = new ConcurrentLinkedQueue<>();

  private final Semaphore loading = new Semaphore(LOADS);

  /// @param there runs at a home that has been loaded, to take its sessions
  /// @param homeless gets each session whose home is gone
  ArrivingSessions(
      AccountRegistry registry,
      Scheduler scheduler,
      Consumer<AccountHome> there,
      Consumer<LocalSession> homeless) {
    this.registry = registry;
    this.scheduler = scheduler;
    this.there = there;
    this.homeless = homeless;
  }

  /// Keeps a session until its home takes it. The home is loaded in its turn after [#open], or at
  /// once when a stanza arrives for it: after the death of a node, homes that are needed do not
  /// wait for thousands that are not.
  void add(Arrival arrival) {
    Jid account = arrival.session().jid().bare();
    arriving.merge(account, List.of(arrival), ArrivingSessions::joined);
    toOpen.add(account);
  }

  /// The homes of the added sessions are at this node.
  void open() {
    for (Jid account = toOpen.poll(); account != null; account = toOpen.poll()) {
      toLoad.add(account);
    }
    loadNext();
  }

  private static List<Arrival> joined(List<Arrival> before, List<Arrival> more) {
    List<Arrival> all = new ArrayList<>(before);
    all.addAll(more);
    return all;
  }

  /// Takes the sessions of an account.
  List<Arrival> take(Jid account) {
    List<Arrival> taken = arriving.remove(account);
    return taken == null ? List.of() : taken;
  }

  /// Takes the sessions of these accounts.
  List<Arrival> take(Predicate<Jid> accounts) {
    return arriving.keySet().stream()
        .filter(accounts)
        .flatMap(account -> take(account).stream())
        .toList();
  }

  private void load(Jid account) {
    toLoad.add(account);
    loadNext();
  }

  private void loadNext() {
    while (loading.tryAcquire()) {
      Jid account = toLoad.poll();
      if (account == null) {
        loading.release();
        if (toLoad.isEmpty()) {
          return;
        }
      } else if (!arriving.containsKey(account)) {
        loading.release(); // it has been loaded
      } else if (!registry.submit(account, HomeTask.blocking(new Loading(account)), null)) {
        loading.release();
        if (registry.host(account) == null) {
          giveUp(account);
        } // otherwise the home moves on, with its sessions
      }
    }
  }

  private void giveUp(Jid account) {
    take(account).forEach(each -> homeless.accept(each.session()));
  }

  private final class Loading implements HomeTask<AccountHome> {
    private final Jid account;

    Loading(Jid account) {
      this.account = account;
    }

    @Override
    public void run(AccountHome home) {
      there.accept(home);
      ended();
    }

    @Override
    public void failed(Throwable cause) {
      if (cause instanceof StoreException store && store.retryable()) {
        scheduler.schedule(RETRY, () -> load(account));
      } else {
        giveUp(account);
      }
      ended();
    }

    private void ended() {
      loading.release();
      loadNext();
    }
  }
}
