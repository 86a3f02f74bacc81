package im.zonda.host.plugin.guard;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// The faults of one plugin, and what follows from them: its handlers are skipped for a minute, and
/// after several such minutes it is disabled. Any thread may call.
public final class PluginFaults {
  /// How many calls may fail within [#WINDOW].
  public static final int MOST_FAILURES = 10;

  /// How many calls may take too long within [#WINDOW]: the first ones of a plugin load its
  /// classes.
  public static final int MOST_LATE = 3;

  /// The time within which failures are counted.
  public static final Duration WINDOW = Duration.ofMinutes(1);

  /// How long handlers are skipped.
  public static final Duration SKIPPED = Duration.ofMinutes(1);

  /// How often handlers may be skipped within [#TRIAL] before the plugin is disabled.
  public static final int MOST_TRIPS = 3;

  /// The time within which it is counted how often handlers were skipped.
  public static final Duration TRIAL = Duration.ofHours(1);

  /// What a fault has led to.
  public enum Effect {
    /// Nothing more.
    NONE,
    /// Handlers are skipped from now on, for [#SKIPPED].
    SKIPPED,
    /// The plugin is to be disabled.
    DISABLED
  }

  /// The last fault.
  ///
  /// @param what in words
  public record Fault(Instant time, String what) {}

  // Guarded by this object's monitor.
  private final Deque<Instant> failures = new ArrayDeque<>();
  private final Deque<Instant> late = new ArrayDeque<>();
  private final Deque<Instant> trips = new ArrayDeque<>();
  private @Nullable Fault last;

  private volatile @Nullable Instant skippedUntil;

  /// A call has failed.
  synchronized Effect failed(Instant now, String what) {
    last = new Fault(now, what);
    failures.addLast(now);
    forget(failures, now.minus(WINDOW));
    return failures.size() < MOST_FAILURES ? Effect.NONE : trip(now);
  }

  /// A call has taken longer than it may.
  synchronized Effect late(Instant now, String what) {
    last = new Fault(now, what);
    late.addLast(now);
    forget(late, now.minus(WINDOW));
    return late.size() < MOST_LATE ? Effect.NONE : trip(now);
  }

  /// The plugin takes more of the processors or of the memory than there is for it.
  synchronized Effect exceeded(Instant now, String what) {
    last = new Fault(now, what);
    return trip(now);
  }

  private Effect trip(Instant now) {
    Instant until = skippedUntil;
    if (until != null && now.isBefore(until)) {
      return Effect.NONE; // calls that had begun before
    }
    failures.clear();
    late.clear();
    trips.addLast(now);
    forget(trips, now.minus(TRIAL));
    skippedUntil = now.plus(SKIPPED);
    return trips.size() < MOST_TRIPS ? Effect.SKIPPED : Effect.DISABLED;
  }

  private static void forget(Deque<Instant> times, Instant before) {
    while (!times.isEmpty() && times.getFirst().isBefore(before)) {
      Instant _ = times.removeFirst();
    }
  }

  /// Whether handlers are skipped.
  boolean skips(Instant now) {
    Instant until = skippedUntil;
    return until != null && now.isBefore(until);
  }

  /// Until when handlers are skipped; null if they are not.
  public @Nullable Instant skippedUntil(Instant now) {
    Instant until = skippedUntil;
    return until != null && now.isBefore(until) ? until : null;
  }

  /// The last fault, or null.
  public synchronized @Nullable Fault last() {
    return last;
  }
}
