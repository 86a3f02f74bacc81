package im.zonda.throttle;

import im.zonda.config.limits.ConnectionLimits;
import im.zonda.session.ClientNetwork;
import java.net.InetAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Decides whether a new connection is accepted: by how many its address has made recently, and by
/// how many logins from there have failed, and whether an administrator has banned it.
///
/// Addresses of the machine itself are always accepted: what listens there may stand for many
/// clients, such as a proxy. Failed logins delay them all the same ([LoginThrottle]). Safe for use
/// by several threads.
public final class ConnectionThrottle {
  /// Why a connection is not accepted.
  public enum Refusal {
    /// Its address has made too many in a short time.
    RATE,
    /// An administrator has banned its address.
    BANNED,
    /// Logins from its address fail far too often.
    FAILED_LOGINS,
    /// Its address has too many.
    NUMBER,
    /// Too many connections have not authenticated, and its address has the most of them.
    UNAUTHENTICATED,
    /// It does not begin with the header of the PROXY protocol, or does not come from a proxy.
    PROXY_HEADER
  }

  private final ConnectionLimits limits;
  private final LoginThrottle logins;
  private final @Nullable DrainingCounts recent;

  /// @param entries how many addresses are counted at a time
  /// @param seed a secret
  public ConnectionThrottle(
      ConnectionLimits limits, LoginThrottle logins, int entries, String seed) {
    this.limits = limits;
    this.logins = logins;
    this.recent =
        limits.rate() == 0
            ? null
            : new DrainingCounts(entries, Duration.ofSeconds(1).dividedBy(limits.rate()), seed);
  }

  /// Counts a connection; returns why it must be closed, or null.
  ///
  /// @param now milliseconds of a clock that only goes forward
  public @Nullable Refusal countConnection(InetAddress address, long now) {
    if (address.isLoopbackAddress()) {
      return null;
    }
    if (isBanned(address)) {
      return Refusal.BANNED;
    }
    ClientNetwork network = ClientNetwork.of(address);
    if (logins.blocks(network)) {
      return Refusal.FAILED_LOGINS;
    }
    return recent == null || isWithinRate(recent, network, now) ? null : Refusal.RATE;
  }

  /// Whether an administrator has banned the address.
  public boolean isBanned(InetAddress address) {
    return logins.banned().contains(address);
  }

  private synchronized boolean isWithinRate(
      DrainingCounts counts, ClientNetwork network, long now) {
    long key = counts.keyOf(network.toString());
    if (counts.get(key, now) > limits.burst() - 1) {
      return false;
    }
    counts.add(key, 1, limits.burst(), now);
    return true;
  }
}
