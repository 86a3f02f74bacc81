package im.zonda.net.tls;

import im.zonda.runtime.ServerRuntime;
import im.zonda.timer.PeriodicTask;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// TLS 1.3 between processes of one administrator: each side presents a certificate of an authority
/// of their own and trusts no other. [#watch] takes up new files for new connections. Any thread
/// may call.
public final class MutualTls {
  private static final Logger LOG = LoggerFactory.getLogger(MutualTls.class);
  private static final int HANDSHAKE_MILLIS = 10_000;

  /// The side that connects tries again sooner: clients wait for it.
  private static final int CONNECTING_MILLIS = 3_000;

  private static final char[] NO_PASSWORD = {};

  private final PemFiles own;
  private final Path authority;
  private volatile SSLContext context;

  /// Of the files that were read last, whether or not they could be used.
  private List<Object> version; // guarded by this

  private MutualTls(PemFiles own, Path authority) throws IOException {
    this.own = own;
    this.authority = authority;
    this.version = version(own, authority);
    this.context = read(own, authority);
  }

  /// Reads certificate, key and authority.
  ///
  /// @param own this process's certificate
  /// @param authority PEM file with the certificate of the authority
  /// @throws IOException with a sentence for the administrator if a file cannot be used
  public static MutualTls load(PemFiles own, Path authority) throws IOException {
    return new MutualTls(own, authority);
  }

  /// Looks at the files from time to time, until the timers end.
  public void watch(ServerRuntime runtime, Duration every) {
    PeriodicTask.start(runtime.scheduler(), every, every, runtime.workers(), this::reloadIfChanged);
  }

  /// Reads the files again if they have changed. If they cannot be used, what was read before
  /// stays. Blocks.
  ///
  /// @return whether new connections use other files
  public synchronized boolean reloadIfChanged() {
    try {
      List<Object> found = version(own, authority);
      if (found.equals(version)) {
        return false;
      }
      version = found; // each version is complained about once
      context = read(own, authority);
      LOG.atInfo().addKeyValue("certificate", own.certificate()).log("certificates_reloaded");
      return true;
    } catch (IOException e) {
      LOG.atError().setCause(e).log("certificates_not_reloaded");
      return false;
    }
  }

  private static List<Object> version(PemFiles own, Path authority) throws IOException {
    return List.of(own.version(), Files.getLastModifiedTime(authority), Files.size(authority));
  }

  private static SSLContext read(PemFiles own, Path authority) throws IOException {
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
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("the certificate in " + own.certificate() + " cannot be used", e);
    }
  }

  /// For connections that are not made here; does not change with the files.
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
