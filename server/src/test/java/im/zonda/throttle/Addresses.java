package im.zonda.throttle;

import java.net.InetAddress;
import java.net.UnknownHostException;

/// Addresses for tests.
final class Addresses {
  private Addresses() {}

  /// The address of a literal.
  static InetAddress address(String literal) {
    try {
      return InetAddress.getByName(literal);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(literal, e);
    }
  }

  /// One of 16 million addresses.
  static InetAddress address(int number) {
    return address(
        "10." + (number >> 16 & 0xff) + "." + (number >> 8 & 0xff) + "." + (number & 0xff));
  }
}
