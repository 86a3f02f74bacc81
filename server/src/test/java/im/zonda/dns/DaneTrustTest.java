package im.zonda.dns;

import static im.zonda.dns.DaneTrust.Verdict.MISMATCH;
import static im.zonda.dns.DaneTrust.Verdict.NO_RECORDS;
import static im.zonda.dns.DaneTrust.Verdict.TRUSTED;
import static im.zonda.dns.DaneTrust.Verdict.TRUSTED_IF_NAMED;
import static im.zonda.dns.DaneTrust.Verdict.TRUSTED_IF_VALID;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What TLSA records say about a chain. The resource has a server's certificate, the authority that
/// has issued it, and another authority.
class DaneTrustTest {
  private final List<X509Certificate> all = new ArrayList<>();
  private Instant now = Instant.EPOCH;

  @BeforeEach
  void read() throws Exception {
    try (InputStream in = DaneTrustTest.class.getResourceAsStream("certificates.pem")) {
      CertificateFactory.getInstance("X.509")
          .generateCertificates(in)
          .forEach(each -> all.add((X509Certificate) each));
    }
    now = all.getFirst().getNotBefore().toInstant().plus(Duration.ofDays(1));
  }

  private X509Certificate leaf() {
    return all.getFirst();
  }

  private X509Certificate authority() {
    return all.get(1);
  }

  private X509Certificate other() {
    return all.get(2);
  }

  private static Tlsa tlsa(int usage, int selector, int type, X509Certificate of) throws Exception {
    byte[] data = selector == 0 ? of.getEncoded() : of.getPublicKey().getEncoded();
    if (type > 0) {
      data = MessageDigest.getInstance(type == 1 ? "SHA-256" : "SHA-512").digest(data);
    }
    return new Tlsa(usage, selector, type, HexFormat.of().formatHex(data));
  }

  private DaneTrust.Verdict check(List<X509Certificate> chain, Tlsa... records) {
    return DaneTrust.check(List.of(records), chain, now);
  }

  @Test
  void everySelectorAndMatchingTypeOfTheOwnCertificate() throws Exception {
    for (int selector = 0; selector <= 1; selector++) {
      for (int type = 0; type <= 2; type++) {
        assertThat(check(List.of(leaf()), tlsa(3, selector, type, leaf()))).isEqualTo(TRUSTED);
        assertThat(check(List.of(leaf()), tlsa(3, selector, type, other()))).isEqualTo(MISMATCH);
        assertThat(check(List.of(leaf()), tlsa(1, selector, type, leaf())))
            .isEqualTo(TRUSTED_IF_VALID);
      }
    }
  }

  @Test
  void datesDoNotMatterForTheOwnCertificate() throws Exception {
    now = leaf().getNotAfter().toInstant().plus(Duration.ofDays(1));
    assertThat(check(List.of(leaf()), tlsa(3, 1, 1, leaf()))).isEqualTo(TRUSTED);
  }

  @Test
  void anAuthorityMustHaveIssuedTheCertificate() throws Exception {
    assertThat(check(List.of(leaf(), authority()), tlsa(2, 0, 1, authority())))
        .isEqualTo(TRUSTED_IF_NAMED);
    assertThat(check(List.of(leaf(), other()), tlsa(2, 0, 1, other())))
        .as("presented, but not the issuer")
        .isEqualTo(MISMATCH);
    assertThat(check(List.of(leaf()), tlsa(2, 0, 1, authority())))
        .as("not presented")
        .isEqualTo(MISMATCH);
    assertThat(check(List.of(leaf(), authority()), tlsa(0, 1, 2, authority())))
        .isEqualTo(TRUSTED_IF_VALID);
  }

  @Test
  void theServersOwnCertificateIsNoAuthority() throws Exception {
    assertThat(check(List.of(leaf(), authority()), tlsa(2, 0, 1, leaf()))).isEqualTo(MISMATCH);
    assertThat(check(List.of(leaf(), authority()), tlsa(0, 0, 1, leaf()))).isEqualTo(MISMATCH);
    assertThat(check(List.of(leaf(), authority()), tlsa(3, 0, 1, authority()))).isEqualTo(MISMATCH);
  }

  @Test
  void theChainToAnAuthorityMustBeValidNow() throws Exception {
    now = leaf().getNotAfter().toInstant().plus(Duration.ofDays(1));
    assertThat(check(List.of(leaf(), authority()), tlsa(2, 0, 1, authority()))).isEqualTo(MISMATCH);
  }

  @Test
  void oneRecordThatMatchesIsEnoughAndTheStrongestCounts() throws Exception {
    assertThat(
            check(
                List.of(leaf(), authority()),
                tlsa(3, 1, 1, other()),
                tlsa(0, 0, 1, authority()),
                tlsa(2, 0, 1, authority())))
        .isEqualTo(TRUSTED_IF_NAMED);
  }

  @Test
  void recordsOfUnknownKindsAreNone() {
    List<X509Certificate> chain = List.of(leaf());
    assertThat(check(chain)).isEqualTo(NO_RECORDS);
    assertThat(check(chain, new Tlsa(4, 0, 1, "00"), new Tlsa(3, 2, 1, "00")))
        .isEqualTo(NO_RECORDS);
    assertThat(check(chain, new Tlsa(3, 0, 3, "00"))).isEqualTo(NO_RECORDS);
    assertThat(check(chain, new Tlsa(3, 0, 3, "00"), new Tlsa(3, 0, 1, "00"))).isEqualTo(MISMATCH);
  }
}
