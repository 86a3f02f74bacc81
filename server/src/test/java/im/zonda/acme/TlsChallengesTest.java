package im.zonda.acme;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.net.tls.ChallengeServer;
import im.zonda.net.tls.KeyFile;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Challenges by TLS (RFC 8737) with an authority that connects and looks at the certificate.
@Timeout(60)
class TlsChallengesTest {
  @TempDir private Path folder;

  @Test
  void aCertificateIsIssuedForDomainsThatAreProvedByTls() throws Exception {
    InstantSource clock = InstantSource.system();
    try (ChallengeServer server = new ChallengeServer(folder);
        HttpClient http = HttpClient.newHttpClient();
        FakeAuthority authority =
            new FakeAuthority(
                "tls-alpn-01",
                (domain, token, authorization) ->
                    Arrays.equals(
                        server.challengeOf(domain),
                        MessageDigest.getInstance("SHA-256")
                            .digest(authorization.getBytes(StandardCharsets.US_ASCII))),
                clock)) {
      String chain =
          new AcmeClient(
                  new AcmeClient.Authority(
                      authority.directory(),
                      null,
                      http,
                      KeyFile.ensure(folder.resolve("account.key"))),
                  new TlsChallenges(server.challenges(), clock, new SecureRandom()),
                  clock,
                  _ -> {})
              .order(
                  List.of("a.example", "rooms.a.example"), KeyFile.ensure(folder.resolve("a.key")));
      assertThat(chain).startsWith("-----BEGIN CERTIFICATE-----");
      // Nobody else is shown such a certificate, and nobody after the challenge.
      assertThat(server.challengeOf("a.example")).isEmpty();
      assertThat(server.protocolFor("a.example", "h2")).isEqualTo("h2");
    }
  }
}
