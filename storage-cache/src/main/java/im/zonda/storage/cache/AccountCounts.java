package im.zonda.storage.cache;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

/// Numbers of the accounts of domains, which a database counts one by one. Few are counted at each
/// question; many at most once a [#FRESH], with what this node has created and removed since. What
/// other nodes of a cluster have created and removed is known after that time. Any thread that may
/// block may call.
final class AccountCounts {
  /// How long many accounts are not counted again.
  static final Duration FRESH = Duration.ofMinutes(1);

  /// The most accounts that are few.
  static final long FEW = 1_000;

  private record Counted(AtomicLong accounts, Instant at) {}

  private final ToLongFunction<String> store;
  private final InstantSource clock;
  private final ConcurrentMap<String, Counted> known = new ConcurrentHashMap<>();

  /// @param store counts the accounts of a domain
  AccountCounts(ToLongFunction<String> store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /// How many accounts a domain has.
  long of(String domain) {
    Instant now = clock.instant();
    Counted before = known.get(domain);
    if (before != null
        && before.accounts().get() > FEW
        && !now.isBefore(before.at())
        && now.isBefore(before.at().plus(FRESH))) {
      return before.accounts().get();
    }
    long accounts = store.applyAsLong(domain);
    if (accounts > FEW) {
      known.put(domain, new Counted(new AtomicLong(accounts), now));
    } else {
      known.remove(domain);
    }
    return accounts;
  }

  /// Accounts were created, or if negative removed.
  void change(String domain, long by) {
    Counted counted = known.get(domain);
    if (counted != null) {
      long _ = counted.accounts().addAndGet(by);
    }
  }
}
