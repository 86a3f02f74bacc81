package im.zonda.net.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
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

  private static String names(ChallengeServer server, String domain) throws Exception {
    return String.valueOf(server.certificateFor(domain).getSubjectAlternativeNames());
  }
}
