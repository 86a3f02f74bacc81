package im.zonda.throttle;

import im.zonda.session.ClientNetwork;
import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// Counts the connections of each address. Neighbours in one IPv6 /64 count as one, because a
/// single customer has that many addresses.
public final class AddressLimit {
  private final int limit;
  private final ConcurrentMap<ClientNetwork, Integer> connections = new ConcurrentHashMap<>();

  /// At most `limit` connections of an address; 0 is no limit.
  public AddressLimit(int limit) {
    this.limit = limit;
  }

  /// Counts a connection; false, and not counted, if there are enough already.
  public boolean enter(InetAddress address) {
    if (limit <= 0) {
      return true;
    }
    boolean[] entered = new boolean[1];
    connections.compute(
        ClientNetwork.of(address),
        (key, count) -> {
          int before = count == null ? 0 : count;
          entered[0] = before < limit;
          return entered[0] ? before + 1 : before;
        });
    return entered[0];
  }

  /// A counted connection has ended.
  public void leave(InetAddress address) {
    if (limit > 0) {
      connections.computeIfPresent(
          ClientNetwork.of(address), (key, count) -> count <= 1 ? null : count - 1);
    }
  }

  /// The number of addresses with a connection.
  int addresses() {
    return connections.size();
  }
}
