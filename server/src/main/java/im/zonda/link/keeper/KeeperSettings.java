package im.zonda.link.keeper;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// What the keepers of a process share.
///
/// @param patience how long a client is kept without its session
/// @param clock milliseconds of a clock that only goes forward
/// @param afterLoss whether a process was lost so recently that the streams of its sessions may not
///   have had them made again yet
public record KeeperSettings(
    Duration patience, KeptBytes kept, LongSupplier clock, BooleanSupplier afterLoss) {
  /// Settings of a process where no sessions are made again.
  public KeeperSettings(Duration patience, KeptBytes kept, LongSupplier clock) {
    this(patience, kept, clock, () -> false);
  }
}
