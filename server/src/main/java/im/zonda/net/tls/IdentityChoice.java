package im.zonda.net.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// Chooses the certificate of a handshake. As the server side: that of the host that the peer asks
/// for (SNI), if it has one to itself; otherwise one that names the domain that the peer asks for
/// (SNI), or the host that the domain is a service of. If there are such certificates and the peer
/// cannot verify their keys, it gets none rather than another host's (RFC 6066, section 3). If
/// there are none, the first one that hosts share. As the client side: one that names the local
/// domain, or none.
///
/// Java asks for one kind of key after another, in the peer's order, until one is chosen.
final class IdentityChoice extends X509ExtendedKeyManager {
  /// The certificates, and which domains they are for. All domains are A-labels.
  ///
  /// @param identities the certificates
  /// @param hosts the virtual host of each service domain
  /// @param own the index of the certificate of each host that has one to itself
  /// @param challenges what is presented to a certificate authority that asks for proofs
  record Table(
      List<TlsIdentity> identities,
      Map<String, String> hosts,
      Map<String, Integer> own,
      ChallengeCertificates challenges) {
    /// Copies the collections.
    Table {
      identities = List.copyOf(identities);
      hosts = Map.copyOf(hosts);
      own = Map.copyOf(own);
    }
  }

  /// The start of the aliases of proofs for a certificate authority.
  private static final String CHALLENGE = "challenge ";

  private final List<TlsIdentity> identities;
  private final Map<String, String> hosts;
  private final Map<String, Integer> own;
  private final ChallengeCertificates challenges;
  private final @Nullable String localDomain;

  /// @param localDomain the domain as which this side connects, or null
  IdentityChoice(Table table, @Nullable String localDomain) {
    this.identities = table.identities();
    this.hosts = table.hosts();
    this.own = table.own();
    this.challenges = table.challenges();
    this.localDomain = localDomain;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
    return choose(
        keyType,
        ChallengeCertificates.PROTOCOL.equals(engine.getHandshakeApplicationProtocol()),
        engine.getHandshakeSession());
  }

  private @Nullable String choose(
      String keyType, boolean challenged, @Nullable SSLSession handshake) {
    if (handshake instanceof ExtendedSSLSession session) {
      for (SNIServerName name : session.getRequestedServerNames()) {
        if (name instanceof SNIHostName host) {
          String domain = host.getAsciiName().toLowerCase(Locale.ROOT);
          if (challenged) {
            TlsIdentity proof = challenges.find(domain);
            boolean fits = proof != null && proof.key().getAlgorithm().equals(keyType);
            return fits ? CHALLENGE + domain : null;
          }
          return alias(candidates(domain), keyType);
        }
      }
    }
    return challenged ? null : alias(shared(), keyType);
  }

  /// The certificates that may be presented to a peer that asks for a domain, the best first.
  private int[] candidates(String domain) {
    int[] found = findAll(domain);
    String host = found.length == 0 ? hosts.get(domain) : null;
    found = host == null ? found : findAll(host);
    return found.length == 0 ? shared() : found;
  }

  /// The certificate that the domain has to itself, or those that name it.
  private int[] findAll(String domain) {
    Integer only = own.get(domain);
    return only != null
        ? new int[] {only}
        : all().filter(i -> identities.get(i).names().cover(domain)).toArray();
  }

  /// The certificates that no host has to itself; all if there are none.
  private int[] shared() {
    int[] shared = all().filter(i -> !own.containsValue(i)).toArray();
    return shared.length == 0 ? all().toArray() : shared;
  }

  private IntStream all() {
    return IntStream.range(0, identities.size());
  }

  private @Nullable String alias(int[] candidates, String... keyTypes) {
    for (int candidate : candidates) {
      for (String keyType : keyTypes) {
        if (identities.get(candidate).key().getAlgorithm().equals(keyType)) {
          return Integer.toString(candidate);
        }
      }
    }
    return null;
  }

  /// The certificate that names the local domain, or its host's; null if there is none.
  private @Nullable String find(String... keyTypes) {
    String domain = localDomain;
    if (domain == null) {
      return null;
    }
    String alias = alias(findAll(domain), keyTypes);
    String host = alias == null ? hosts.get(domain) : null;
    return host == null ? alias : alias(findAll(host), keyTypes);
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
    return find(keyTypes);
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    TlsIdentity identity = identity(alias);
    return identity == null ? null : identity.chain().toArray(new X509Certificate[0]);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    TlsIdentity identity = identity(alias);
    return identity == null ? null : identity.key();
  }

  /// The certificate of an alias; null if it was for a challenge that has ended meanwhile.
  private @Nullable TlsIdentity identity(String alias) {
    return alias.startsWith(CHALLENGE)
        ? challenges.find(alias.substring(CHALLENGE.length()))
        : identities.get(Integer.parseInt(alias));
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return socket instanceof SSLSocket tls
        ? choose(keyType, false, tls.getHandshakeSession())
        : null;
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return find(keyTypes);
  }
}
