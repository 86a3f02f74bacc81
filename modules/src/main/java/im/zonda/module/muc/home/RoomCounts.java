package im.zonda.module.muc.home;

import im.zonda.jid.Jid;
import im.zonda.store.RoomStore;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// Counts the rooms that each account has created at a service: those in the store, and those in
/// memory that are not configured yet.
///
/// Thread-safe. Rooms of one account are counted one at a time, so that parallel connections cannot
/// exceed the limit.
final class RoomCounts {
  private final RoomStore store;
  private final String domain;
  private final IntSupplier most;
  private final ConcurrentMap<Jid, Account> accounts = new ConcurrentHashMap<>();

  /// @param domain the domain of the service
  /// @param most the limit per account
  RoomCounts(RoomStore store, String domain, IntSupplier most) {
    this.store = store;
    this.domain = domain;
    this.most = most;
  }

  /// An account with rooms that are not stored. Removed when nothing refers to it.
  private static final class Account {
    private final AtomicInteger unstored = new AtomicInteger();

    /// Number of slots and running calls; changed only inside of the map's compute methods.
    private int references;
  }

  /// A room that is counted and not stored yet. Must be stored or released once.
  final class Slot {
    private final Jid user;
    private final Account account;

    private Slot(Jid user, Account account) {
      this.user = user;
      this.account = account;
    }

    /// Runs the task that stores the room, which is counted by the store from then on. Blocks.
    void store(Runnable save) {
      synchronized (account) {
        save.run();
        account.unstored.decrementAndGet();
      }
      forget(user);
    }

    /// The room was destroyed before it was stored. Does not block.
    void release() {
      account.unstored.decrementAndGet();
      forget(user);
    }
  }

  /// Counts a new room; returns null if the user has too many. Blocks.
  ///
  /// @param exempt whether the limit does not apply to this user
  @Nullable Slot tryReserve(Jid user, boolean exempt) {
    Account account =
        accounts.compute(
            user,
            (key, known) -> {
              Account used = known == null ? new Account() : known;
              used.references++;
              return used;
            });
    boolean reserved = false;
    try {
      synchronized (account) {
        if (exempt || store.created(domain, user) + account.unstored.get() < most.getAsInt()) {
          account.unstored.incrementAndGet();
          reserved = true;
        }
      }
    } finally {
      if (!reserved) {
        forget(user);
      }
    }
    return reserved ? new Slot(user, account) : null;
  }

  private void forget(Jid user) {
    accounts.computeIfPresent(user, (key, known) -> --known.references == 0 ? null : known);
  }

  /// The number of accounts with rooms that are not stored.
  int size() {
    return accounts.size();
  }
}
