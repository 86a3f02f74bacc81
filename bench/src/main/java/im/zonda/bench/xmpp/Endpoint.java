package im.zonda.bench.xmpp;

import java.net.InetSocketAddress;

/// Where and how a client connects.
///
/// @param address the address of the server, or of an edge of it
/// @param domain the virtual host
/// @param transport what carries the stream
/// @param security the encryption
public record Endpoint(
    InetSocketAddress address, String domain, Transport transport, Security security) {
  /// What carries a stream.
  public enum Transport {
    /// A socket of its own (RFC 6120).
    TCP,
    /// A WebSocket (RFC 7395).
    WEBSOCKET,
    /// Requests of HTTP (XEP-0124, XEP-0206).
    BOSH
  }

  /// The encryption of a connection. Certificates are not checked.
  public enum Security {
    /// None.
    NONE,
    /// After the stream has begun (RFC 6120, section 5); only with [Transport#TCP].
    STARTTLS,
    /// From the first byte on.
    TLS
  }
}
