package im.zonda.session;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/// The network of one subscriber: a single IPv4 address, or the /64 of an IPv6 address. Limits per
/// address apply to the network.
///
/// @param version6 whether it is an IPv6 network
/// @param prefix the IPv4 address, or the first 64 bits of the IPv6 address
public record ClientNetwork(boolean version6, long prefix) {
  /// Bytes 8 to 11 of an IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2). A socket may report
  /// an IPv4 peer as such.
  private static final int MAPPED = 0xffff;

  /// The network of an address.
  public static ClientNetwork of(InetAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    if (!(address instanceof Inet6Address)) {
      return new ClientNetwork(false, bytes.getInt());
    }
    long prefix = bytes.getLong();
    return prefix == 0 && bytes.getInt() == MAPPED
        ? new ClientNetwork(false, bytes.getInt())
        : new ClientNetwork(true, prefix);
  }

  /// The network as text, for [#parse].
  public String text() {
    return (version6 ? "6-" : "4-") + Long.toHexString(prefix);
  }

  /// Reads what [#text] has written.
  ///
  /// @throws IllegalArgumentException if it is something else
  public static ClientNetwork parse(String text) {
    boolean version6 = text.startsWith("6-");
    if (!version6 && !text.startsWith("4-")) {
      throw new IllegalArgumentException("not a network: " + text);
    }
    ClientNetwork network =
        new ClientNetwork(version6, Long.parseUnsignedLong(text.substring(2), 16));
    if (!network.text().equals(text)) {
      throw new IllegalArgumentException("not a network as it is written: " + text);
    }
    return network;
  }
}
