package im.zonda.home;

import im.zonda.jid.Jid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// The sessions whose clients acknowledge late what they are sent (XEP-0198): the latest of the
/// last minutes. Noted when something is sent or acknowledged, so that nothing looks for them. Any
/// thread may call.
public final class SlowReceivers {
  /// The most sessions.
  public static final int MOST = 100;

  /// An acknowledgement that takes longer is late, in ms.
  public static final long LATE = 2_000;

  /// How long a session stays that is not late again.
  public static final Duration KEPT = Duration.ofMinutes(5);

  private static final Comparator<Slow> LATEST = Comparator.comparing(Slow::age).reversed();

  private final LongSupplier nanos;

  // Guarded by this object's monitor.
  private final Map<Jid, Noted> sessions = new HashMap<>();

  private record Noted(Slow slow, long at) {}

  /// A session.
  ///
  /// @param age how long the oldest stanza has waited, or had when it was acknowledged: the longest
  ///   of the time for which it is known
  /// @param waiting stanzas that waited when it was last late
  /// @param bytes their size
  /// @param ago when it was last late
  public record Slow(Jid session, Duration age, int waiting, int bytes, Duration ago) {}

  /// @param nanos the time in ns, as [System#nanoTime] has it
  public SlowReceivers(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /// A session was late.
  ///
  /// @param age in ms
  public synchronized void late(Jid session, long age, int waiting, int bytes) {
    long now = nanos.getAsLong();
    Noted before = sessions.get(session);
    Duration longest = Duration.ofMillis(age);
    if (before != null && now - before.at < KEPT.toNanos()) {
      longest = longest.compareTo(before.slow.age) > 0 ? longest : before.slow.age;
    } else if (before == null && sessions.size() >= MOST && !makeRoom(now, longest)) {
      return;
    }
    sessions.put(
        session, new Noted(new Slow(session, longest, waiting, bytes, Duration.ZERO), now));
  }

  /// Removes old ones, otherwise the least late if it is less late than that.
  private boolean makeRoom(long now, Duration age) {
    if (sessions.values().removeIf(each -> now - each.at >= KEPT.toNanos())) {
      return true;
    }
    Noted least = null;
    for (Noted each : sessions.values()) {
      least = least == null || each.slow.age.compareTo(least.slow.age) < 0 ? each : least;
    }
    return least != null
        && least.slow.age.compareTo(age) < 0
        && sessions.remove(least.slow.session) != null;
  }

  /// The sessions that were late in the last minutes, the latest first.
  public synchronized List<Slow> list() {
    long now = nanos.getAsLong();
    sessions.values().removeIf(each -> now - each.at >= KEPT.toNanos());
    List<Slow> all = new ArrayList<>();
    for (Noted each : sessions.values()) {
      all.add(
          new Slow(
              each.slow.session,
              each.slow.age,
              each.slow.waiting,
              each.slow.bytes,
              Duration.ofNanos(now - each.at)));
    }
    all.sort(LATEST);
    return all;
  }
}
