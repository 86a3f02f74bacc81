package im.zonda.net;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// Counts the connections of each address. Neighbours in one IPv6 /64 count as one, because a
/// single customer has that many addresses.
final class AddressLimit {
  private static final int PREFIX_BYTES = 8;

  private final int limit;
  private final ConcurrentMap<Key, Integer> connections = new ConcurrentHashMap<>();

  /// The network whose connections count together. A record compares arrays by identity, hence the
  /// two numbers.
  record Key(boolean version6, long prefix) {
    static Key of(InetAddress address) {
      byte[] bytes = address.getAddress();
      if (address instanceof Inet6Address) {
        bytes = Arrays.copyOf(bytes, PREFIX_BYTES);
      }
      long prefix = 0;
      for (byte part : bytes) {
        prefix = prefix << 8 | (part & 0xff);
      }
      return new Key(address instanceof Inet6Address, prefix);
    }
  }

  /// At most `limit` connections of an address; 0 is no limit.
  AddressLimit(int limit) {
    this.limit = limit;
  }

  /// Counts a connection; false, and not counted, if there are enough already.
  boolean enter(InetAddress address) {
    if (limit <= 0) {
      return true;
    }
    boolean[] entered = new boolean[1];
    connections.compute(
        Key.of(address),
        (key, count) -> {
          int before = count == null ? 0 : count;
          entered[0] = before < limit;
          return entered[0] ? before + 1 : before;
        });
    return entered[0];
  }

  /// A counted connection has ended.
  void leave(InetAddress address) {
    if (limit > 0) {
      connections.computeIfPresent(Key.of(address), (key, count) -> count <= 1 ? null : count - 1);
    }
  }

  /// The number of addresses with a connection.
  int addresses() {
    return connections.size();
  }
}
