package im.zonda.config.limits;

import im.zonda.config.annotation.Setting;
import java.time.Duration;

/// Limits for guessing passwords. Limits per address apply to its network: an IPv4 address, or the
/// /64 of an IPv6 address.
public record LoginLimits(
    @Setting(
            value =
                "failed logins from one IP address before answers to it are delayed,"
                    + " plus one for every four accounts that have logged in from that"
                    + " address. For an account that has logged in from the address, only its"
                    + " own failed logins from there count",
            min = 1,
            max = 10_000)
        int freeFailures,
    @Setting(
            value =
                "failed logins to one account before answers to addresses that it has"
                    + " never logged in from are delayed",
            min = 1,
            max = 10_000)
        int accountFailures,
    @Setting(value = "first delay; doubles with each failed login", min = 1, max = 60_000)
        Duration firstDelay,
    @Setting(
            value =
                "maximum delay for an address with failed logins; at most a third of"
                    + " negotiation-time",
            max = 60_000)
        Duration maxDelay,
    @Setting(
            value =
                "maximum delay for an address without failed logins while others guess"
                    + " the account's password",
            max = 60_000)
        Duration maxAccountDelay,
    @Setting(
            value =
                "maximum number of logins of one address that wait for a delayed"
                    + " answer; further ones are rejected",
            min = 1,
            max = 10_000)
        int delayedLogins,
    @Setting(
            value =
                "failed logins from one address, plus one for each account that has"
                    + " logged in from there, after which its connections are closed at once;"
                    + " 0 is never",
            max = 1_000_000)
        int blockAfter,
    @Setting(
            value = "time after which one failed login is forgotten",
            min = 1_000,
            max = 86_400_000)
        Duration forgetAfter,
    @Setting(
            value =
                "maximum number of passwords that wait to be checked; above it logins"
                    + " of the address with the most of them are rejected",
            min = 1,
            max = 100_000)
        int passwordQueue,
    @Setting(
            value =
                "maximum number of addresses, and of accounts, whose failed logins are"
                    + " counted",
            min = 1_024,
            max = 16_777_216)
        int entries) {
  /// The default limits.
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
