package im.zonda.stream.client;

import static im.zonda.stream.client.StreamTester.HEADER;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.account.provider.Verdict;
import im.zonda.auth.provider.Admission;
import im.zonda.jid.Jid;
import im.zonda.net.tls.PemFiles;
import im.zonda.net.tls.SelfSigned;
import im.zonda.stream.PeerCertificates;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Logins by SASL EXTERNAL (XEP-0178, section 2).
final class CertificateLoginTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final String OFFER = "<mechanism>EXTERNAL</mechanism>";
  private static final String SUCCESS = "<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>";

  private final StreamFixture fixture = new StreamFixture();
  private final StreamTester tester = StreamTester.secure(fixture);
  private final List<@Nullable String> asked = new ArrayList<>();

  @BeforeEach
  void present(@TempDir Path folder) throws Exception {
    PemFiles files =
        SelfSigned.ensure(folder, List.of("client"), InstantSource.system(), new SecureRandom());
    try (InputStream in = Files.newInputStream(files.certificate())) {
      X509Certificate own =
          (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
      tester.transport.certificates = new PeerCertificates(List.of(own), "not of the platform");
    }
    fixture.certificates = (local, chain) -> check(local, "romeo");
  }

  private Admission check(@Nullable String local, String... named) {
    asked.add(local);
    if (local == null && named.length > 1) {
      return new Admission.Refused(Verdict.SEVERAL_ADDRESSES);
    }
    String wanted = local == null ? named[0] : local;
    return List.of(named).contains(wanted)
        ? new Admission.Admitted(Jid.of(wanted, "example.org", null), false)
        : new Admission.Refused("another account");
  }

  private static String auth(String authzid) {
    String data =
        authzid.isEmpty()
            ? "="
            : Base64.getEncoder().encodeToString(authzid.getBytes(StandardCharsets.UTF_8));
    return "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='EXTERNAL'>"
        + data
        + "</auth>";
  }

  private static String failure(String condition) {
    return "<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><" + condition + "/></failure>";
  }

  private String send(String text) {
    return tester.send(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "romeo@example.org", "ROMEO@example.org"})
  void theCertificateIsTheProof(String authzid) {
    assertThat(send(HEADER)).contains(OFFER);
    assertThat(send(auth(authzid))).isEqualTo(SUCCESS);
    assertThat(send(HEADER)).contains("<bind ").doesNotContain(OFFER);
  }

  @Test
  void aClientWithoutAnInitialResponseIsAskedForIt() {
    send(HEADER);
    assertThat(send("<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='EXTERNAL'/>"))
        .startsWith("<challenge");
    assertThat(send("<response xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>")).isEqualTo(SUCCESS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "juliet@example.org",
        "romeo@other.example",
        "romeo@example.org/balcony",
        "example.org",
        "romeo",
        "@example.org",
        "romeo@example.org@other.example",
        "rom eo@example.org"
      })
  void aClientActsForNobodyElse(String authzid) {
    send(HEADER);
    assertThat(send(auth(authzid))).isEqualTo(failure("invalid-authzid"));
    assertThat(send(auth("romeo@example.org"))).as("another attempt").isEqualTo(SUCCESS);
  }

  @Test
  void ofSeveralAddressesTheClientSaysWhich() {
    fixture.certificates = (local, chain) -> check(local, "juliet", "romeo");
    assertThat(send(HEADER)).contains(OFFER);
    assertThat(send(auth(""))).isEqualTo(failure("invalid-authzid"));
    assertThat(send(auth("nurse@example.org"))).isEqualTo(failure("invalid-authzid"));
    assertThat(send(auth("romeo@example.org"))).isEqualTo(SUCCESS);
  }

  @Test
  void whatIsNoRightCertificateIsNoOffer() {
    for (Admission answer :
        List.of(
            new Admission.Refused("expired"), new Admission.Unavailable("the list is missing"))) {
      fixture.certificates = (local, chain) -> answer;
      StreamTester other = StreamTester.secure(fixture);
      other.transport.certificates = tester.transport.certificates;
      assertThat(other.send(HEADER)).contains("<mechanism>PLAIN<").doesNotContain(OFFER);
      assertThat(other.send(auth(""))).isEqualTo(failure("invalid-mechanism"));
    }
    StreamTester without = StreamTester.secure(fixture);
    assertThat(without.send(HEADER)).contains("<mechanism>PLAIN<").doesNotContain(OFFER);
  }

  @Test
  void aCheckThatFailsIsNoOfferAndNoEnd() {
    fixture.certificates =
        (local, chain) -> {
          throw new IllegalStateException("broken");
        };
    assertThat(send(HEADER)).contains("<mechanism>PLAIN<").doesNotContain(OFFER);
  }

  @Test
  void aCertificateThatIsRevokedMeanwhileIsRefused() {
    send(HEADER);
    fixture.certificates = (local, chain) -> new Admission.Refused("revoked");
    assertThat(send(auth(""))).startsWith("<failure");
    fixture.certificates = (local, chain) -> new Admission.Unavailable("away");
    assertThat(send(auth(""))).isEqualTo(failure("temporary-auth-failure"));
  }

  @Test
  void aDisabledAccountIsToldOnlyToWhoHasItsCertificate() {
    fixture.disabled.add(ROMEO);
    assertThat(send(HEADER)).contains(OFFER);
    assertThat(send(auth(""))).isEqualTo(failure("account-disabled"));
    fixture.disabled.clear();
    fixture.certificates = (local, chain) -> new Admission.Disabled(ROMEO);
    assertThat(send(auth(""))).isEqualTo(failure("account-disabled"));
  }

  @Test
  void anotherHostOffersNothing() {
    assertThat(send(HEADER.replace("example.org", "other.example"))).doesNotContain(OFFER);
    assertThat(asked).isEmpty();
  }

  @Test
  void sasl2TakesItToo() {
    assertThat(send(HEADER)).contains("<authentication xmlns='urn:xmpp:sasl:2'>" + OFFER);
    String answer =
        send(
            "<authenticate xmlns='urn:xmpp:sasl:2' mechanism='EXTERNAL'>"
                + "<initial-response/><bind xmlns='urn:xmpp:bind:0'/></authenticate>");
    assertThat(answer)
        .contains("<success xmlns='urn:xmpp:sasl:2'>")
        .contains("<authorization-identifier>romeo@example.org");
  }

  @Test
  void anUpgradeNeedsAPassword() {
    send(HEADER);
    String answer =
        send(
            "<authenticate xmlns='urn:xmpp:sasl:2' mechanism='EXTERNAL'><initial-response/>"
                + "<upgrade xmlns='urn:xmpp:sasl:upgrade:0'>UPGR-SCRAM-SHA-512</upgrade>"
                + "</authenticate>");
    assertThat(answer).contains("<success").doesNotContain("<continue");
  }
}
