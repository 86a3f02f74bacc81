package im.zonda.host.plugin;

import java.util.function.LongSupplier;

/// The rate at which a plugin may send stanzas: a bucket that refills.
final class SendRate {
  /// Stanzas a second, for long.
  static final int PER_SECOND = 5_000;

  /// Stanzas at once.
  static final int BURST = 50_000;

  private final LongSupplier nanos;

  // Guarded by this object's monitor.
  private double left = BURST;
  private long filled;

  /// @param nanos the time, in ns, from any beginning
  SendRate(LongSupplier nanos) {
    this.nanos = nanos;
    this.filled = nanos.getAsLong();
  }

  /// Takes one.
  ///
  /// @throws IllegalStateException if the plugin sends too many
  synchronized void take() {
    long now = nanos.getAsLong();
    left = Math.min(BURST, left + (now - filled) / 1e9 * PER_SECOND);
    filled = now;
    if (left < 1) {
      throw new IllegalStateException(
          "the plugin sends more than " + PER_SECOND + " stanzas a second");
    }
    left--;
  }
}
