package im.zonda.module.registration;

import im.zonda.session.ClientNetwork;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;

/// Limits how many accounts one address may create in an hour. An IPv6 address counts as its /64,
/// which is what one subscriber has.
///
/// Failed attempts are limited as well, since each one reveals whether a name is taken, to
/// [#ATTEMPTS] for each account that may be created. Memory is bounded: when [#MAX_NETWORKS]
/// networks have made an attempt within an hour, the oldest one is evicted. Thread-safe.
final class AddressBudget {
  /// The maximum number of networks.
  static final int MAX_NETWORKS = 10_000;

  /// Attempts for each account that may be created.
  static final int ATTEMPTS = 10;

  private static final Duration HOUR = Duration.ofHours(1);

  private static final class Window {
    private final Instant start;
    private int accounts;
    private long attempts;

    Window(Instant start) {
      this.start = start;
    }
  }

  private final int perHour;
  private final InstantSource clock;

  /// Ordered by their start.
  private final LinkedHashMap<ClientNetwork, Window> windows = new LinkedHashMap<>();

  /// @param perHour accounts per hour; 0 is no limit
  AddressBudget(int perHour, InstantSource clock) {
    this.perHour = perHour;
    this.clock = clock;
  }

  /// Counts an attempt to create an account; false if the limit is reached.
  synchronized boolean take(InetAddress address) {
    if (perHour == 0) {
      return true;
    }
    Instant now = clock.instant();
    removeExpired(now);
    ClientNetwork network = ClientNetwork.of(address);
    Window window = windows.get(network);
    if (window == null) {
      if (windows.size() >= MAX_NETWORKS) {
        // Rejecting instead would let one client with many networks lock out everyone else.
        windows.pollFirstEntry();
      }
      window = new Window(now);
      windows.put(network, window);
    }
    window.attempts++;
    if (window.accounts >= perHour || window.attempts > (long) perHour * ATTEMPTS) {
      return false;
    }
    window.accounts++;
    return true;
  }

  /// Gives back what [#take] counted for an attempt that created no account.
  synchronized void giveBack(InetAddress address) {
    Window window = windows.get(ClientNetwork.of(address));
    if (window != null && window.accounts > 0) {
      window.accounts--;
    }
  }

  /// The number of networks in memory.
  synchronized int networks() {
    return windows.size();
  }

  private void removeExpired(Instant now) {
    Iterator<Window> oldest = windows.values().iterator();
    while (oldest.hasNext()) {
      Instant start = oldest.next().start;
      // A start in the future means that the clock was set back: such a window ends at once.
      if (!now.isBefore(start) && now.isBefore(start.plus(HOUR))) {
        return;
      }
      oldest.remove();
    }
  }
}
