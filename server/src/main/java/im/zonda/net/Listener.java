package im.zonda.net;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/// Where client connections are accepted, and how they begin.
///
/// @param kind how connections begin
/// @param address the address; port 0 takes any free one
public record Listener(Kind kind, InetSocketAddress address) {
  /// How a connection begins.
  public enum Kind {
    /// In the clear; TLS follows by STARTTLS (RFC 6120, section 5).
    STARTTLS,
    /// With TLS (XEP-0368).
    DIRECT_TLS
  }

  /// Reads `address:port`, with an IPv6 address in brackets.
  ///
  /// @throws IllegalArgumentException with a sentence for the administrator
  public static Listener parse(Kind kind, String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    if (host.isEmpty() || (host.indexOf(':') >= 0 && !bracketed)) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not address:port, such as 0.0.0.0:5222 or [::]:5222");
    }
    if (bracketed) {
      host = host.substring(1, host.length() - 1);
    }
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      return new Listener(kind, new InetSocketAddress(InetAddress.getByName(host), port));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("\"" + text + "\" has no port from 0 to 65535", e);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("\"" + host + "\" is no address of a machine", e);
    }
  }

  @Override
  public String toString() {
    String host =
        switch (address.getAddress().getHostAddress()) {
          case "0:0:0:0:0:0:0:1" -> "::1";
          case "0:0:0:0:0:0:0:0" -> "::";
          case String other -> other;
        };
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
  }
}
