package im.zonda.home.request;

import im.zonda.jid.Jid;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/// Bounds the memory of large results of IQ requests that wait at the homes of those who asked.
///
/// A request of a hundred bytes can have a result of a hundred kilobytes, such as a vCard. Results
/// are made at many homes at once, and can come faster than the home of the one who asked handles
/// them. While all that wait are too much, accounts for which more than [#FREE] waits get an error
/// instead. Safe for use by several threads.
public final class LargeResults {
  /// Smaller results are not counted, in bytes.
  static final int LEAST = 8_192;

  /// What may wait for each account even when all together are too much, in bytes.
  static final int FREE = 262_144;

  private final long limit;
  private final AtomicLong waiting = new AtomicLong();
  private final ConcurrentMap<Jid, Long> accounts = new ConcurrentHashMap<>();

  /// @param limit the most bytes that wait for all accounts
  public LargeResults(long limit) {
    this.limit = limit;
  }

  /// Counts a result for that account; false, and it is not counted, if it is one too many.
  public boolean add(Jid account, int size) {
    if (size < LEAST) {
      return true;
    }
    long own = accounts.merge(account, (long) size, Long::sum);
    if (waiting.addAndGet(size) > limit && own > FREE) {
      remove(account, size);
      return false;
    }
    return true;
  }

  /// A result that was counted waits no longer.
  public void remove(Jid account, int size) {
    if (size >= LEAST) {
      waiting.addAndGet(-size);
      accounts.computeIfPresent(account, (key, own) -> own == size ? null : own - size);
    }
  }

  /// The accounts for which results wait.
  int accounts() {
    return accounts.size();
  }
}
