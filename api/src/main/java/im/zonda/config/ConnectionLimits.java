package im.zonda.config;

/// How many connections are accepted. An address stands for its network: IPv4 as it is, IPv6 by its
/// /64.
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
  /// The limits when nothing is configured.
  public static final ConnectionLimits DEFAULTS = new ConnectionLimits(100, 3_000, 10_000);
}
