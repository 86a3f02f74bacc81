package im.zonda.net.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/// A set of addresses and networks. Immutable.
public final class AddressRanges {
  /// No address.
  public static final AddressRanges NONE = new AddressRanges(List.of());

  private static final int VERSION_6_BYTES = 16;

  /// Where the IPv4 address begins in an IPv4-mapped one (RFC 4291, section 2.5.5.2).
  private static final int MAPPED_BYTES = 12;

  private final List<Network> networks;

  /// A range of addresses.
  @SuppressWarnings("ArrayRecordComponent") // never changed, never compared
  private record Network(byte[] address, int bits) {
    private boolean contains(byte[] other) {
      if (other.length != address.length) {
        return false;
      }
      for (int i = 0; i < bits; i++) {
        int mask = 0x80 >> (i & 7);
        if (((other[i >> 3] ^ address[i >> 3]) & mask) != 0) {
          return false;
        }
      }
      return true;
    }
  }

  /// @param networks addresses, or networks such as `10.0.0.0/8`
  /// @throws IllegalArgumentException with a sentence for the administrator
  public AddressRanges(List<String> networks) {
    this.networks = networks.stream().map(AddressRanges::network).toList();
  }

  private static Network network(String text) {
    int slash = text.indexOf('/');
    try {
      byte[] address =
          InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash)).getAddress();
      int most = address.length * 8;
      int bits = slash < 0 ? most : Integer.parseInt(text.substring(slash + 1));
      if (bits >= 0 && bits <= most) {
        return new Network(address, bits);
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("\"" + text + "\" is no address or network", e);
    }
    throw new IllegalArgumentException("\"" + text + "\" is no address or network");
  }

  /// Whether an address is in one of the ranges. An IPv4-mapped IPv6 address, as some sockets
  /// report IPv4 peers, counts as the IPv4 address.
  public boolean contains(InetAddress address) {
    if (networks.isEmpty()) {
      return false;
    }
    byte[] bytes = plain(address).getAddress();
    return networks.stream().anyMatch(each -> each.contains(bytes));
  }

  private static InetAddress plain(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length != VERSION_6_BYTES || !isMapped(bytes)) {
      return address;
    }
    try {
      return InetAddress.getByAddress(Arrays.copyOfRange(bytes, MAPPED_BYTES, VERSION_6_BYTES));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are an address", e);
    }
  }

  private static boolean isMapped(byte[] bytes) {
    for (int i = 0; i < MAPPED_BYTES - 2; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return bytes[MAPPED_BYTES - 2] == (byte) 0xff && bytes[MAPPED_BYTES - 1] == (byte) 0xff;
  }
}
