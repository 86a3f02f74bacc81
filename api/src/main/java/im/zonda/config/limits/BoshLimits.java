package im.zonda.config.limits;

import im.zonda.config.annotation.Setting;
import java.time.Duration;

/// Limits of BOSH sessions (XEP-0124). A session holds at most `hold` requests, and its client may
/// have one more of them.
public record BoshLimits(
    @Setting(
            value = "longest time that a request waits for something to answer it with",
            min = 1_000,
            max = 600_000)
        Duration waitTime,
    @Setting(
            value =
                "maximum number of requests of a session that wait; with more than one, a client"
                    + " that has two connections can be unable to send",
            min = 1,
            max = 8)
        int hold,
    @Setting(
            value = "time without a request after which a session ends",
            min = 1_000,
            max = 600_000)
        Duration inactivity,
    @Setting(
            value =
                "shortest time between two empty requests of a session; above it the session ends",
            min = 0,
            max = 60_000)
        Duration polling,
    @Setting(
            value = "longest time without a request that a client may announce",
            min = 1_000,
            max = 3_600_000)
        Duration maxPause) {
  /// The default limits.
  public static final BoshLimits DEFAULTS =
      new BoshLimits(
          Duration.ofSeconds(60),
          1,
          Duration.ofSeconds(45),
          Duration.ofSeconds(2),
          Duration.ofSeconds(120));
}
