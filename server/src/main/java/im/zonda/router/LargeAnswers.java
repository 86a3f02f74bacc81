package im.zonda.router;

import im.zonda.jid.Jid;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/// Large answers to IQ requests that wait at the homes of those who asked.
///
/// A request of a hundred bytes can have an answer of a hundred kilobytes, such as a vCard. Answers
/// are made by the homes of many accounts at once, and can come faster than the home of the one who
/// asked deals with them. When all that wait are too much, accounts for which more than a little
/// waits get an error instead. Safe for use by several threads.
final class LargeAnswers {
  /// Smaller answers are not counted, in bytes.
  static final int LEAST = 8_192;

  /// What may wait for one account even when all answers together are too much, in bytes.
  static final int FREE = 262_144;

  private final long limit;
  private final AtomicLong waiting = new AtomicLong();
  private final ConcurrentMap<Jid, Long> accounts = new ConcurrentHashMap<>();

  /// @param limit the most bytes that wait for all accounts
  LargeAnswers(long limit) {
    this.limit = limit;
  }

  /// Counts an answer for that account; false, and it is not counted, if it is one too many.
  boolean take(Jid account, int size) {
    if (size < LEAST) {
      return true;
    }
    long own = accounts.merge(account, (long) size, Long::sum);
    if (waiting.addAndGet(size) > limit && own > FREE) {
      give(account, size);
      return false;
    }
    return true;
  }

  /// An answer that was counted waits no longer.
  void give(Jid account, int size) {
    if (size >= LEAST) {
      waiting.addAndGet(-size);
      accounts.computeIfPresent(account, (key, own) -> own == size ? null : own - size);
    }
  }

  /// The accounts for which any wait.
  int accounts() {
    return accounts.size();
  }
}
