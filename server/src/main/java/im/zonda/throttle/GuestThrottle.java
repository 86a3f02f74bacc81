package im.zonda.throttle;

import im.zonda.session.ClientNetwork;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// Limits how many guests (XEP-0175) the clients of one network bring to a host. So many may come
/// at once as may come in an hour, and after that one whenever the share of an hour for one is
/// over. Needs memory of a fixed size; safe for use by several threads.
public final class GuestThrottle {
  private static final int NETWORKS = 8_192;
  private static final Duration HOUR = Duration.ofHours(1);

  private final InstantSource clock;
  private final String seed;

  // Guarded by this object's monitor.
  private int rate;
  private @Nullable DrainingCounts counts;

  /// @param seed a secret, so that no one can choose networks that displace a certain other one
  public GuestThrottle(InstantSource clock, String seed) {
    this.clock = clock;
    this.seed = seed;
  }

  /// Counts one more guest.
  ///
  /// @param perHour guests per hour; 0 is no limit. When it changes, counting begins again
  /// @return false if no more may come at present, and nothing is counted
  public synchronized boolean take(ClientNetwork network, int perHour) {
    if (perHour == 0) {
      return true;
    }
    DrainingCounts counted = counts;
    if (counted == null || perHour != rate) {
      counted = new DrainingCounts(NETWORKS, HOUR.dividedBy(perHour), seed);
      counts = counted;
      rate = perHour;
    }
    long key = counted.keyOf(network.text());
    long now = clock.millis();
    if (counted.get(key, now) > perHour - 1) {
      return false;
    }
    counted.add(key, 1, perHour, now);
    return true;
  }
}
