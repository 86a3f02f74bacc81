package im.zonda.net;

import im.zonda.module.Scheduler;
import im.zonda.module.Xep;
import im.zonda.timer.PeriodicTask;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The server's certificates, as they are on disk: [#watch] takes up new ones while connections go
/// on. TLS 1.2 and 1.3, with authenticated encryption and forward secrecy only.
@Xep(
    number = 368,
    version = "1.1.0",
    title = "SRV records for XMPP over TLS",
    note = "The server's side: direct TLS with ALPN")
public final class Certificates {
  private static final Logger LOG = LoggerFactory.getLogger(Certificates.class);
  private static final String ALPN_CLIENT = "xmpp-client";
  private static final int SESSION_CACHE = 10_240;
  private static final int SESSION_SECONDS = 3_600;

  /// Read by Java's TLS when it is first used.
  private static final String NO_RENEGOTIATION = "jdk.tls.rejectClientInitiatedRenegotiation";

  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};
  private static final String[] CIPHER_SUITES = {
    "TLS_AES_128_GCM_SHA256",
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
  };

  private final List<PemFiles> files;
  private final InstantSource clock;
  private volatile SSLContext current;
  private List<PemFiles.Version> versions;
  private Scheduler.@Nullable Cancellable watch;
  private boolean closed;

  /// Loads certificates. The first one is for clients that name no host or an unknown one.
  ///
  /// @throws IOException with a sentence for the administrator if one cannot be used
  public Certificates(List<PemFiles> files, InstantSource clock) throws IOException {
    this.files = List.copyOf(files);
    this.clock = clock;
    System.setProperty(NO_RENEGOTIATION, "true");
    this.versions = versions();
    List<TlsIdentity> identities = load();
    for (TlsIdentity identity : identities) {
      if (identity.endedBy(clock.instant())) {
        LOG.atWarn()
            .addKeyValue("names", identity.names())
            .addKeyValue("ended", identity.leaf().getNotAfter().toInstant())
            .log("certificate_ended");
      }
    }
    this.current = context(identities);
  }

  /// Looks for new files every so often and takes them up. Files that cannot be used are reported
  /// and leave the old certificates in force.
  ///
  /// @param blocking runs what may block
  public synchronized void watch(Scheduler scheduler, Executor blocking, Duration every) {
    if (closed) {
      return;
    }
    watch = PeriodicTask.start(scheduler, every, every, blocking, this::reloadIfChanged);
  }

  /// Ends the watch.
  public synchronized void close() {
    closed = true;
    if (watch != null) {
      watch.cancel();
    }
  }

  /// Takes up new files if there are any; returns whether it did.
  synchronized boolean reloadIfChanged() {
    try {
      List<PemFiles.Version> found = versions();
      if (found.equals(versions)) {
        return false;
      }
      // Remembered also if they are no good, so that each version is complained about once.
      versions = found;
      List<TlsIdentity> identities = load();
      for (TlsIdentity identity : identities) {
        if (identity.endedBy(clock.instant())) {
          throw new IOException(
              "the new certificate ended on " + identity.leaf().getNotAfter().toInstant());
        }
      }
      current = context(identities);
      LOG.atInfo().addKeyValue("certificates", identities.size()).log("certificates_reloaded");
      return true;
    } catch (IOException e) {
      LOG.atError().setCause(e).log("certificates_not_reloaded");
      return false;
    }
  }

  /// A server's engine for one connection. `alpn`: the client must mean XMPP if it says what it
  /// means (XEP-0368).
  SSLEngine engine(boolean alpn) {
    SSLEngine engine = current.createSSLEngine();
    engine.setUseClientMode(false);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(PROTOCOLS);
    parameters.setCipherSuites(CIPHER_SUITES);
    parameters.setUseCipherSuitesOrder(true);
    if (alpn) {
      parameters.setApplicationProtocols(new String[] {ALPN_CLIENT});
    }
    engine.setSSLParameters(parameters);
    return engine;
  }

  private List<PemFiles.Version> versions() throws IOException {
    List<PemFiles.Version> found = new ArrayList<>();
    for (PemFiles pair : files) {
      found.add(pair.version());
    }
    return found;
  }

  private List<TlsIdentity> load() throws IOException {
    List<TlsIdentity> identities = new ArrayList<>();
    for (PemFiles pair : files) {
      identities.add(TlsIdentity.load(pair));
    }
    return identities;
  }

  private static SSLContext context(List<TlsIdentity> identities) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {new IdentityChoice(identities)}, new TrustManager[0], null);
      context.getServerSessionContext().setSessionCacheSize(SESSION_CACHE);
      context.getServerSessionContext().setSessionTimeout(SESSION_SECONDS);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no TLS", e);
    }
  }
}
