package im.zonda.app.doctor;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;

/// The addresses of this machine that machines of other networks can reach.
public final class OwnAddresses {
  private OwnAddresses() {}

  /// Those of all network interfaces; empty if there are private ones only.
  ///
  /// @throws SocketException if the interfaces cannot be listed
  static List<InetAddress> find() throws SocketException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(OwnAddresses::isPublic)
        .sorted((one, other) -> one.getHostAddress().compareTo(other.getHostAddress()))
        .toList();
  }

  /// Whether this machine has private addresses only, so that a router is between it and others.
  ///
  /// @throws SocketException if the interfaces cannot be listed
  public static boolean areOnlyPrivate() throws SocketException {
    return find().isEmpty();
  }

  /// Whether machines of other networks can reach an address.
  public static boolean isPublic(InetAddress address) {
    if (address.isLoopbackAddress()
        || address.isAnyLocalAddress()
        || address.isLinkLocalAddress()
        || address.isSiteLocalAddress()
        || address.isMulticastAddress()) {
      return false;
    }
    byte[] bytes = address.getAddress();
    return address instanceof Inet4Address
        ? !((bytes[0] & 0xff) == 100 && (bytes[1] & 0xc0) == 64) // RFC 6598
        : (bytes[0] & 0xfe) != 0xfc; // RFC 4193
  }
}
