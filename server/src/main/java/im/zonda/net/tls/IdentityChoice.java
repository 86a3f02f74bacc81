package im.zonda.net.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// Chooses the certificate of a handshake. As the server side: that of the host that the peer asks
/// for (SNI), if it has one to itself; otherwise one that names the domain that the peer asks for
/// (SNI), or the host that the domain is a service of; otherwise the first. As the client side: one
/// that names the local domain, or none.
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
    boolean challenged =
        ChallengeCertificates.PROTOCOL.equals(engine.getHandshakeApplicationProtocol());
    if (engine.getHandshakeSession() instanceof ExtendedSSLSession session) {
      for (SNIServerName name : session.getRequestedServerNames()) {
        if (name instanceof SNIHostName host) {
          String domain = host.getAsciiName().toLowerCase(Locale.ROOT);
          if (challenged) {
            TlsIdentity proof = challenges.find(domain);
            boolean fits = proof != null && proof.key().getAlgorithm().equals(keyType);
            return fits ? CHALLENGE + domain : null;
          }
          Integer only = own.get(domain);
          if (only != null) {
            // No other certificate, even if it has a key of this type: another one is tried next.
            return hasKey(only, keyType) ? only.toString() : null;
          }
          String alias = find(domain, keyType);
          if (alias != null) {
            return alias;
          }
        }
      }
    }
    for (int i = 0; i < identities.size() && !challenged; i++) {
      if (hasKey(i, keyType)) {
        return Integer.toString(i);
      }
    }
    return null;
  }

  /// The certificate for a domain: its own, or one that names it, or else its host's.
  private @Nullable String find(String domain, String... keyTypes) {
    String alias = findFor(domain, keyTypes);
    String host = alias == null ? hosts.get(domain) : null;
    return host == null ? alias : findFor(host, keyTypes);
  }

  private @Nullable String findFor(String domain, String... keyTypes) {
    Integer only = own.get(domain);
    for (String keyType : keyTypes) {
      if (only != null && hasKey(only, keyType)) {
        return only.toString();
      }
    }
    return findNamed(domain, keyTypes);
  }

  private @Nullable String findNamed(String domain, String... keyTypes) {
    for (int i = 0; i < identities.size(); i++) {
      for (String keyType : keyTypes) {
        if (hasKey(i, keyType) && identities.get(i).names().cover(domain)) {
          return Integer.toString(i);
        }
      }
    }
    return null;
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
    return localDomain == null ? null : find(localDomain, keyTypes);
  }

  private boolean hasKey(int index, String keyType) {
    return identities.get(index).key().getAlgorithm().equals(keyType);
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
    return null;
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return localDomain == null ? null : find(localDomain, keyTypes);
  }
}
