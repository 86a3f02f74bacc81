package im.zonda.link.keeper;

import java.time.Duration;
import java.util.function.LongSupplier;

/// What the keepers of a process share.
///
/// @param patience how long a client is kept without its session
/// @param clock milliseconds of a clock that only goes forward
public record KeeperSettings(Duration patience, KeptBytes kept, LongSupplier clock) {}
