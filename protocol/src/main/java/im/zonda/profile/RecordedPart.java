package im.zonda.profile;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The part of a recording that is looked at, with what was measured from outside of the process
/// meanwhile.
///
/// @param from its beginning
/// @param to its end, exclusive
/// @param threads the CPU time of threads by kind, in ns, as the kernel has counted it; empty if it
///   is unknown
/// @param stanzas the stanzas that came in; null if they are unknown
public record RecordedPart(
    Instant from, Instant to, Map<ThreadKind, Long> threads, @Nullable Long stanzas) {
  /// Copies the map.
  public RecordedPart {
    threads = Map.copyOf(threads);
  }

  /// Whether a time is in it.
  public boolean contains(Instant time) {
    return !time.isBefore(from) && time.isBefore(to);
  }

  Duration length() {
    return Duration.between(from, to);
  }
}
