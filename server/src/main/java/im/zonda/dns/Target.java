package im.zonda.dns;

import java.net.InetAddress;
import java.util.List;

/// A server of a domain.
///
/// @param host its name as A-labels, or its address
/// @param addresses its addresses, at least one
/// @param port its port
/// @param directTls whether the connection begins with TLS (XEP-0368)
/// @param tlsa its TLSA records (RFC 7673), proved by DNSSEC; empty if there are none
public record Target(
    String host, List<InetAddress> addresses, int port, boolean directTls, List<Tlsa> tlsa) {
  /// Copies the lists.
  public Target {
    addresses = List.copyOf(addresses);
    tlsa = List.copyOf(tlsa);
  }

  @Override
  public String toString() {
    return host + ":" + port + (directTls ? " (direct TLS)" : "");
  }
}
