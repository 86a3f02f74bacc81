package im.zonda.net;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// The certificate of a client, or none; notices whether the client is asked for one.
final class ClientKeys extends X509ExtendedKeyManager {
  private static final String ALIAS = "own";

  private final @Nullable PrivateKey key;
  private final X509Certificate[] chain;
  volatile boolean isAsked;

  /// A client without a certificate.
  ClientKeys() {
    this(null);
  }

  ClientKeys(@Nullable PrivateKey key, X509Certificate... chain) {
    this.key = key;
    this.chain = chain.clone();
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
    isAsked = true;
    return key == null ? null : ALIAS;
  }

  @Override
  public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return chain.clone();
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return key;
  }
}
