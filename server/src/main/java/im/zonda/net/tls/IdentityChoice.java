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

/// Chooses the certificate of a handshake. As the server side: one that names the domain that the
/// peer asks for (SNI), or the host that the domain is a service of; otherwise the first. As the
/// client side: one that names the local domain, or none.
final class IdentityChoice extends X509ExtendedKeyManager {
  private final List<TlsIdentity> identities;

  private final Map<String, String> hosts;
  private final @Nullable String localDomain;

  /// @param hosts the virtual host of each service domain, both as A-labels
  /// @param localDomain the domain as which this side connects, or null
  IdentityChoice(
      List<TlsIdentity> identities, Map<String, String> hosts, @Nullable String localDomain) {
    this.identities = List.copyOf(identities);
    this.hosts = hosts;
    this.localDomain = localDomain;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
    if (engine.getHandshakeSession() instanceof ExtendedSSLSession session) {
      for (SNIServerName name : session.getRequestedServerNames()) {
        if (name instanceof SNIHostName host) {
          String alias = find(host.getAsciiName().toLowerCase(Locale.ROOT), keyType);
          if (alias != null) {
            return alias;
          }
        }
      }
    }
    for (int i = 0; i < identities.size(); i++) {
      if (hasKey(i, keyType)) {
        return Integer.toString(i);
      }
    }
    return null;
  }

  /// The certificate for a domain: one that names it, or else its host.
  private @Nullable String find(String domain, String... keyTypes) {
    String alias = findNamed(domain, keyTypes);
    String host = alias == null ? hosts.get(domain) : null;
    return host == null ? alias : findNamed(host, keyTypes);
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
  public X509Certificate[] getCertificateChain(String alias) {
    return identities.get(Integer.parseInt(alias)).chain().toArray(new X509Certificate[0]);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return identities.get(Integer.parseInt(alias)).key();
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
      String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}
