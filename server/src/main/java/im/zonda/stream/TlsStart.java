package im.zonda.stream;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The parameters with which a connection begins TLS.
///
/// @param side which side of the handshake this server is
/// @param localDomain the domain whose certificate this side presents; null for the certificate
///   that the peer asks for by SNI, or none as the client side
/// @param peerDomain the domain that is asked for by SNI; null as the server side
/// @param protocols the ALPN protocol names that are offered or accepted; empty for no ALPN
/// @param requestsCertificate whether the server side asks the peer for a certificate
/// @param requestedFor whether the server side asks a peer that wants the domain (SNI); null if
///   that does not depend on the domain
public record TlsStart(
    Side side,
    @Nullable String localDomain,
    @Nullable String peerDomain,
    List<String> protocols,
    boolean requestsCertificate,
    @Nullable Predicate<String> requestedFor) {
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
    return new TlsStart(Side.SERVER, null, null, protocols, false, null);
  }

  /// The client side, without a certificate of its own.
  public static TlsStart client(String peerDomain, List<String> protocols) {
    return new TlsStart(Side.CLIENT, null, peerDomain, protocols, false, null);
  }

  /// The same with a certificate of `domain`, if there is one.
  public TlsStart withCertificateOf(String domain) {
    return new TlsStart(side, domain, peerDomain, protocols, requestsCertificate, requestedFor);
  }

  /// The same, and the peer is asked for its certificate.
  public TlsStart requestingCertificate() {
    return new TlsStart(side, localDomain, peerDomain, protocols, true, null);
  }

  /// The same, and the peer is asked for its certificate if it wants one of those domains, which
  /// are as SNI names them: A-labels.
  public TlsStart requestingCertificateFor(Predicate<String> domains) {
    return new TlsStart(side, localDomain, peerDomain, protocols, false, domains);
  }

  /// How TLS begins with a peer that wants that domain (SNI), or names none.
  public TlsStart wanting(@Nullable String domain) {
    Predicate<String> domains = requestedFor;
    boolean requests =
        domains == null ? requestsCertificate : domain != null && domains.test(domain);
    return new TlsStart(side, localDomain, peerDomain, protocols, requests, null);
  }
}
