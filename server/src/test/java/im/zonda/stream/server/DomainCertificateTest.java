package im.zonda.stream.server;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.dns.Target;
import im.zonda.dns.Tlsa;
import im.zonda.stream.PeerCertificates;
import im.zonda.stream.server.DomainCertificate.Verdict;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Row 86: certificate tricks.
final class DomainCertificateTest {
  private static @Nullable String problem(String certificate, String domain) {
    return DomainCertificate.findProblem(
        TestCertificates.presented(certificate, null), domain, TestCertificates.VALID);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.example", "x.b.example", "srv.example", "addr.example"})
  void namesOfEachKindAreGood(String domain) {
    assertThat(problem(TestCertificates.NAMES, domain)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "b.example",
        "y.x.b.example",
        "web.d.example",
        "client.example",
        "mail.example",
        "cn.example",
        "127.0.0.1",
        "xa.example"
      })
  void otherNamesAreNot(String domain) {
    assertThat(problem(TestCertificates.NAMES, domain))
        .startsWith("its certificate is not for " + domain + ", but for a.example");
  }

  @Test
  void theCommonNameCountsForNothing() {
    assertThat(problem(TestCertificates.COMMON_NAME, "cn.example"))
        .isEqualTo("its certificate is not for cn.example, but for no DNS name");
  }

  @Test
  void aNulHidesNothing() {
    assertThat(problem(TestCertificates.NUL, "good.example")).isNotNull();
    assertThat(problem(TestCertificates.NUL, "evil.example")).isNotNull();
  }

  @Test
  void whatIsWrongIsSaidInWords() {
    assertThat(DomainCertificate.findProblem(null, "a.example", TestCertificates.VALID))
        .isEqualTo("the other server has presented no certificate");
    assertThat(
            DomainCertificate.findProblem(
                TestCertificates.presented(TestCertificates.NAMES, "unable to find path"),
                "a.example",
                TestCertificates.VALID))
        .isEqualTo("its certificate is self-signed");
    assertThat(
            DomainCertificate.findProblem(
                TestCertificates.presented(TestCertificates.NAMES, null),
                "a.example",
                Instant.parse("2300-01-01T00:00:00Z")))
        .startsWith("its certificate has expired on 2126-");
    assertThat(
            DomainCertificate.findProblem(
                TestCertificates.presented(TestCertificates.NAMES, null),
                "a.example",
                Instant.parse("2020-01-01T00:00:00Z")))
        .startsWith("its certificate is not valid before 2026-11-22");
  }

  // ---- DANE

  private static final Instant DANE_VALID = Instant.parse("2027-01-01T00:00:00Z");

  /// The certificate of `xmpp.b.example` and the authority that has issued it, which is not trusted
  /// here.
  private static PeerCertificates issued(@Nullable String problem) throws Exception {
    List<X509Certificate> all = new ArrayList<>();
    try (InputStream in = Tlsa.class.getResourceAsStream("certificates.pem")) {
      CertificateFactory.getInstance("X.509")
          .generateCertificates(in)
          .forEach(each -> all.add((X509Certificate) each));
    }
    return new PeerCertificates(all.subList(0, 2), problem);
  }

  private static Verdict check(
      PeerCertificates peer, String domain, String host, int usage, int named) throws Exception {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(peer.chain().get(named).getEncoded());
    Tlsa record = new Tlsa(usage, 0, 1, HexFormat.of().formatHex(hash));
    Target server = new Target(host, List.of(), 5269, false, List.of(record));
    return DomainCertificate.check(peer, domain, server, DANE_VALID);
  }

  @Test
  void anAuthorityThatDaneNamesNeedNotBeTrustedButTheCertificateNamesTheDomainOrTheHost()
      throws Exception {
    PeerCertificates peer = issued("unable to find path");
    assertThat(check(peer, "xmpp.b.example", "other.example", 2, 1).problem()).isNull();
    assertThat(check(peer, "b.example", "xmpp.b.example", 2, 1).problem()).isNull();
    Verdict unnamed = check(peer, "b.example", "other.example", 2, 1);
    assertThat(unnamed.problem()).startsWith("its certificate is not for b.example");
    assertThat(unnamed.isExcluded()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "0, 1"})
  void withTheOtherUsagesTheChainMustBeTrustedToo(int usage, int named) throws Exception {
    assertThat(
            check(issued("unable to find path"), "b.example", "xmpp.b.example", usage, named)
                .problem())
        .startsWith("its certificate leads to no authority");
    assertThat(check(issued(null), "b.example", "xmpp.b.example", usage, named).problem()).isNull();
    assertThat(check(issued(null), "b.example", "other.example", usage, named).problem())
        .startsWith("its certificate is not for b.example");
  }

  @Test
  void aCertificateThatDaneNamesNeedsNeitherNameNorAuthority() throws Exception {
    assertThat(check(issued("unable to find path"), "c.example", "other.example", 3, 0))
        .isEqualTo(new Verdict(null, false));
    assertThat(check(issued(null), "b.example", "xmpp.b.example", 3, 1).isExcluded()).isTrue();
  }
}
