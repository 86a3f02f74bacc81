package im.zonda.net.tls;

import im.zonda.module.Scheduler;
import im.zonda.module.Xep;
import im.zonda.runtime.ServerRuntime;
import im.zonda.stream.CertificateNames;
import im.zonda.stream.PeerCertificates;
import im.zonda.stream.TlsStart;
import im.zonda.timer.PeriodicTask;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
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

  /// What new connections use.
  ///
  /// @param choice the certificates, and which domains they are for
  /// @param context for connections whose peers are not asked for certificates
  private record Loaded(IdentityChoice.Table choice, SSLContext context) {}

  /// Certificates that have been loaded and checked, and are not used yet.
  public static final class Candidate {
    private final CertificateFiles files;
    private final List<PemFiles.Version> versions;
    private final List<TlsIdentity> identities;

    private Candidate(
        CertificateFiles files, List<PemFiles.Version> versions, List<TlsIdentity> identities) {
      this.files = files;
      this.versions = versions;
      this.identities = identities;
    }
  }

  private final InstantSource clock;
  private final X509TrustManager trust;
  private final ChallengeCertificates challenges = new ChallengeCertificates();
  private volatile Loaded current;

  /// The service domains of each virtual host.
  private Map<String, List<String>> services = Map.of();

  private CertificateFiles files;
  private List<PemFiles.Version> versions;
  private Scheduler.@Nullable Cancellable watch;
  private boolean closed;

  /// Loads certificates. The first one is for clients that name no host or an unknown one.
  ///
  /// @throws IOException with a sentence for the administrator if one cannot be used
  public Certificates(CertificateFiles files, InstantSource clock) throws IOException {
    this(files, clock, (Path) null);
  }

  /// The same with other trusted authorities than the platform's.
  ///
  /// @param authorities PEM file with their certificates; null for those of the platform
  /// @throws IOException with a sentence for the administrator if a file cannot be used
  public Certificates(CertificateFiles files, InstantSource clock, @Nullable Path authorities)
      throws IOException {
    this(files, clock, authorities == null ? new PlatformTrust() : FileTrust.load(authorities));
  }

  /// The same with another trust manager.
  Certificates(CertificateFiles files, InstantSource clock, X509TrustManager trust)
      throws IOException {
    this.files = files;
    this.clock = clock;
    this.trust = trust;
    System.setProperty(NO_RENEGOTIATION, "true");
    this.versions = versions(files);
    List<TlsIdentity> identities = identities(files);
    for (TlsIdentity identity : identities) {
      if (identity.endedBy(clock.instant())) {
        LOG.atWarn()
            .addKeyValue("names", String.join(", ", identity.names().dnsNames()))
            .addKeyValue("ended", identity.leaf().getNotAfter().toInstant())
            .log("certificate_ended");
      }
    }
    this.current = loaded(files, identities, Map.of());
  }

  /// What is presented to a certificate authority that asks for proofs by TLS.
  public ChallengeCertificates challenges() {
    return challenges;
  }

  /// Looks for new files every so often and takes them up. Files that cannot be used are reported
  /// and leave the old certificates in force.
  public synchronized void watch(ServerRuntime runtime, Duration every) {
    if (closed) {
      return;
    }
    watch =
        PeriodicTask.start(
            runtime.scheduler(), every, every, runtime.workers(), this::reloadIfChanged);
  }

  /// Ends the watch.
  public synchronized void close() {
    closed = true;
    if (watch != null) {
      watch.cancel();
    }
  }

  /// Takes up new files if there are any; returns whether it did.
  public synchronized boolean reloadIfChanged() {
    try {
      List<PemFiles.Version> found = versions(files);
      if (found.equals(versions)) {
        return false;
      }
      // Remembered also if they are no good, so that each version is complained about once.
      versions = found;
      List<TlsIdentity> identities = loadValid(files);
      use(identities);
      LOG.atInfo().addKeyValue("certificates", identities.size()).log("certificates_reloaded");
      return true;
    } catch (IOException e) {
      LOG.atError().setCause(e).log("certificates_not_reloaded");
      return false;
    }
  }

  /// Says which domains are services of which host: a peer that asks for one of them gets the
  /// host's certificate. Reports certificates that do not name them, now and whenever files are
  /// reloaded.
  ///
  /// @param newServices the service domains of each virtual host
  public synchronized void serve(Map<String, List<String>> newServices) {
    services = Map.copyOf(newServices);
    use(current.choice().identities());
  }

  /// Loads other certificates, which [#use] puts in the place of the present ones. Blocks.
  ///
  /// @throws IOException with a sentence for the administrator if one cannot be used
  public Candidate load(CertificateFiles other) throws IOException {
    return new Candidate(other, versions(other), loadValid(other));
  }

  /// The present certificates, for a later [#use].
  public synchronized Candidate inUse() {
    return new Candidate(files, versions, current.choice().identities());
  }

  /// Uses other certificates for new connections; existing ones are not disturbed.
  ///
  /// @param newServices the service domains of each virtual host
  /// @return whether a file that was in use has another content
  public synchronized boolean use(Candidate candidate, Map<String, List<String>> newServices) {
    boolean same =
        candidate.files.equals(files)
            && candidate.versions.equals(versions)
            && newServices.equals(services);
    if (same) {
      return false; // clients can go on resuming their TLS sessions
    }
    boolean replaced = false;
    for (int i = 0; i < candidate.versions.size(); i++) {
      int before = files.all().indexOf(candidate.files.all().get(i));
      replaced |= before >= 0 && !versions.get(before).equals(candidate.versions.get(i));
    }
    files = candidate.files;
    versions = candidate.versions;
    services = Map.copyOf(newServices);
    use(candidate.identities);
    LOG.atInfo()
        .addKeyValue("certificates", candidate.identities.size())
        .log("certificates_reloaded");
    return replaced;
  }

  private void use(List<TlsIdentity> identities) {
    Map<String, String> hosts = new HashMap<>();
    services.forEach((host, domains) -> {
      if (identities.stream().noneMatch(identity -> identity.names().cover(host))) {
        LOG.atWarn().addKeyValue("host", host).log("certificate_lacks_host");
      }
      for (String domain : domains) {
        hosts.put(CertificateNames.toAscii(domain), CertificateNames.toAscii(host));
        if (identities.stream().noneMatch(identity -> identity.names().cover(domain))) {
          LOG.atWarn()
              .addKeyValue("host", host)
              .addKeyValue("domain", domain)
              .log("certificate_lacks_service_domain");
        }
      }
    });
    current = loaded(files, identities, hosts);
  }

  private Loaded loaded(
      CertificateFiles files, List<TlsIdentity> identities, Map<String, String> hosts) {
    Map<String, Integer> own = new HashMap<>();
    files
        .own()
        .forEach((host, pair) -> {
          int index = files.all().indexOf(pair);
          if (index >= 0 && identities.get(index).names().cover(host)) {
            own.put(CertificateNames.toAscii(host), index);
          }
        });
    IdentityChoice.Table choice = new IdentityChoice.Table(identities, hosts, own, challenges);
    SSLContext context = context(new IdentityChoice(choice, null), null);
    context.getServerSessionContext().setSessionCacheSize(SESSION_CACHE);
    context.getServerSessionContext().setSessionTimeout(SESSION_SECONDS);
    return new Loaded(choice, context);
  }

  /// TLS of one new connection.
  ///
  /// @param tasks runs the expensive steps of the handshake
  public TlsHandler newHandler(TlsStart start, Executor tasks) {
    boolean client = start.side() == TlsStart.Side.CLIENT;
    if (!client && !start.requestsCertificate()) {
      return new TlsHandler(engine(current.context(), challengeable(start)), null, tasks);
    }
    Loaded loaded = current;
    String local = start.localDomain();
    PeerTrust peer = new PeerTrust(trust);
    KeyManager own =
        new IdentityChoice(loaded.choice(), local == null ? null : CertificateNames.toAscii(local));
    // A context of its own: what the peer presents is looked at in each handshake, never taken from
    // a session that is resumed.
    return new TlsHandler(engine(context(own, peer), start), peer, tasks);
  }

  /// The same with the protocol of certificate authorities, where another protocol is chosen by
  /// ALPN and an authority is expected.
  private TlsStart challengeable(TlsStart start) {
    if (challenges.isEmpty() || start.protocols().isEmpty()) {
      return start;
    }
    List<String> protocols = new ArrayList<>(start.protocols());
    protocols.add(ChallengeCertificates.PROTOCOL);
    return TlsStart.server(protocols);
  }

  /// TLS with a server on a connection of this process, on the calling thread. Blocks. The
  /// handshake succeeds whatever the server presents.
  ///
  /// @throws IOException if there is no TLS
  public ClientTls handshake(Socket connection, TlsStart start) throws IOException {
    PeerTrust peer = new PeerTrust(trust);
    String local = start.localDomain();
    KeyManager own =
        new IdentityChoice(
            current.choice(), local == null ? null : CertificateNames.toAscii(local));
    SSLSocket socket =
        (SSLSocket)
            context(own, peer)
                .getSocketFactory()
                .createSocket(connection, start.peerDomain(), connection.getPort(), true);
    SSLParameters parameters = socket.getSSLParameters();
    configure(parameters, start);
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return new ClientTls(socket, peer.peer());
  }

  /// TLS as the server on a connection of this process; the handshake is done by the first read or
  /// write, on its thread.
  public Socket accept(Socket connection) throws IOException {
    SSLSocket socket =
        (SSLSocket) current.context().getSocketFactory().createSocket(connection, null, true);
    socket.setUseClientMode(false);
    SSLParameters parameters = socket.getSSLParameters();
    configure(parameters, TlsStart.server(List.of()));
    socket.setSSLParameters(parameters);
    return socket;
  }

  /// The certificate of a domain served here as others see it who trust the same authorities; null
  /// if there is none.
  public @Nullable PeerCertificates presentedFor(String domain) {
    X509Certificate[] chain = chain(domain);
    if (chain == null) {
      return null;
    }
    PeerTrust judge = new PeerTrust(trust);
    judge.checkClientTrusted(chain, "UNKNOWN");
    return judge.peer();
  }

  /// Until when the certificate of a domain served here is valid; null if none names it.
  public @Nullable Instant findEnd(String domain) {
    X509Certificate[] chain = chain(domain);
    return chain == null ? null : chain[0].getNotAfter().toInstant();
  }

  /// The certificate of a domain served here and those that prove it; empty if there is none.
  public List<X509Certificate> chainOf(String domain) {
    X509Certificate[] chain = chain(domain);
    return chain == null ? List.of() : List.of(chain);
  }

  private X509Certificate @Nullable [] chain(String domain) {
    IdentityChoice choice = new IdentityChoice(current.choice(), CertificateNames.toAscii(domain));
    String alias = choice.chooseClientAlias(new String[] {"EC", "RSA", "EdDSA"}, null, null);
    return alias == null ? null : choice.getCertificateChain(alias);
  }

  private static SSLEngine engine(SSLContext context, TlsStart start) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(start.side() == TlsStart.Side.CLIENT);
    SSLParameters parameters = engine.getSSLParameters();
    configure(parameters, start);
    engine.setSSLParameters(parameters);
    return engine;
  }

  private static void configure(SSLParameters parameters, TlsStart start) {
    boolean client = start.side() == TlsStart.Side.CLIENT;
    parameters.setProtocols(PROTOCOLS);
    parameters.setCipherSuites(CIPHER_SUITES);
    parameters.setUseCipherSuitesOrder(true);
    if (!start.protocols().isEmpty()) {
      parameters.setApplicationProtocols(start.protocols().toArray(String[]::new));
    }
    if (!client && start.requestsCertificate()) {
      parameters.setWantClientAuth(true);
    }
    String peerDomain = start.peerDomain();
    if (client && peerDomain != null) {
      parameters.setServerNames(serverNames(peerDomain));
    }
  }

  /// The domain for SNI; none if it is an address or has characters that host names do not have,
  /// such as an underscore (RFC 6066, section 3).
  private static List<SNIServerName> serverNames(String domain) {
    String name = CertificateNames.toAscii(domain);
    boolean number = name.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
    try {
      return number ? List.of() : List.of(new SNIHostName(name));
    } catch (IllegalArgumentException e) {
      LOG.atDebug().addKeyValue("domain", domain).setCause(e).log("tls_without_server_name");
      return List.of();
    }
  }

  private static List<PemFiles.Version> versions(CertificateFiles files) throws IOException {
    List<PemFiles.Version> found = new ArrayList<>();
    for (PemFiles pair : files.all()) {
      found.add(pair.version());
    }
    return found;
  }

  private static List<TlsIdentity> identities(CertificateFiles files) throws IOException {
    List<TlsIdentity> identities = new ArrayList<>();
    for (PemFiles pair : files.all()) {
      identities.add(TlsIdentity.load(pair));
    }
    return identities;
  }

  private List<TlsIdentity> loadValid(CertificateFiles files) throws IOException {
    List<TlsIdentity> identities = identities(files);
    for (int i = 0; i < identities.size(); i++) {
      TlsIdentity identity = identities.get(i);
      if (identity.endedBy(clock.instant())) {
        throw new IOException(
            "the certificate in "
                + files.all().get(i).certificate()
                + " ended on "
                + identity.leaf().getNotAfter().toInstant());
      }
    }
    return identities;
  }

  private static SSLContext context(KeyManager own, @Nullable PeerTrust peer) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          new KeyManager[] {own},
          peer == null ? new TrustManager[0] : new TrustManager[] {peer},
          null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no TLS", e);
    }
  }
}
