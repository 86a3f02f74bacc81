package im.zonda.storage.cache;

import im.zonda.jid.Jid;
import java.time.Duration;
import java.time.InstantSource;

/// Keeps a reader from caching what a concurrent write replaces.
///
/// A reader takes a stamp, reads the database, and publishes what it has read only if no write of
/// that owner has begun since. While a write is running nothing of the owner is published. After a
/// write that has failed the database may still change, for example if only the answer to the
/// commit was lost: nothing is published for [#UNCERTAIN]. Owners share stripes, so a write may
/// also keep others from publishing, which costs them one more query. No lock is held during I/O.
final class WriteStamps {
  /// How long after a failed write nothing is published.
  static final Duration UNCERTAIN = Duration.ofMinutes(1);

  /// In place of a stamp: what is read now must not be published.
  static final long NOT_TO_PUBLISH = -1;

  private static final int STRIPES = 1_024;

  private final InstantSource clock;
  private final Stripe[] stripes = new Stripe[STRIPES];

  private static final class Stripe {
    // Guarded by this object's monitor.
    private long stamp;
    private int writing;
    private long uncertainUntil = Long.MIN_VALUE;
  }

  WriteStamps(InstantSource clock) {
    this.clock = clock;
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
  }

  /// A write that is running: ends with [#succeeded] or [#failed], once.
  final class Write {
    private final Stripe stripe;
    private final long begun;

    private Write(Stripe stripe, long begun) {
      this.stripe = stripe;
      this.begun = begun;
    }

    /// Runs `publish` if no other write ran at the same time.
    void succeeded(Runnable publish) {
      synchronized (stripe) {
        if (stripe.writing == 1 && stripe.stamp == begun && isCertain(stripe)) {
          publish.run();
        }
        stripe.writing--;
        stripe.stamp++;
      }
    }

    /// The write may have been made, or may still be made.
    void failed() {
      synchronized (stripe) {
        stripe.writing--;
        stripe.stamp++;
        stripe.uncertainUntil = clock.millis() + UNCERTAIN.toMillis();
      }
    }
  }

  /// Begins a write. What is in the cache must be dropped after this.
  Write begin(Jid owner) {
    Stripe stripe = stripe(owner);
    synchronized (stripe) {
      stripe.writing++;
      return new Write(stripe, ++stripe.stamp);
    }
  }

  /// Nothing that is being read or written now is published.
  void invalidateAll() {
    for (Stripe stripe : stripes) {
      synchronized (stripe) {
        stripe.stamp++;
      }
    }
  }

  /// The stamp to take before the database is read; may be [#NOT_TO_PUBLISH].
  long stamp(Jid owner) {
    Stripe stripe = stripe(owner);
    synchronized (stripe) {
      return stripe.writing == 0 && isCertain(stripe) ? stripe.stamp : NOT_TO_PUBLISH;
    }
  }

  /// Runs `publish` unless a write has begun since the stamp was taken.
  void publish(Jid owner, long stamp, Runnable publish) {
    if (stamp == NOT_TO_PUBLISH) {
      return;
    }
    Stripe stripe = stripe(owner);
    synchronized (stripe) {
      if (stripe.stamp == stamp) {
        publish.run();
      }
    }
  }

  private boolean isCertain(Stripe stripe) {
    if (stripe.uncertainUntil == Long.MIN_VALUE) {
      return true;
    }
    if (clock.millis() < stripe.uncertainUntil) {
      return false;
    }
    stripe.uncertainUntil = Long.MIN_VALUE;
    return true;
  }

  private Stripe stripe(Jid owner) {
    int hash = owner.hashCode();
    return stripes[(hash ^ (hash >>> 16)) & (STRIPES - 1)];
  }
}
