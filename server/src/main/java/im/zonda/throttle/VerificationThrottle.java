package im.zonda.throttle;

import im.zonda.session.ClientNetwork;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Bounds the connections that strangers make this server open: each dialback key that a server
/// presents (XEP-0220) costs one to the servers of the domain that it claims, which may be
/// anyone's.
///
/// Bounded are those that are open at a time and those that begin in a time, for each address that
/// presents keys, for each claimed domain, and in all. An address may have at most
/// [#ADDRESS_AT_ONCE] open, and no more than a fourth of those that are still free: strangers with
/// many addresses leave a place for one that has none. Loopback addresses have no bounds of their
/// own: a proxy there stands for many servers.
///
/// The bounds are constants because they limit what others suffer from this server. They leave room
/// for a provider with hundreds of domains at one address: the other server retries rejected
/// checks. Safe for use by several threads.
public final class VerificationThrottle {
  /// The most connections of one address at a time.
  public static final int ADDRESS_AT_ONCE = 16;

  /// The most connections to one domain at a time: one for each local domain of an ordinary server.
  public static final int DOMAIN_AT_ONCE = 8;

  /// The most connections at a time.
  public static final int AT_ONCE = 256;

  /// Connections of one address that may begin in a row; then 5 a second.
  public static final int ADDRESS_BURST = 100;

  /// Connections to one domain that may begin in a row; then one a second.
  public static final int DOMAIN_BURST = 20;

  /// Connections that may begin in a row; then 50 a second.
  public static final int BURST = 1_000;

  private static final Duration ADDRESS_INTERVAL = Duration.ofMillis(200);
  private static final Duration DOMAIN_INTERVAL = Duration.ofSeconds(1);
  private static final Duration INTERVAL = Duration.ofMillis(20);
  private static final int ENTRIES = 4_096;

  private final Map<ClientNetwork, Integer> openOfAddress = new HashMap<>();
  private final Map<String, Integer> openToDomain = new HashMap<>();
  private final DrainingCounts addresses;
  private final DrainingCounts domains;
  private final DrainingCounts all;
  private int open;

  /// @param seed a secret
  public VerificationThrottle(String seed) {
    addresses = new DrainingCounts(ENTRIES, ADDRESS_INTERVAL, seed);
    domains = new DrainingCounts(ENTRIES, DOMAIN_INTERVAL, seed);
    all = new DrainingCounts(1, INTERVAL, seed);
  }

  /// Takes a connection; false if it must not be opened. A connection that was taken must be given
  /// back by [#release].
  ///
  /// @param address the server that presents the key
  /// @param domain the domain whose servers are to be asked
  /// @param now milliseconds since 1970
  public synchronized boolean acquire(InetAddress address, String domain, long now) {
    ClientNetwork network = ClientNetwork.of(address);
    long allKey = all.keyOf("");
    long domainKey = domains.keyOf(domain);
    long addressKey = addresses.keyOf(network.toString());
    boolean bounded = !address.isLoopbackAddress();
    if (open >= AT_ONCE
        || openToDomain.getOrDefault(domain, 0) >= DOMAIN_AT_ONCE
        || all.get(allKey, now) > BURST - 1
        || domains.get(domainKey, now) > DOMAIN_BURST - 1
        || (bounded
            && (openOfAddress.getOrDefault(network, 0) >= mostOfAddress()
                || addresses.get(addressKey, now) > ADDRESS_BURST - 1))) {
      return false;
    }
    open++;
    openToDomain.merge(domain, 1, Integer::sum);
    all.add(allKey, 1, BURST, now);
    domains.add(domainKey, 1, DOMAIN_BURST, now);
    if (bounded) {
      openOfAddress.merge(network, 1, Integer::sum);
      addresses.add(addressKey, 1, ADDRESS_BURST, now);
    }
    return true;
  }

  private int mostOfAddress() {
    return Math.clamp((AT_ONCE - open) / 4, 1, ADDRESS_AT_ONCE);
  }

  /// Gives back a connection that was taken.
  public synchronized void release(InetAddress address, String domain) {
    open--;
    openToDomain.computeIfPresent(domain, (key, count) -> count == 1 ? null : count - 1);
    if (!address.isLoopbackAddress()) {
      openOfAddress.computeIfPresent(
          ClientNetwork.of(address), (key, count) -> count == 1 ? null : count - 1);
    }
  }
}
