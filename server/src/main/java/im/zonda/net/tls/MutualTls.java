package im.zonda.net.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/// TLS between processes that know each other by a certificate authority of their own: who presents
/// a certificate of the authority is trusted, whatever name it has.
public final class MutualTls {
  private MutualTls() {}

  /// A context with this process's certificate, which trusts the authorities of a file and no
  /// others. Files that are replaced later are not read again.
  ///
  /// @param trust PEM file with the authorities
  /// @throws IOException with a sentence for the administrator if the files cannot be used
  public static SSLContext context(PemFiles files, Path trust) throws IOException {
    TlsIdentity identity = TlsIdentity.load(files);
    TrustManager[] authorities = {FileTrust.load(trust)};
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      char[] noPassword = {};
      store.setKeyEntry(
          "node", identity.key(), noPassword, identity.chain().toArray(Certificate[]::new));
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, noPassword);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), authorities, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("the certificate in " + files.certificate() + " cannot be used", e);
    }
  }
}
