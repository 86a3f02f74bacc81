package im.zonda.route;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/// Counts of the pauses of streams since the start, by their reason. Any thread may call.
public final class Pauses {
  /// Why a stream is not read.
  public enum Cause {
    /// Too much waits for the message log.
    LOG,
    /// Another server sends more than it may.
    RATE,
    /// A module slows its sender down.
    MODULE
  }

  private final Map<Cause, LongAdder> counts = new EnumMap<>(Cause.class);

  Pauses() {
    for (Cause each : Cause.values()) {
      counts.put(each, new LongAdder());
    }
  }

  /// What counts those of one cause.
  public LongAdder of(Cause cause) {
    return Objects.requireNonNull(counts.get(cause));
  }
}
