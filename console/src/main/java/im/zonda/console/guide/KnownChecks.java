package im.zonda.console.guide;

import im.zonda.console.page.Desk;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Last results of checks that take seconds, by operation and host. Any thread may call.
final class KnownChecks {
  private static final Duration FRESH = Duration.ofMinutes(10);

  /// The most results that are kept.
  private static final int MOST = 200;

  private record Known(Instant time, Map<String, @Nullable Object> data) {}

  // Guarded by this object's monitor.
  private final Map<String, Known> known = new LinkedHashMap<>();

  /// Runs a check, and keeps what it finds; null if it was refused. Blocks.
  @Nullable Map<String, @Nullable Object> run(Desk desk, String operation, String host) {
    Map<String, @Nullable Object> data = desk.data(operation, Map.of("domain", host));
    synchronized (this) {
      known.remove(operation + " " + host);
      if (data != null) {
        known.put(operation + " " + host, new Known(desk.values().now(), data));
      }
      if (known.size() > MOST) {
        known.remove(known.keySet().iterator().next());
      }
    }
    return data;
  }

  /// What was found in the last minutes; null if nothing was checked.
  synchronized @Nullable Map<String, @Nullable Object> last(
      Desk desk, String operation, String host) {
    Known found = known.get(operation + " " + host);
    return found == null || found.time().plus(FRESH).isBefore(desk.values().now())
        ? null
        : found.data();
  }
}
