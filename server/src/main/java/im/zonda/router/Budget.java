package im.zonda.router;

import im.zonda.config.Limits;
import java.util.concurrent.atomic.AtomicLong;

/// What the unacknowledged stanzas of one session, and of all sessions together, may cost.
final class Budget {
  private final int stanzas;
  private final int bytes;
  private final long total;
  private final AtomicLong taken = new AtomicLong();

  Budget(Limits limits) {
    stanzas = limits.unacknowledgedStanzas();
    bytes = limits.unacknowledgedBytes();
    total = limits.allUnacknowledgedBytes();
  }

  /// The most stanzas of one session.
  int stanzas() {
    return stanzas;
  }

  /// The most bytes of one session.
  int bytes() {
    return bytes;
  }

  /// Takes so many bytes of what all sessions share; false if they are not there.
  boolean take(int size) {
    if (taken.addAndGet(size) > total) {
      taken.addAndGet(-size);
      return false;
    }
    return true;
  }

  /// Gives them back.
  void give(int size) {
    taken.addAndGet(-size);
  }

  /// The bytes that are taken.
  long taken() {
    return taken.get();
  }
}
