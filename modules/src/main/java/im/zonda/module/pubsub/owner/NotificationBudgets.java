package im.zonda.module.pubsub.owner;

import im.zonda.jid.Jid;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/// How many notifications users have recently caused, so that nobody sends more than their share to
/// the subscribers of nodes. A user of another server counts with all others of that server.
///
/// A request of someone who owes nothing passes, however many notifications it causes; further ones
/// of the same user wait until the allowed rate has made up for it. Thread-safe.
public final class NotificationBudgets {
  /// A notification counts once for each part of its size, in bytes.
  static final int PART = 4_096;

  private static final long WINDOW_MILLIS = 10_000;

  /// Times the notifications of a window that one user may cause at once.
  private static final int BURST = 5;

  /// Users who are known; who owes least is forgotten.
  private static final int MOST = 1_024;

  private final String host;

  // When everything that was counted would have been sent at the allowed rate. Guarded by itself.
  private final Map<Jid, Long> paidUntil = new HashMap<>();

  /// @param host the domain of the accounts that each have a share
  public NotificationBudgets(String host) {
    this.host = host;
  }

  private Jid payer(Jid user) {
    return user.domain().equals(host) ? user.bare() : user.domainJid();
  }

  /// Whether a user has caused so many that requests which would cause further ones are rejected.
  public boolean isExhausted(Jid user, long nowMillis) {
    synchronized (paidUntil) {
      return paidUntil.getOrDefault(payer(user), 0L) - nowMillis > BURST * WINDOW_MILLIS;
    }
  }

  /// Counts notifications.
  ///
  /// @param bytes the size of each
  /// @param limit notifications in ten seconds; 0 is no limit
  public void charge(Jid user, int notifications, long bytes, long nowMillis, int limit) {
    if (limit == 0 || notifications == 0) {
      return;
    }
    long cost = notifications * (1 + bytes / PART);
    Jid payer = payer(user);
    synchronized (paidUntil) {
      if (paidUntil.size() >= MOST && !paidUntil.containsKey(payer)) {
        forget(nowMillis);
      }
      long from = Math.max(paidUntil.getOrDefault(payer, 0L), nowMillis);
      paidUntil.put(payer, from + cost * WINDOW_MILLIS / limit);
    }
  }

  private void forget(long nowMillis) {
    paidUntil.values().removeIf(time -> time <= nowMillis);
    if (paidUntil.size() >= MOST) {
      paidUntil.entrySet().stream()
          .min(Comparator.comparingLong(Map.Entry::getValue))
          .map(Map.Entry::getKey)
          .ifPresent(paidUntil::remove);
    }
  }
}
