package im.zonda.module.pubsub.owner;

import im.zonda.jid.Jid;
import im.zonda.jid.RegistrableDomain;
import im.zonda.xml.Element;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// The notifications that users have recently caused, so that no one sends more than a fair share
/// to the subscribers of nodes. All users of other servers whose domains have the same owner share
/// one budget.
///
/// A request of a user below the limit is accepted, however many notifications it causes; further
/// ones of that user are rejected until the allowed rate has made up for it. Thread-safe.
public final class NotificationBudgets {
  /// A notification counts once for each part of its size, in bytes.
  static final int PART = 4_096;

  private static final long WINDOW_MILLIS = 10_000;

  /// Times the notifications of a window that one user may cause at once.
  private static final int BURST = 5;

  /// Users who are remembered. Beyond it, the one with the least to make up for is forgotten.
  private static final int MOST = 1_024;

  private final String host;
  private final InstantSource clock;
  private final IntSupplier limit;

  // When everything that was counted would have been sent at the allowed rate. Guarded by itself.
  private final Map<Jid, Long> paidUntil = new HashMap<>();

  /// @param host the domain of the accounts that each have a share
  /// @param limit notifications of a user in ten seconds; 0 is no limit
  public NotificationBudgets(String host, InstantSource clock, IntSupplier limit) {
    this.host = host;
    this.clock = clock;
    this.limit = limit;
  }

  private Jid payer(Jid user) {
    return user.domain().equals(host) ? user.bare() : Jid.of(RegistrableDomain.of(user.domain()));
  }

  /// Whether a user has caused so many that requests which would cause further ones are rejected.
  public boolean isExhausted(Jid user) {
    if (limit.getAsInt() == 0) {
      return false;
    }
    long now = clock.millis();
    synchronized (paidUntil) {
      return paidUntil.getOrDefault(payer(user), 0L) - now > BURST * WINDOW_MILLIS;
    }
  }

  /// Counts notifications that have these payloads.
  ///
  /// @param user who has caused them, or null
  public void charge(@Nullable Jid user, int notifications, List<Element> payloads) {
    if (user != null && notifications > 0 && limit.getAsInt() > 0) {
      charge(user, notifications, PubSubXml.size(payloads));
    }
  }

  /// Counts notifications.
  ///
  /// @param user who has caused them, or null
  /// @param bytes the size of each
  public void charge(@Nullable Jid user, int notifications, long bytes) {
    int rate = limit.getAsInt();
    if (user == null || rate == 0) {
      return;
    }
    long cost = notifications * (1 + bytes / PART);
    long now = clock.millis();
    Jid payer = payer(user);
    synchronized (paidUntil) {
      if (paidUntil.size() >= MOST && !paidUntil.containsKey(payer)) {
        forget(now);
      }
      long from = Math.max(paidUntil.getOrDefault(payer, 0L), now);
      paidUntil.put(payer, from + cost * WINDOW_MILLIS / rate);
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
