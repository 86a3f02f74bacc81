package im.zonda.net.bosh;

import im.zonda.config.limits.BoshLimits;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The terms on which a client and the server have agreed when the session was created (XEP-0124,
/// section 7).
///
/// @param legacy whether the client has sent no `ver`, so that it gets errors of HTTP
/// @param version the version of BOSH; null for a legacy client
/// @param waitMillis how long a request waits at most
/// @param hold how many requests wait at most
/// @param requests how many requests the client may have open
/// @param pollingMillis the shortest time between two empty requests
/// @param inactivityMillis how long the client may have no request open
/// @param maxPauseMillis the longest time without requests that the client may announce
/// @param acks whether requests and responses are acknowledged (section 9)
/// @param contentType the media type of responses
record BoshTerms(
    boolean legacy,
    @Nullable String version,
    long waitMillis,
    int hold,
    int requests,
    long pollingMillis,
    long inactivityMillis,
    long maxPauseMillis,
    boolean acks,
    String contentType) {
  /// The version that is implemented.
  private static final int MINOR = 11;

  private static final Pattern VERSION = Pattern.compile("([0-9]{1,4})\\.([0-9]{1,4})");
  private static final Pattern TYPE =
      Pattern.compile("[a-zA-Z0-9+.-]{1,60}/[a-zA-Z0-9+.-]{1,60}(; ?charset=[uU][tT][fF]-8)?");

  private static final int MAX_NUMBER = 1_000_000_000;

  /// For requests of clients of which nothing is known.
  static final BoshTerms NONE =
      new BoshTerms(false, null, 0, 0, 1, 0, 0, 0, false, BoshResponse.XML);

  /// For first requests without `ver`.
  static final BoshTerms LEGACY =
      new BoshTerms(true, null, 0, 0, 1, 0, 0, 0, false, BoshResponse.XML);

  /// For a client whose first request says so.
  ///
  /// @throws BoshException if the request has values that are none
  static BoshTerms of(BoshRequest first, BoshLimits limits) throws BoshException {
    String version = first.attribute("ver");
    long wait = seconds(first, "wait", limits.waitTime());
    long hold = number(first, "hold", 1);
    boolean polls = wait == 0 || hold == 0;
    int held = (int) Math.min(hold, limits.hold());
    long polling = limits.polling().toMillis();
    return new BoshTerms(
        version == null,
        version == null ? null : lower(version),
        Math.min(wait * 1_000, limits.waitTime().toMillis()),
        held,
        held + 1,
        polling,
        limits.inactivity().toMillis() + (polls ? polling : 0),
        limits.maxPause().toMillis(),
        "1".equals(first.attribute("ack")),
        type(first.attribute("content")));
  }

  /// Whether no request waits (section 12).
  boolean polls() {
    return waitMillis == 0 || hold == 0;
  }

  private static long seconds(BoshRequest first, String name, Duration usual) throws BoshException {
    return number(first, name, usual.toSeconds());
  }

  private static long number(BoshRequest first, String name, long usual) throws BoshException {
    String text = first.attribute(name);
    long value = text == null ? usual : BoshRequest.number(text, MAX_NUMBER);
    if (value < 0) {
      throw new BoshException(BoshCondition.BAD_REQUEST);
    }
    return value;
  }

  /// The lower one of the client's version and the server's.
  private static String lower(String version) throws BoshException {
    var parts = VERSION.matcher(version);
    if (!parts.matches()) {
      throw new BoshException(BoshCondition.BAD_REQUEST);
    }
    int major = Integer.parseInt(parts.group(1));
    int minor = Integer.parseInt(parts.group(2));
    return major > 1 || (major == 1 && minor > MINOR) ? "1." + MINOR : major + "." + minor;
  }

  private static String type(@Nullable String content) throws BoshException {
    if (content == null) {
      return BoshResponse.XML;
    }
    if (!TYPE.matcher(content).matches()) {
      throw new BoshException(BoshCondition.BAD_REQUEST);
    }
    return content;
  }
}
