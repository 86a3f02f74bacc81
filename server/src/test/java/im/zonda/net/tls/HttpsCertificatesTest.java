package im.zonda.net.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// HTTPS presents the certificate of the host that is asked for (SNI), and new ones when they come.
@Timeout(60)
class HttpsCertificatesTest {
  @TempDir private Path folder;

  @Test
  void theCertificateOfTheHostIsPresentedAndReplaced() throws Exception {
    SecureRandom random = new SecureRandom();
    InstantSource clock = InstantSource.system();
    try (ChallengeServer server = new ChallengeServer(folder)) {
      assertThat(names(server, "b.example")).contains("example.org");
      Path other = Files.createDirectories(folder.resolve("b"));
      PemFiles own = SelfSigned.ensure(other, List.of("b.example"), clock, random);
      PemFiles first =
          new PemFiles(folder.resolve("self-signed.crt"), folder.resolve("self-signed.key"));
      Certificates certificates = server.certificates();
      certificates.use(
          certificates.load(new CertificateFiles(List.of(first, own), Map.of("b.example", own))),
          Map.of("b.example", List.of("rooms.b.example")));
      assertThat(names(server, "b.example")).contains("b.example");
      assertThat(names(server, "rooms.b.example")).contains("b.example");
      assertThat(names(server, "example.org")).contains("example.org");
      var before = server.certificateFor("b.example").getSerialNumber();
      Files.delete(own.certificate());
      SelfSigned.ensure(other, List.of("b.example", "c.example"), clock, random);
      assertThat(certificates.reloadIfChanged()).isTrue();
      assertThat(server.certificateFor("b.example").getSerialNumber()).isNotEqualTo(before);
    }
  }

  private static final String[] RSA_FIRST = {
    "rsa_pss_rsae_sha256", "rsa_pkcs1_sha256", "ecdsa_secp256r1_sha256"
  };

  /// A host shares its EC certificate and another has an RSA one to itself: a client that likes RSA
  /// better still gets the certificate of the host that it asks for (RFC 6066, section 3).
  @Test
  void theKindOfKeyThatAClientPrefersDoesNotChooseTheHost() throws Exception {
    try (ChallengeServer server = new ChallengeServer(folder)) {
      Path other = Files.createDirectories(folder.resolve("b"));
      PemFiles own = RsaIdentity.create(other, "b.example");
      PemFiles first =
          new PemFiles(folder.resolve("self-signed.crt"), folder.resolve("self-signed.key"));
      Certificates certificates = server.certificates();
      certificates.use(
          certificates.load(new CertificateFiles(List.of(first, own), Map.of("b.example", own))),
          Map.of("example.org", List.of("rooms.example.org"), "b.example", List.of()));
      for (String protocol : List.of("TLSv1.3", "TLSv1.2")) {
        assertThat(names(server, "example.org", protocol, RSA_FIRST)).contains("example.org");
        assertThat(names(server, "rooms.example.org", protocol, RSA_FIRST)).contains("example.org");
        assertThat(names(server, "unknown.example", protocol, RSA_FIRST)).contains("example.org");
        assertThat(names(server, "b.example", protocol, RSA_FIRST)).contains("b.example");
        assertThatThrownBy(() -> names(server, "example.org", protocol, "rsa_pss_rsae_sha256"))
            .as("none rather than another host's")
            .isInstanceOf(SSLException.class);
      }
    }
  }

  private static String names(
      ChallengeServer server, String domain, String protocol, String... signatures)
      throws Exception {
    return String.valueOf(
        server.certificateFor(domain, protocol, signatures).getSubjectAlternativeNames());
  }

  private static String names(ChallengeServer server, String domain) throws Exception {
    return String.valueOf(server.certificateFor(domain).getSubjectAlternativeNames());
  }
}
