package im.zonda.net.tls;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import im.zonda.stream.CertificateNames;
import im.zonda.stream.PeerCertificates;
import im.zonda.stream.TlsStart;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/// Which certificate each side presents, and what it learns of the other's.
final class PeerCertificatesTest {
  private static final TlsStart SERVER = TlsStart.server(List.of("xmpp-server"));

  @TempDir private Path folder = Path.of("");

  private PemFiles selfSigned(String... domains) throws IOException {
    return SelfSigned.ensure(
        folder.resolve(domains[0]), List.of(domains), InstantSource.system(), new SecureRandom());
  }

  private static Certificates certificates(PemFiles... files) throws IOException {
    return new Certificates(new CertificateFiles(List.of(files)), InstantSource.system());
  }

  /// Certificates of one domain that trust exactly these.
  private Certificates trusting(PemFiles own, PemFiles... trusted) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    for (PemFiles files : trusted) {
      store.setCertificateEntry(files.toString(), TlsIdentity.load(files).leaf());
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return new Certificates(
        new CertificateFiles(List.of(own)),
        InstantSource.system(),
        (X509TrustManager) factory.getTrustManagers()[0]);
  }

  private static TlsHandler handler(Certificates certificates, TlsStart start) {
    return certificates.newHandler(start, Runnable::run);
  }

  private static TlsStart client(String domain) {
    return TlsStart.client(domain, List.of("xmpp-server"));
  }

  private static void handshake(TlsHandler client, TlsHandler server) throws SSLException {
    ByteBuffer toServer = ByteBuffer.allocate(65_536);
    ByteBuffer toClient = ByteBuffer.allocate(65_536);
    for (int i = 0; i < 20; i++) {
      step(client.engine(), toClient, toServer);
      step(server.engine(), toServer, toClient);
    }
    assertThat(client.engine().getSession().getProtocol()).isEqualTo("TLSv1.3");
    assertThat(server.engine().getApplicationProtocol()).isEqualTo("xmpp-server");
  }

  private static void step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
    in.flip();
    engine.unwrap(in, ByteBuffer.allocate(65_536));
    in.compact();
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
    engine.wrap(ByteBuffer.allocate(0), out);
  }

  private static List<String> namesSeenBy(TlsHandler handler) throws Exception {
    X509Certificate peer = (X509Certificate) handler.engine().getSession().getPeerCertificates()[0];
    return CertificateNames.of(peer).dnsNames();
  }

  @Test
  void aServiceDomainGetsItsHostsCertificate() throws Exception {
    Certificates certificates = certificates(selfSigned("a.example"), selfSigned("b.example"));
    TlsHandler before = handler(certificates, client("rooms.b.example"));
    handshake(before, handler(certificates, SERVER));
    assertThat(namesSeenBy(before)).as("not served").containsExactly("a.example");

    certificates.serve(
        Map.of("a.example", List.of("rooms.a.example"), "b.example", List.of("rooms.b.example")));

    TlsHandler client = handler(certificates, client("rooms.b.example"));
    handshake(client, handler(certificates, SERVER));
    assertThat(namesSeenBy(client)).containsExactly("b.example");
  }

  @Test
  void aDomainThatIsNoHostNameIsNotNamedBySni() throws Exception {
    Certificates certificates = certificates(selfSigned("a.example"), selfSigned("b.example"));
    for (String domain : List.of("[::1]", "127.0.0.1", "under_score.b.example")) {
      TlsHandler client = handler(certificates, client(domain));
      handshake(client, handler(certificates, SERVER));
      assertThat(namesSeenBy(client)).as(domain).containsExactly("a.example");
    }
  }

  @Test
  void aHostsOwnCertificateIsChosenThoughAnotherNamesIt() throws Exception {
    PemFiles shared = selfSigned("a.example", "b.example", "c.example");
    PemFiles own = selfSigned("b.example");
    PemFiles wrong = selfSigned("x.example");
    List<PemFiles> all = List.of(shared, own, wrong);
    Certificates certificates = new Certificates(new CertificateFiles(all), InstantSource.system());
    TlsHandler before = handler(certificates, client("b.example"));
    handshake(before, handler(certificates, SERVER));
    assertThat(namesSeenBy(before)).hasSize(3);

    Map<String, PemFiles> owners = Map.of("b.example", own, "c.example", wrong);
    certificates.use(
        certificates.load(new CertificateFiles(all, owners)),
        Map.of("b.example", List.of("rooms.b.example")));

    for (String domain : List.of("b.example", "rooms.b.example")) {
      TlsHandler client = handler(certificates, client(domain));
      handshake(client, handler(certificates, SERVER));
      assertThat(namesSeenBy(client)).containsExactly("b.example");
    }
    TlsHandler other = handler(certificates, client("c.example"));
    handshake(other, handler(certificates, SERVER));
    assertThat(namesSeenBy(other)).as("its own does not name it").hasSize(3);
  }

  @Test
  void certificatesThatLackAServiceDomainAreReportedOnceAtStartAndReload() throws Exception {
    PemFiles own = selfSigned("a.example");
    Certificates certificates = certificates(own, selfSigned("b.example", "rooms.b.example"));
    Logger log = (Logger) LoggerFactory.getLogger(Certificates.class);
    ListAppender<ILoggingEvent> events = new ListAppender<>();
    events.start();
    log.addAppender(events);
    try {
      certificates.serve(
          Map.of("a.example", List.of("rooms.a.example"), "b.example", List.of("rooms.b.example")));
      assertThat(reports(events))
          .containsExactly("[host=\"a.example\", domain=\"rooms.a.example\"]");

      Files.setLastModifiedTime(own.key(), FileTime.from(Instant.EPOCH));
      assertThat(certificates.reloadIfChanged()).isTrue();
      assertThat(reports(events)).hasSize(2);
    } finally {
      log.detachAppender(events);
    }
  }

  @Test
  void certificatesOfOtherHostsAndThoseThatHaveEndedAreReported() throws Exception {
    PemFiles ended =
        SelfSigned.ensure(
            Files.createDirectories(folder.resolve("ended")),
            List.of("b.example", "rooms.a.example"),
            InstantSource.fixed(Instant.parse("2020-01-01T00:00:00Z")),
            new SecureRandom());
    Logger log = (Logger) LoggerFactory.getLogger(Certificates.class);
    ListAppender<ILoggingEvent> events = new ListAppender<>();
    events.start();
    log.addAppender(events);
    try {
      certificates(ended).serve(Map.of("a.example", List.of("rooms.a.example")));
    } finally {
      log.detachAppender(events);
    }
    assertThat(reports(events, "certificate_ended"))
        .singleElement()
        .asString()
        .startsWith("[names=\"b.example, rooms.a.example\", ended=\"2022-");
    assertThat(reports(events, "certificate_lacks_host")).containsExactly("[host=\"a.example\"]");
    assertThat(reports(events)).isEmpty();
  }

  private static List<String> reports(ListAppender<ILoggingEvent> events) {
    return reports(events, "certificate_lacks_service_domain");
  }

  private static List<String> reports(ListAppender<ILoggingEvent> events, String name) {
    return events.list.stream()
        .filter(event -> event.getMessage().equals(name))
        .map(event -> event.getKeyValuePairs().toString())
        .toList();
  }

  @Test
  void theClientSideLearnsWhatThePlatformThinksOfThePeer() throws Exception {
    PemFiles own = selfSigned("a.example");
    PemFiles peer = selfSigned("b.example");
    Certificates server = certificates(peer);

    TlsHandler trusting = handler(trusting(own, peer), client("b.example"));
    handshake(trusting, handler(server, SERVER));
    PeerCertificates trusted = Objects.requireNonNull(trusting.peerCertificates());
    assertThat(trusted.isTrusted()).isTrue();
    assertThat(trusted.cover("b.example")).isTrue();
    assertThat(trusted.cover("a.example")).isFalse();

    TlsHandler other = handler(trusting(own, own), client("b.example"));
    handshake(other, handler(server, SERVER));
    PeerCertificates unknown = Objects.requireNonNull(other.peerCertificates());
    assertThat(unknown.isTrusted()).isFalse();
    assertThat(unknown.problem()).contains("certification path");
    assertThat(unknown.chain()).isEqualTo(trusted.chain());
  }

  @Test
  void theServerSideLearnsTheClientsCertificateIfItAsks() throws Exception {
    PemFiles own = selfSigned("a.example");
    Certificates server = trusting(selfSigned("b.example"), own);
    TlsStart asDomain = client("b.example").withCertificateOf("a.example");

    TlsHandler asking = handler(server, SERVER.requestingCertificate());
    handshake(handler(certificates(own), asDomain), asking);
    PeerCertificates peer = Objects.requireNonNull(asking.peerCertificates());
    assertThat(peer.isTrusted()).isTrue();
    assertThat(peer.cover("a.example")).isTrue();

    TlsHandler silent = handler(server, SERVER);
    handshake(handler(certificates(own), asDomain), silent);
    assertThat(silent.peerCertificates()).isNull();

    TlsHandler unanswered = handler(server, SERVER.requestingCertificate());
    handshake(handler(certificates(own), client("b.example")), unanswered);
    assertThat(unanswered.peerCertificates()).isNull();
  }

  @Test
  void aSelfSignedCertificateIsExtendedWithTheSameKey() throws Exception {
    PemFiles files = selfSigned("example.org");
    X509Certificate old = TlsIdentity.load(files).leaf();

    assertThat(
            SelfSigned.ensure(
                folder.resolve("example.org"),
                List.of("example.org", "rooms.example.org"),
                InstantSource.system(),
                new SecureRandom()))
        .isEqualTo(files);

    X509Certificate extended = TlsIdentity.load(files).leaf();
    assertThat(CertificateNames.of(extended).dnsNames())
        .containsExactly("example.org", "rooms.example.org");
    assertThat(extended.getPublicKey()).isEqualTo(old.getPublicKey());
    assertThat(Arrays.equals(extended.getEncoded(), old.getEncoded())).isFalse();
  }
}
