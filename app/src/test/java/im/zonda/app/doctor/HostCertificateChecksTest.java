package im.zonda.app.doctor;

import static im.zonda.app.finding.ExpectFinding.is;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.doctor.CertificateFacts.Source;
import im.zonda.app.finding.Finding;
import im.zonda.app.finding.Finding.Level;
import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;
import im.zonda.net.tls.CertificateReport;
import im.zonda.net.tls.PemFiles;
import im.zonda.net.tls.SelfSigned;
import im.zonda.testkit.database.TestAuthority;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostCertificateChecksTest {
  private static final String HOST = "a.example";
  private static final List<String> ROOMS = List.of("rooms.a.example");

  @TempDir private static Path folder = Path.of("");
  private static TestAuthority issued;
  private static CertificateReport report;

  @BeforeAll
  static void makeCertificates() throws Exception {
    TestAuthority.create(folder);
    issued = TestAuthority.issue(folder, HOST, List.of(HOST, "rooms." + HOST));
    report = CertificateReport.read(new PemFiles(issued.certificate(), issued.key()));
  }

  private static CertificateFacts facts(CertificateReport wanted) {
    return new CertificateFacts(HOST, Source.CONFIGURED, wanted, null, null);
  }

  private static HostCertificateChecks checks(CertificateFacts facts, Instant now) {
    return new HostCertificateChecks(List.of(facts), now);
  }

  private static Instant now() {
    return report.begins().plusSeconds(60);
  }

  private static ServerConfig config() {
    return RecordCopy.with(
        RecordCopy.with(
            ServerConfig.defaults(List.of(HOST), folder.resolve("data")),
            "tls",
            new ServerConfig.Tls(issued.certificate(), issued.key())),
        "s2s.ca",
        issued.authority());
  }

  @Test
  void aGoodCertificateIsOneLine() {
    CertificateFacts facts = CertificateFacts.read(config(), HOST);
    assertThat(facts.failure()).isNull();
    assertThat(facts.distrust()).isNull();
    is(Level.OK, checks(facts, now()).check(facts, ROOMS, false), "is valid until");
  }

  @Test
  void filesThatCannotBeUsed() {
    ServerConfig wrongKey =
        RecordCopy.with(
            config(),
            "tls",
            new ServerConfig.Tls(issued.certificate(), folder.resolve("server.key")));
    CertificateFacts facts = CertificateFacts.read(wrongKey, HOST);
    is(
        Level.PROBLEM,
        checks(facts, now()).check(facts, ROOMS, false),
        "server.key is not that of the certificate in");
  }

  /// The level of a certificate that was made for `days`, of which `left` is left.
  private static Level levelAt(int days, Duration left) {
    CertificateReport other =
        new CertificateReport(
            report.chain(),
            report.names(),
            report.ends().minus(Duration.ofDays(days)),
            report.ends());
    return checks(facts(other), report.ends().minus(left)).validity(HOST, other).level();
  }

  @Test
  void validity() {
    assertThat(levelAt(90, Duration.ofDays(15))).isEqualTo(Level.OK);
    assertThat(levelAt(90, Duration.ofDays(13))).isEqualTo(Level.WARNING);
    assertThat(levelAt(90, Duration.ofDays(2))).isEqualTo(Level.PROBLEM);
    assertThat(levelAt(6, Duration.ofDays(2))).isEqualTo(Level.OK);
    assertThat(levelAt(6, Duration.ofDays(1))).isEqualTo(Level.WARNING);
    assertThat(levelAt(6, Duration.ofHours(12))).isEqualTo(Level.PROBLEM);
    CertificateFacts facts = facts(report);
    is(
        Level.PROBLEM,
        checks(facts, report.ends().plusSeconds(1)).check(facts, ROOMS, false),
        "expired on");
    is(
        Level.PROBLEM,
        checks(facts, report.begins().minusSeconds(60)).check(facts, ROOMS, false),
        "is not valid before");
  }

  @Test
  void theChainMustLeadToAnAuthority() {
    CertificateFacts facts = CertificateFacts.read(RecordCopy.with(config(), "s2s.ca", null), HOST);
    List<Finding> findings = checks(facts, now()).trust(facts, report, false);
    is(
        Level.PROBLEM,
        findings,
        "leads to no authority",
        "the certificate of CN=Test CA may be missing",
        "fullchain.pem");
    assertThat(checks(facts, now()).trust(facts(report), report, false)).isEmpty();
  }

  @Test
  void selfSignedCertificatesAreForThisMachine() throws Exception {
    Path data = Files.createDirectories(folder.resolve("self"));
    SelfSigned.ensure(
        data, List.of(HOST, "rooms.a.example"), InstantSource.system(), new SecureRandom());
    CertificateFacts facts =
        CertificateFacts.read(ServerConfig.defaults(List.of(HOST), data), HOST);
    assertThat(facts.source()).isEqualTo(Source.SELF_SIGNED);
    CertificateReport self = Objects.requireNonNull(facts.report());
    is(Level.OK, checks(facts, now()).trust(facts, self, true), "is self-signed");
    is(
        Level.WARNING,
        checks(facts, now()).trust(facts, self, false),
        "other servers do not accept it",
        "acme.directory");
  }

  @Test
  void certificatesThatAreNotThereYet() {
    CertificateFacts none =
        CertificateFacts.read(ServerConfig.defaults(List.of(HOST), folder), HOST);
    is(Level.OK, checks(none, now()).check(none, ROOMS, false), "made at the first start");
    ServerConfig acme =
        RecordCopy.with(
            ServerConfig.defaults(List.of(HOST), folder), "acme.directory", "https://ca.example/");
    CertificateFacts waiting = CertificateFacts.read(acme, HOST);
    is(Level.PROBLEM, checks(waiting, now()).check(waiting, ROOMS, false), "zonda status says why");
  }

  @Test
  void theHostAndItsServicesMustBeNamed() {
    CertificateFacts facts = facts(report);
    HostCertificateChecks checks = checks(facts, now());
    assertThat(checks.names(HOST, report, ROOMS)).isEmpty();
    is(
        Level.WARNING,
        checks.names(HOST, report, List.of("rooms.a.example", "pubsub.a.example")),
        "no certificate names pubsub.a.example",
        "certbot certonly -d a.example -d pubsub.a.example");
    is(
        Level.PROBLEM,
        checks.names("b.example", report, List.of()),
        "no certificate names b.example; this one names a.example, rooms.a.example");
  }

  @Test
  void weakKeysAndSignatures() throws Exception {
    assertThat(checks(facts(report), now()).strength(HOST, report)).isEmpty();
    Path store = folder.resolve("weak.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "weak",
                "-keyalg",
                "RSA",
                "-keysize",
                "1024",
                "-sigalg",
                "SHA1withRSA",
                "-dname",
                "CN=weak",
                "-keystore",
                store.toString(),
                "-storepass",
                "password")
            .redirectErrorStream(true)
            .start();
    String text = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(keytool.waitFor()).as(text).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, "password".toCharArray());
    }
    X509Certificate weak = (X509Certificate) keys.getCertificate("weak");
    CertificateReport other =
        new CertificateReport(List.of(weak), report.names(), report.begins(), report.ends());
    assertThat(checks(facts(other), now()).strength(HOST, other))
        .extracting(Finding::text)
        .containsExactly(
            "the key of a.example is weak: RSA of 1024 bits",
            "the signature for a.example is weak: SHA1WITHRSA");
  }
}
