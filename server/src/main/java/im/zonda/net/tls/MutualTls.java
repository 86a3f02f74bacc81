package im.zonda.net.tls;

import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.concurrent.Executor;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/// TLS 1.3 between processes of one administrator: each side presents a certificate of an authority
/// of their own and trusts no other. Any thread may call.
public final class MutualTls {
  private static final int HANDSHAKE_MILLIS = 10_000;

  /// The side that connects tries again sooner: clients wait for it.
  private static final int CONNECTING_MILLIS = 3_000;

  private static final char[] NO_PASSWORD = {};

  private final SSLContext context;

  private MutualTls(SSLContext context) {
    this.context = context;
  }

  /// Reads certificate, key and authority.
  ///
  /// @param own this process's certificate
  /// @param authority PEM file with the certificate of the authority
  /// @throws IOException with a sentence for the administrator if a file cannot be used
  public static MutualTls load(PemFiles own, Path authority) throws IOException {
    TlsIdentity identity = TlsIdentity.load(own);
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      store.setKeyEntry(
          "own", identity.key(), NO_PASSWORD, identity.chain().toArray(Certificate[]::new));
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, NO_PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), new TrustManager[] {FileTrust.load(authority)}, null);
      return new MutualTls(context);
    } catch (GeneralSecurityException e) {
      throw new IOException("the certificate in " + own.certificate() + " cannot be used", e);
    }
  }

  /// For connections that are not made here.
  public SSLContext context() {
    return context;
  }

  /// The side that accepts a connection.
  ///
  /// @param tasks runs the expensive steps of the handshake
  public SslHandler server(Executor tasks) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(false);
    engine.setNeedClientAuth(true);
    return handler(engine, tasks);
  }

  /// The side that connects; the other's certificate must name `host`.
  ///
  /// @param tasks runs the expensive steps of the handshake
  public SslHandler client(String host, int port, Executor tasks) {
    SSLEngine engine = context.createSSLEngine(host, port);
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    engine.setSSLParameters(parameters);
    SslHandler handler = handler(engine, tasks);
    handler.setHandshakeTimeoutMillis(CONNECTING_MILLIS);
    return handler;
  }

  private static SslHandler handler(SSLEngine engine, Executor tasks) {
    engine.setEnabledProtocols(new String[] {"TLSv1.3"});
    SslHandler handler = new SslHandler(engine, tasks);
    handler.setHandshakeTimeoutMillis(HANDSHAKE_MILLIS);
    return handler;
  }

  /// The name of the other side in its certificate; null before the handshake.
  public static @Nullable String peer(SslHandler handler) {
    try {
      Certificate[] chain = handler.engine().getSession().getPeerCertificates();
      return chain.length > 0 && chain[0] instanceof X509Certificate certificate
          ? certificate.getSubjectX500Principal().getName()
          : null;
    } catch (SSLPeerUnverifiedException e) {
      return null;
    }
  }
}
