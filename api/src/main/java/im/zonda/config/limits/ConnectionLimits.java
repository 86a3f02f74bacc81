package im.zonda.config.limits;

import im.zonda.config.annotation.Setting;

/// Limits for accepting connections. Limits per address apply to its network: an IPv4 address, or
/// the /64 of an IPv6 address.
public record ConnectionLimits(
    @Setting(
            value =
                "new connections per second that one IP address may make on average; 0"
                    + " is no limit. Loopback addresses are not limited",
            max = 1_000_000)
        int rate,
    @Setting(
            value =
                "new connections that one IP address may make at once before the rate" + " applies",
            min = 1,
            max = 10_000_000)
        int burst,
    @Setting(
            value =
                "maximum number of connections that have not authenticated; above it"
                    + " the newest connection of the address with the most of them is closed",
            min = 16,
            max = 10_000_000)
        int unauthenticated) {
  /// The default limits.
  public static final ConnectionLimits DEFAULTS = new ConnectionLimits(100, 3_000, 10_000);
}
