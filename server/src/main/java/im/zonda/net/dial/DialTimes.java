package im.zonda.net.dial;

import java.time.Duration;

/// The time limits for connecting to a server.
///
/// @param between the time after which the next address is tried while others have not answered
/// @param attempt the time for one address
/// @param all the time for all addresses together
public record DialTimes(Duration between, Duration attempt, Duration all) {
  /// RFC 8305, section 8: 250 ms between attempts.
  public static final DialTimes DEFAULTS =
      new DialTimes(Duration.ofMillis(250), Duration.ofSeconds(10), Duration.ofSeconds(30));
}
