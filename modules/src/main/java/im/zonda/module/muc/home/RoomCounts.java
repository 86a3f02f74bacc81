package im.zonda.module.muc.home;

import im.zonda.jid.Jid;
import im.zonda.store.RoomStore;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Counts the rooms that each account has created at one service: those in the store, and those
/// that exist in memory only because they are not configured yet.
///
/// Thread-safe. Rooms of one account are counted one after the other, so that several connections
/// cannot exceed the limit together.
final class RoomCounts {
  private final RoomStore store;
  private final String domain;
  private final int most;
  private final ConcurrentMap<Jid, Account> accounts = new ConcurrentHashMap<>();

  /// @param domain the room service
  /// @param most the most rooms of one account
  RoomCounts(RoomStore store, String domain, int most) {
    this.store = store;
    this.domain = domain;
    this.most = most;
  }

  /// An account with rooms in memory only. It stays in the map while anyone refers to it.
  private static final class Account {
    private final AtomicInteger unstored = new AtomicInteger();

    /// Slots, and calls that are running; changed within the map's own methods only.
    private int references;
  }

  /// A room that the store does not have yet. Ended once.
  final class Slot {
    private final Jid user;
    private final Account account;

    private Slot(Jid user, Account account) {
      this.user = user;
      this.account = account;
    }

    /// Runs what stores the room, which from then on is counted there. Blocks.
    void store(Runnable save) {
      synchronized (account) {
        save.run();
        account.unstored.decrementAndGet();
      }
      release(user);
    }

    /// The room has ended without having been stored. Does not block.
    void end() {
      account.unstored.decrementAndGet();
      release(user);
    }
  }

  /// Counts a room that the user creates; null if there are too many. Blocks.
  ///
  /// @param exempt whether the limit is not for this user
  @Nullable Slot take(Jid user, boolean exempt) {
    Account account =
        accounts.compute(
            user,
            (key, known) -> {
              Account used = known == null ? new Account() : known;
              used.references++;
              return used;
            });
    boolean taken = false;
    try {
      synchronized (account) {
        if (exempt || store.created(domain, user) + account.unstored.get() < most) {
          account.unstored.incrementAndGet();
          taken = true;
        }
      }
    } finally {
      if (!taken) {
        release(user);
      }
    }
    return taken ? new Slot(user, account) : null;
  }

  private void release(Jid user) {
    accounts.computeIfPresent(user, (key, known) -> --known.references == 0 ? null : known);
  }

  /// The accounts that are remembered.
  int size() {
    return accounts.size();
  }
}
