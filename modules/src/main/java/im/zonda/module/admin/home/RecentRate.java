package im.zonda.module.admin.home;

import java.time.Duration;

/// A recent rate of events: a moving average in which the weight of an event decreases with its
/// age, to about a third after one period. Until it is known for a period it is the average of the
/// time since it began. Confined to the home of an account.
final class RecentRate {
  private final double period;
  private final long began;
  private long updated;
  private double count;

  /// @param period the time over which it is averaged
  /// @param now milliseconds from any origin
  RecentRate(Duration period, long now) {
    this.period = period.toMillis();
    this.began = now;
    this.updated = now;
  }

  /// It has happened.
  void count(long now) {
    count = decayed(now) + 1;
    updated = Math.max(updated, now);
  }

  private double decayed(long now) {
    long passed = now - updated;
    return passed <= 0 ? count : count * Math.exp(-passed / period);
  }

  /// How often it happens in some time at present.
  double per(Duration time, long now) {
    double known = Math.max(time.toMillis(), now - began) / period;
    // A steady rate has added up to this part of what it adds up to in the end.
    double part = 1 - Math.exp(-known);
    return decayed(now) / (period * part) * time.toMillis();
  }
}
