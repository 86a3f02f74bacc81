package im.zonda.app;

import im.zonda.acme.AcmeClient;
import im.zonda.acme.CertificateRenewal;
import im.zonda.acme.ChallengeResponder;
import im.zonda.acme.HttpChallenges;
import im.zonda.acme.OrderLog;
import im.zonda.acme.TlsChallenges;
import im.zonda.app.certificates.AcmeOperations;
import im.zonda.app.hosts.ConfigReload;
import im.zonda.cluster.Locality;
import im.zonda.config.Acme;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.net.http.HttpServer;
import im.zonda.net.tls.Certificates;
import im.zonda.net.tls.KeyFile;
import im.zonda.net.tls.PemFiles;
import im.zonda.runtime.ServerRuntime;
import im.zonda.stream.CertificateNames;
import im.zonda.timer.PeriodicTask;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gets certificates for the hosts that have none in the configuration (`[acme]`). In a cluster one
/// node asks the authority, and all take up what is in the folder that they share.
final class AcmeCertificates implements AcmeOperations.Orders {
  private static final Logger LOG = LoggerFactory.getLogger(AcmeCertificates.class);
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration PERIOD = Duration.ofMinutes(1);
  private static final Duration CONNECT = Duration.ofSeconds(10);

  private final Supplier<ServerConfig> config;
  private final Parts parts;
  private final CertificateRenewal renewal;
  private final OrderLog orders;
  private final ReentrantLock running = new ReentrantLock();

  /// The parts of the server that it uses.
  ///
  /// @param http answers the authority
  /// @param certificates take up new files, and answer the authority
  /// @param files the certificates of a configuration
  /// @param locality says which node asks
  record Parts(
      HttpServer http,
      Certificates certificates,
      ConfigReload.CertificateSource files,
      Locality locality,
      ServerRuntime runtime) {}

  private AcmeCertificates(
      Supplier<ServerConfig> config, Parts parts, CertificateRenewal renewal, OrderLog orders) {
    this.config = config;
    this.parts = parts;
    this.renewal = renewal;
    this.orders = orders;
  }

  /// Begins, if an authority is configured. The network must be there.
  ///
  /// @param config the configuration in force
  /// @throws IOException if a file cannot be used
  static @Nullable AcmeCertificates start(
      Supplier<ServerConfig> config, Parts parts, RunningServer running) throws IOException {
    ServerConfig first = config.get();
    String directory = first.acme().directory();
    if (directory == null) {
      return null;
    }
    Path folder = first.acme().folder(first.data());
    Files.createDirectories(folder);
    HttpClient http = client(first.acme().ca());
    HttpChallenges byHttp = new HttpChallenges(folder.resolve("challenges"));
    parts.http().answerChallenges(byHttp::find);
    ServerRuntime runtime = parts.runtime();
    ChallengeResponder responder =
        first.acme().challenge() == Acme.Challenge.HTTP_01
            ? byHttp
            : new TlsChallenges(
                parts.certificates().challenges(), runtime.clock(), runtime.random());
    OrderLog orders = new OrderLog(runtime.clock());
    CertificateRenewal renewal =
        new CertificateRenewal(
            folder,
            (names, key) -> {
              KeyPair account = KeyFile.ensure(folder.resolve("account.key"));
              AcmeClient.Authority authority =
                  new AcmeClient.Authority(
                      URI.create(directory), first.acme().email(), http, account);
              try {
                return new AcmeClient(
                        authority,
                        responder,
                        runtime.clock(),
                        Thread::sleep,
                        orders.begin(names.getFirst()))
                    .order(names, key);
              } finally {
                orders.end(names.getFirst());
              }
            },
            runtime.clock(),
            runtime.random());
    AcmeCertificates started = new AcmeCertificates(config, parts, renewal, orders);
    PeriodicTask task =
        PeriodicTask.start(runtime.scheduler(), FIRST, PERIOD, runtime.workers(), started::check);
    running.opened(
        "acme",
        () -> {
          task.cancel();
          http.shutdownNow();
        });
    return started;
  }

  /// How it is with the certificates.
  @Override
  public List<CertificateRenewal.State> states() {
    return renewal.states();
  }

  @Override
  public OrderLog log() {
    return orders;
  }

  @Override
  public Map<String, List<String>> names() {
    return wanted(config.get());
  }

  @Override
  public void retry(String host) {
    renewal.retry(host);
    parts.runtime().workers().execute(this::check);
  }

  /// The files of a certificate that a host has from the authority; null if there is none.
  static @Nullable PemFiles find(ServerConfig config, String host) {
    if (!config.acme().isOn()) {
      return null;
    }
    Path folder = config.acme().folder(config.data());
    String name = CertificateNames.toAscii(host);
    Path certificate = CertificateRenewal.certificate(folder, name);
    Path key = CertificateRenewal.key(folder, name);
    return Files.exists(certificate) && Files.exists(key) ? new PemFiles(certificate, key) : null;
  }

  private void check() {
    if (running.tryLock()) { // otherwise a run goes on, and the next one is in a minute
      try {
        checkAlone();
      } finally {
        running.unlock();
      }
    }
  }

  private void checkAlone() {
    ServerConfig now = config.get();
    boolean clustered = now.cluster().name() != null;
    try {
      boolean changed =
          parts.locality().isHere(Jid.of(null, now.hosts().getFirst(), "acme"))
              && renewal.run(wanted(now));
      if (changed || clustered) {
        use(now);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the server stops
    } catch (IOException e) {
      LOG.atError().setCause(e).log("certificates_not_reloaded");
    }
  }

  private void use(ServerConfig now) throws IOException {
    Map<String, List<String>> services = new LinkedHashMap<>();
    now.hosts().forEach(host -> services.put(host, now.serviceDomains(host)));
    parts.certificates().use(parts.certificates().load(parts.files().of(now)), services);
  }

  /// The names of the certificate of each host that has none in the configuration.
  static Map<String, List<String>> wanted(ServerConfig config) {
    Map<String, List<String>> wanted = new LinkedHashMap<>();
    for (String host : config.hosts()) {
      if (config.at(host).tls().certificate() == null) {
        Set<String> names = new LinkedHashSet<>();
        names.add(CertificateNames.toAscii(host));
        if (config.acme().services()) {
          config.serviceDomains(host).forEach(each -> names.add(CertificateNames.toAscii(each)));
        }
        String web = URI.create(config.http().url(CertificateNames.toAscii(host))).getHost();
        if (config.http().isOn() && web != null) {
          names.add(web);
        }
        wanted.put(CertificateNames.toAscii(host), List.copyOf(names));
      }
    }
    return wanted;
  }

  private static HttpClient client(@Nullable Path ca) throws IOException {
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(CONNECT);
    return ca == null ? builder.build() : builder.sslContext(trusting(ca)).build();
  }

  private static SSLContext trusting(Path ca) throws IOException {
    try (InputStream in = Files.newInputStream(ca)) {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      int count = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        trusted.setCertificateEntry("authority " + count++, each);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, factory.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(ca + " is no PEM file of certificates", e);
    }
  }
}
