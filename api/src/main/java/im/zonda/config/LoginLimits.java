package im.zonda.config;

import java.time.Duration;

/// How far passwords can be guessed. An address stands for its network: IPv4 as it is, IPv6 by its
/// /64.
public record LoginLimits(
    @Setting(
            value =
                "failed logins of one address that are not answered late; one more for every four"
                    + " accounts that have logged in from there. For an account that has logged in"
                    + " from the address, its own failed logins there count instead",
            min = 1,
            max = 10_000)
        int freeFailures,
    @Setting(
            value =
                "failed logins of one account before logins to it from addresses that it has not"
                    + " logged in from are answered late",
            min = 1,
            max = 10_000)
        int accountFailures,
    @Setting(
            value = "delay of the first answer that is late; doubles with each failed login",
            min = 1,
            max = 60_000)
        Duration firstDelay,
    @Setting(
            value =
                "the longest delay for an address with failed logins; at most a third of"
                    + " negotiation-time",
            max = 60_000)
        Duration maxDelay,
    @Setting(
            value =
                "the longest delay for an address without failed logins, when others guess at the"
                    + " account",
            max = 60_000)
        Duration maxAccountDelay,
    @Setting(
            value = "logins of one address that may wait for a late answer; more are refused",
            min = 1,
            max = 10_000)
        int delayedLogins,
    @Setting(
            value =
                "failed logins of one address, plus one for each account that has logged in from"
                    + " there, after which its connections are closed at once; 0 is never",
            max = 1_000_000)
        int blockAfter,
    @Setting(
            value = "time after which one failed login is forgotten",
            min = 1_000,
            max = 86_400_000)
        Duration forgetAfter,
    @Setting(
            value =
                "passwords that wait to be checked; past it the address with the most of them is"
                    + " refused",
            min = 1,
            max = 100_000)
        int passwordQueue,
    @Setting(
            value = "addresses, and accounts, whose failed logins are counted at a time",
            min = 1_024,
            max = 16_777_216)
        int entries) {
  /// The limits when nothing is configured.
  public static final LoginLimits DEFAULTS =
      new LoginLimits(
          3,
          10,
          Duration.ofMillis(500),
          Duration.ofSeconds(10),
          Duration.ofSeconds(4),
          8,
          50,
          Duration.ofSeconds(30),
          1_000,
          16_384);
}
