package im.zonda.config;

/// How many connections are accepted. An address stands for its network: IPv4 as it is, IPv6 by its
/// /64.
public record ConnectionLimits(
    @Setting(
            value =
                "connections a second that one address may make in the long run; 0 is no limit."
                    + " Addresses of the machine itself may make any number",
            max = 1_000_000)
        int rate,
    @Setting(
            value = "connections that one address may make at once before the rate applies",
            min = 1,
            max = 10_000_000)
        int burst,
    @Setting(
            value =
                "connections of all addresses that have not authenticated; past it the newest of"
                    + " the address with the most of them is closed",
            min = 16,
            max = 10_000_000)
        int unauthenticated) {
  /// The limits when nothing is configured.
  public static final ConnectionLimits DEFAULTS = new ConnectionLimits(100, 3_000, 10_000);
}
