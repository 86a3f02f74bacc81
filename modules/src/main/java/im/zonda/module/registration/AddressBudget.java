package im.zonda.module.registration;

import im.zonda.session.ClientNetwork;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;

/// How many accounts one address may make in an hour. An IPv6 address counts as its /64, which is
/// what one subscriber has.
///
/// Attempts that fail are counted as well, with a wider bound: each one tells whether a name is
/// taken. Memory is bounded: when [#MAX_NETWORKS] networks have tried within an hour, the one that
/// began first is forgotten for the next. Safe for use by several threads.
final class AddressBudget {
  /// Networks that are remembered at a time.
  static final int MAX_NETWORKS = 10_000;

  /// Attempts for each account that may be made.
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

  /// In the order of their start.
  private final LinkedHashMap<ClientNetwork, Window> windows = new LinkedHashMap<>();

  /// A budget of `perHour` accounts; 0 is no limit.
  AddressBudget(int perHour, InstantSource clock) {
    this.perHour = perHour;
    this.clock = clock;
  }

  /// Counts an attempt to make an account; false if it must not be made.
  synchronized boolean take(InetAddress address) {
    if (perHour == 0) {
      return true;
    }
    Instant now = clock.instant();
    forgetBefore(now);
    ClientNetwork network = ClientNetwork.of(address);
    Window window = windows.get(network);
    if (window == null) {
      if (windows.size() >= MAX_NETWORKS) {
        // Refusing instead would let one with many networks shut out everyone else.
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

  /// The attempt that was granted made no account.
  synchronized void giveBack(InetAddress address) {
    Window window = windows.get(ClientNetwork.of(address));
    if (window != null && window.accounts > 0) {
      window.accounts--;
    }
  }

  /// The networks that are remembered now.
  synchronized int networks() {
    return windows.size();
  }

  private void forgetBefore(Instant now) {
    Iterator<Window> oldest = windows.values().iterator();
    while (oldest.hasNext()) {
      Instant start = oldest.next().start;
      // A start in the future means that the clock went back: nobody must wait for it to return.
      if (!now.isBefore(start) && now.isBefore(start.plus(HOUR))) {
        return;
      }
      oldest.remove();
    }
  }
}
