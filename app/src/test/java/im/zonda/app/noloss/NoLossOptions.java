package im.zonda.app.noloss;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How long a run lasts. It goes on until all that is given has been reached.
///
/// @param kills at least that many kills
/// @param messages at least that many acknowledged messages
/// @param time at least that long
/// @param seed what chance is made from
/// @param durable the server's `storage.durable`
/// @param longestLife the longest time from ready to the end of a life
record NoLossOptions(
    int kills, long messages, Duration time, long seed, boolean durable, Duration longestLife) {
  /// The options that were given on the command line as properties `zonda.no-loss.*`; null if none
  /// was.
  static @Nullable NoLossOptions given() {
    Long minutes = number("minutes");
    Long kills = number("kills");
    Long messages = number("messages");
    if (minutes == null && kills == null && messages == null) {
      return null;
    }
    Long seed = number("seed");
    return new NoLossOptions(
        kills == null ? 1 : Math.toIntExact(kills),
        messages == null ? 0 : messages,
        Duration.ofMinutes(minutes == null ? 0 : minutes),
        seed == null ? System.nanoTime() % 1_000_000 : seed,
        !"false".equals(System.getProperty("zonda.no-loss.durable")),
        Duration.ofSeconds(3));
  }

  /// Whether there are so many starts that quicker ones are worth some seconds.
  boolean isLong() {
    return kills > 20 || messages > 100_000 || time.toMinutes() > 1;
  }

  private static @Nullable Long number(String name) {
    String value = System.getProperty("zonda.no-loss." + name);
    return value == null || value.isEmpty() ? null : Long.valueOf(value);
  }
}
