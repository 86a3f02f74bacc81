package im.zonda.stream;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The parameters with which a connection begins TLS.
///
/// @param side which side of the handshake this server is
/// @param localDomain the domain whose certificate this side presents; null for the certificate
///   that the peer asks for by SNI, or none as the client side
/// @param peerDomain the domain that is asked for by SNI; null as the server side
/// @param protocols the ALPN protocol names that are offered or accepted; empty for no ALPN
/// @param requestsCertificate whether the server side asks the peer for a certificate
public record TlsStart(
    Side side,
    @Nullable String localDomain,
    @Nullable String peerDomain,
    List<String> protocols,
    boolean requestsCertificate) {
  /// A side of a TLS handshake.
  public enum Side {
    CLIENT,
    SERVER
  }

  /// The server side without ALPN, for STARTTLS.
  public static final TlsStart SERVER = server(List.of());

  /// Copies the list.
  public TlsStart {
    protocols = List.copyOf(protocols);
  }

  /// The server side; a peer that offers ALPN must offer one of `protocols`.
  public static TlsStart server(List<String> protocols) {
    return new TlsStart(Side.SERVER, null, null, protocols, false);
  }

  /// The client side, without a certificate of its own.
  public static TlsStart client(String peerDomain, List<String> protocols) {
    return new TlsStart(Side.CLIENT, null, peerDomain, protocols, false);
  }

  /// The same with a certificate of `domain`, if there is one.
  public TlsStart withCertificateOf(String domain) {
    return new TlsStart(side, domain, peerDomain, protocols, requestsCertificate);
  }

  /// The same, and the peer is asked for its certificate.
  public TlsStart requestingCertificate() {
    return new TlsStart(side, localDomain, peerDomain, protocols, true);
  }
}
