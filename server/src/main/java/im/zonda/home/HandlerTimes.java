package im.zonda.home;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The handlers of modules that took long, by module and what they handled. Any thread may call.
public final class HandlerTimes {
  /// What takes longer is noted, in ns.
  public static final long SLOW = 10_000_000;

  /// The most kinds.
  public static final int MOST = 200;

  private record Kind(String module, String what) {}

  private record Noted(long count, long total, long longest, long at) {}

  // Guarded by this object's monitor, which is taken only for what took long.
  private final Map<Kind, Noted> kinds = new HashMap<>();

  /// What took long.
  ///
  /// @param module the name of the module
  /// @param what what it handled, such as the namespace of a request
  /// @param count how many times since the start
  /// @param mean of these times
  /// @param longest of them
  /// @param ago when it was for the last time
  public record Slow(
      String module, String what, long count, Duration mean, Duration longest, Duration ago) {}

  /// A handler has taken long.
  ///
  /// @param nanos how long, more than [#SLOW]
  public synchronized void slow(String module, String what, long nanos) {
    Kind kind = new Kind(module, what);
    Noted before = kinds.get(kind);
    long now = System.nanoTime();
    if (before != null) {
      kinds.put(
          kind,
          new Noted(before.count + 1, before.total + nanos, Math.max(before.longest, nanos), now));
    } else if (kinds.size() < MOST) {
      kinds.put(kind, new Noted(1, nanos, nanos, now));
    }
  }

  /// What took long, what took most of the time first.
  public synchronized List<Slow> list() {
    long now = System.nanoTime();
    List<Map.Entry<Kind, Noted>> all = new ArrayList<>(kinds.entrySet());
    all.sort(
        Comparator.comparingLong((Map.Entry<Kind, Noted> each) -> each.getValue().total)
            .reversed());
    return all.stream()
        .map(each ->
            new Slow(
                each.getKey().module,
                each.getKey().what,
                each.getValue().count,
                Duration.ofNanos(each.getValue().total / each.getValue().count),
                Duration.ofNanos(each.getValue().longest),
                Duration.ofNanos(now - each.getValue().at)))
        .toList();
  }
}
