package im.zonda.link.keeper;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// The settings that the keepers of a process share.
///
/// @param patience how long a stream waits for its session
/// @param clock milliseconds of a clock that only goes forward
/// @param afterLoss whether a process was lost so recently that streams may not have recovered its
///   sessions yet
public record KeeperSettings(
    Duration patience, KeptBytes kept, LongSupplier clock, BooleanSupplier afterLoss) {
  /// Settings of a process where no sessions are recovered.
  public KeeperSettings(Duration patience, KeptBytes kept, LongSupplier clock) {
    this(patience, kept, clock, () -> false);
  }
}
