package im.zonda.acme;

import im.zonda.hash.HashFunction;
import im.zonda.net.tls.ChallengeCertificates;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/// Answers challenges by TLS (`tls-alpn-01`, RFC 8737).
///
/// @param certificates what this server presents
public record TlsChallenges(
    ChallengeCertificates certificates, InstantSource clock, RandomGenerator random)
    implements ChallengeResponder {
  @Override
  public String type() {
    return "tls-alpn-01";
  }

  @Override
  public void publish(String domain, String token, String authorization) {
    certificates.present(domain, HashFunction.SHA_256.hash(authorization), clock.instant(), random);
  }

  @Override
  public void withdraw(String domain, String token) {
    certificates.withdraw(domain);
  }
}
