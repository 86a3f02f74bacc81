package im.zonda.net.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// Chooses the certificate of a handshake by the name that the client asks for (SNI); the first one
/// if no certificate has that name or the client asks for none.
final class IdentityChoice extends X509ExtendedKeyManager {
  private final List<TlsIdentity> identities;

  IdentityChoice(List<TlsIdentity> identities) {
    this.identities = List.copyOf(identities);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
    if (engine.getHandshakeSession() instanceof ExtendedSSLSession session) {
      for (SNIServerName name : session.getRequestedServerNames()) {
        if (name instanceof SNIHostName host) {
          for (int i = 0; i < identities.size(); i++) {
            if (hasKey(i, keyType) && identities.get(i).names(host.getAsciiName())) {
              return Integer.toString(i);
            }
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
