package im.zonda.console.live;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Events that are the same for several visitors: the first one's is made, the others get it for
/// [#VALID]. Any thread may call.
public final class SharedEvents {
  /// How long an event is given to others.
  static final Duration VALID = Duration.ofMillis(1_500);

  /// The most kinds of visitors; the one that came first is forgotten.
  static final int MOST = 20;

  private record Made(String event, long at) {}

  private final LongSupplier nanos;
  private final Map<Object, Made> events = new LinkedHashMap<>();

  /// @param nanos such as [System#nanoTime]
  public SharedEvents(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /// The event for visitors of a kind; null if there is none. Visitors that come while it is made
  /// wait.
  ///
  /// @param kind what the event depends on
  public synchronized @Nullable String of(Object kind, Supplier<@Nullable String> event) {
    Made known = events.get(kind);
    if (known != null && nanos.getAsLong() - known.at < VALID.toNanos()) {
      return known.event;
    }
    events.remove(kind);
    String made = event.get();
    if (made != null) {
      if (events.size() >= MOST) {
        events.remove(events.keySet().iterator().next());
      }
      events.put(kind, new Made(made, nanos.getAsLong()));
    }
    return made;
  }
}
