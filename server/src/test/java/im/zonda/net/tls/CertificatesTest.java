package im.zonda.net.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.module.Scheduler;
import im.zonda.runtime.TestRuntime;
import im.zonda.stream.TlsStart;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CertificatesTest {
  private static final Instant NOW = Instant.parse("2026-11-21T00:00:00Z");
  private static final SecureRandom RANDOM = new SecureRandom();

  @TempDir private Path folder = Path.of("");
  private int generation;

  @BeforeEach
  void newGeneration() {
    generation = 0;
  }

  private PemFiles ensure(Instant time, String... hosts) throws IOException {
    return SelfSigned.ensure(folder, List.of(hosts), InstantSource.fixed(time), RANDOM);
  }

  private static X509Certificate read(PemFiles files) throws Exception {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(Files.readAllBytes(files.certificate())));
  }

  @Test
  void theSelfSignedCertificateNamesAllHosts() throws Exception {
    PemFiles files = ensure(NOW, "example.org", "m\u00fcller.example");
    X509Certificate certificate = read(files);

    certificate.verify(certificate.getPublicKey());
    certificate.checkValidity(java.util.Date.from(NOW));
    assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=example.org");
    assertThat(certificate.getSubjectAlternativeNames())
        .containsExactly(List.of(2, "example.org"), List.of(2, "xn--mller-kva.example"));
    assertThat(certificate.getSigAlgName()).isEqualTo("SHA256withECDSA");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files.key())))
        .isEqualTo("rw-------");
  }

  @Test
  void theEndOfEachDomainIsKnown() throws Exception {
    Certificates certificates =
        new Certificates(
            new CertificateFiles(List.of(ensure(NOW, "example.org"))), InstantSource.fixed(NOW));
    assertThat(certificates.findEnd("example.org")).isEqualTo(NOW.plus(Duration.ofDays(825)));
    assertThat(certificates.findEnd("other.example")).isNull();
  }

  @Test
  void aReportSaysWhetherOthersTrustIt() throws Exception {
    PemFiles files = ensure(InstantSource.system().instant(), "example.org");
    CertificateReport report = CertificateReport.read(files);
    assertThat(report.isSelfSigned()).isTrue();
    assertThat(report.names().dnsNames()).containsExactly("example.org");
    assertThat(report.leaf()).isEqualTo(read(files));
    assertThat(report.distrust(null)).isNotEmpty();
    assertThat(report.distrust(files.certificate())).isNull();
  }

  @Test
  void itIsKeptAsLongAsItServes() throws Exception {
    X509Certificate first = read(ensure(NOW, "a.example"));

    assertThat(read(ensure(NOW, "a.example"))).isEqualTo(first);
    assertThat(read(ensure(NOW.plus(Duration.ofDays(700)), "a.example"))).isEqualTo(first);
    assertThat(read(ensure(NOW.plus(Duration.ofDays(800)), "a.example"))).isNotEqualTo(first);
    assertThat(read(ensure(NOW, "a.example", "b.example")).getSubjectAlternativeNames()).hasSize(2);
  }

  @Test
  void aDamagedOneIsMadeAnew() throws Exception {
    PemFiles files = ensure(NOW, "a.example");
    Files.writeString(files.certificate(), "damaged");

    read(ensure(NOW, "a.example")).checkValidity(java.util.Date.from(NOW));
  }

  @Test
  void filesThatCannotBeUsed() throws Exception {
    PemFiles good = ensure(NOW, "a.example");
    Path text = Files.writeString(folder.resolve("text"), "hello");
    Path encrypted =
        Files.writeString(folder.resolve("enc"), "-----BEGIN ENCRYPTED PRIVATE KEY-----");
    Path otherKey = writeKey("EC", "PRIVATE KEY");

    refused(new PemFiles(text, good.key()), "certificate");
    refused(new PemFiles(good.certificate(), text), "private key");
    refused(new PemFiles(good.certificate(), encrypted), "encrypted");
    refused(new PemFiles(good.certificate(), otherKey), "is not that of the certificate");
    refused(new PemFiles(folder.resolve("none"), good.key()), "none");
  }

  private void refused(PemFiles files, String reason) {
    assertThatThrownBy(
            () -> new Certificates(new CertificateFiles(List.of(files)), InstantSource.fixed(NOW)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(reason);
  }

  private Path writeKey(String algorithm, String kind) throws Exception {
    return write(
        kind, KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate().getEncoded());
  }

  private Path write(String kind, byte[] der) throws IOException {
    return Files.writeString(
        folder.resolve("key" + generation++),
        "-----BEGIN "
            + kind
            + "-----\n"
            + Base64.getMimeEncoder().encodeToString(der)
            + "\n-----END "
            + kind
            + "-----\n");
  }

  @Test
  void keysOfTheTraditionalKinds() throws Exception {
    PemFiles good = ensure(NOW, "a.example");
    ECPrivateKey key = (ECPrivateKey) TlsIdentity.load(good).key();
    byte[] sec1 =
        Der.sequence(
            Der.integer(BigInteger.ONE),
            Der.octets(unsigned(key.getS())),
            Der.tagged(0xa0, Der.objectId("1.2.840.10045.3.1.7")));
    Path ec = write("EC PRIVATE KEY", sec1);
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2_048);
    byte[] pkcs8 = generator.generateKeyPair().getPrivate().getEncoded();
    // What wraps the key of PKCS #1 in PKCS #8 has 26 bytes.
    Path rsa = write("RSA PRIVATE KEY", Arrays.copyOfRange(pkcs8, 26, pkcs8.length));

    TlsIdentity identity = TlsIdentity.load(new PemFiles(good.certificate(), ec));
    assertThat(((ECPrivateKey) identity.key()).getS()).isEqualTo(key.getS());
    refused(new PemFiles(good.certificate(), rsa), "is not that of the certificate");
  }

  private static byte[] unsigned(BigInteger value) {
    byte[] bytes = value.toByteArray();
    byte[] fixed = new byte[32];
    int from = Math.max(0, bytes.length - fixed.length);
    System.arraycopy(bytes, from, fixed, fixed.length - (bytes.length - from), bytes.length - from);
    return fixed;
  }

  @Test
  void newFilesAreTakenUpAndBadOnesAreNot() throws Exception {
    PemFiles files = ensure(NOW, "a.example");
    Certificates certificates =
        new Certificates(new CertificateFiles(List.of(files)), InstantSource.fixed(NOW));
    assertThat(certificates.reloadIfChanged()).isFalse();

    ensure(NOW, "a.example", "b.example");
    touch(files, 1);
    assertThat(certificates.reloadIfChanged()).isTrue();
    assertThat(certificates.reloadIfChanged()).isFalse();

    Files.writeString(files.certificate(), "damaged");
    touch(files, 2);
    assertThat(certificates.reloadIfChanged()).isFalse();
    SSLEngine engine =
        certificates.newHandler(TlsStart.server(List.of("xmpp-client")), Runnable::run).engine();
    assertThat(engine.getSupportedProtocols()).isNotEmpty();

    ensure(NOW.minus(Duration.ofDays(2_000)), "c.example");
    touch(files, 3);
    assertThat(certificates.reloadIfChanged()).as("ended already").isFalse();

    Files.delete(files.certificate());
    assertThat(certificates.reloadIfChanged()).isFalse();
  }

  private static void touch(PemFiles files, int minute) throws IOException {
    Files.setLastModifiedTime(
        files.certificate(), FileTime.from(NOW.plus(Duration.ofMinutes(minute))));
  }

  @Test
  void theWatchLooksAgainAndAgainUntilItIsClosed() throws Exception {
    Certificates certificates =
        new Certificates(
            new CertificateFiles(List.of(ensure(NOW, "a.example"))), InstantSource.fixed(NOW));
    Queue<Runnable> scheduled = new ArrayDeque<>();
    Scheduler scheduler =
        (delay, task) -> {
          scheduled.add(task);
          return () -> scheduled.remove(task);
        };

    certificates.watch(new TestRuntime().scheduler(scheduler).build(), Duration.ofSeconds(10));
    for (int i = 0; i < 3; i++) {
      assertThat(scheduled).hasSize(1);
      scheduled.remove().run();
    }
    certificates.close();
    assertThat(scheduled).isEmpty();
  }

  @Test
  void aLookThatFailsByADefectIsFollowedByTheNext() throws Exception {
    PemFiles files = ensure(NOW, "a.example");
    AtomicInteger asked = new AtomicInteger();
    InstantSource clock =
        () -> {
          if (asked.incrementAndGet() == 2) {
            throw new IllegalStateException("a clock that stands still");
          }
          return NOW;
        };
    Certificates certificates = new Certificates(new CertificateFiles(List.of(files)), clock);
    Queue<Runnable> scheduled = new ArrayDeque<>();
    Scheduler scheduler =
        (delay, task) -> {
          scheduled.add(task);
          return () -> scheduled.remove(task);
        };
    certificates.watch(new TestRuntime().scheduler(scheduler).build(), Duration.ofSeconds(10));
    touch(files, 1);
    scheduled.remove().run();
    assertThat(asked.get()).as("it has failed").isEqualTo(2);
    touch(files, 2);
    scheduled.remove().run();
    assertThat(asked.get()).as("it has looked again").isEqualTo(3);
    certificates.close();
  }

  @Test
  void row34_onlyModernTls() throws Exception {
    Certificates certificates =
        new Certificates(
            new CertificateFiles(List.of(ensure(NOW, "a.example"))), InstantSource.fixed(NOW));
    SSLEngine engine = certificates.newHandler(TlsStart.SERVER, Runnable::run).engine();

    assertThat(engine.getEnabledProtocols()).containsExactlyInAnyOrder("TLSv1.3", "TLSv1.2");
    assertThat(engine.getEnabledCipherSuites())
        .allMatch(suite -> suite.contains("GCM") || suite.contains("CHACHA20"))
        .allMatch(suite -> suite.contains("ECDHE") || !suite.contains("_WITH_"));
    assertThat(engine.getNeedClientAuth() || engine.getWantClientAuth()).isFalse();
    assertThat(System.getProperty("jdk.tls.rejectClientInitiatedRenegotiation")).isEqualTo("true");
  }

  @Test
  void namesWithAndWithoutWildcard() throws Exception {
    TlsIdentity identity = TlsIdentity.load(ensure(NOW, "a.example", "*.b.example"));

    assertThat(identity.names().cover("A.example")).isTrue();
    assertThat(identity.names().cover("x.b.example")).isTrue();
    assertThat(identity.names().cover("b.example")).isFalse();
    assertThat(identity.names().cover("y.x.b.example")).isFalse();
    assertThat(identity.names().cover("x.a.example")).isFalse();
  }
}
