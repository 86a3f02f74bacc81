package im.zonda.acme;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.net.tls.KeyFile;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The client and the renewal with an authority that checks everything.
@Timeout(60)
class CertificateRenewalTest {
  private static final Map<String, List<String>> WANTED =
      Map.of("a.example", List.of("a.example", "rooms.a.example"));
  private static final Instant START = Instant.parse("2026-11-25T12:00:00Z");

  @TempDir private Path folder;
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<Duration> pauses = new ArrayList<>();
  private Instant now = START;
  private final InstantSource clock = () -> now;
  private HttpChallenges challenges;
  private FakeAuthority authority;
  private final OrderLog orders = new OrderLog(clock);
  private KeyPair account;
  private CertificateRenewal renewal;

  @BeforeEach
  void start() throws IOException {
    challenges = new HttpChallenges(folder.resolve("challenges"));
    authority =
        new FakeAuthority(
            "http-01",
            (domain, token, authorization) -> authorization.equals(challenges.find(token)),
            clock);
    account = KeyFile.ensure(folder.resolve("account.key"));
    renewal = new CertificateRenewal(folder, this::order, clock, new Random(1));
  }

  private String order(List<String> names, KeyPair key) throws IOException, InterruptedException {
    return new AcmeClient(
            new AcmeClient.Authority(authority.directory(), "admin@a.example", http, account),
            challenges,
            clock,
            pauses::add,
            orders.begin(names.getFirst()))
        .order(names, key);
  }

  /// The steps of the last order, as text.
  private List<String> steps() {
    return orders.steps("a.example").stream()
        .map(each -> each.kind() + " " + each.detail())
        .toList();
  }

  @Test
  void theStepsOfAnOrderAreShown() throws Exception {
    renewal.run(WANTED);
    assertThat(steps())
        .startsWith("ACCOUNT " + authority.directory(), "ORDER a.example, rooms.a.example")
        .contains("CHALLENGE a.example (http-01)", "VALIDATION rooms.a.example")
        .endsWith("ISSUED a.example");
    assertThat(orders.isRunning("a.example")).isTrue();
    orders.end("a.example");
    assertThat(orders.isRunning("a.example")).isFalse();
  }

  @Test
  void anAttemptIsMadeSoonerIfSomeoneWantsIt() throws Exception {
    authority.refusal = "rateLimited";
    assertThat(renewal.run(WANTED)).isFalse();
    assertThat(renewal.states().getFirst().until()).isEqualTo(START.plus(Duration.ofHours(2)));
    assertThat(steps()).hasSize(1);
    authority.refusal = null;
    assertThat(renewal.run(WANTED)).isFalse();
    renewal.retry("a.example");
    assertThat(renewal.run(WANTED)).isTrue();
    assertThat(renewal.states().getFirst().until()).isNull();
  }

  @AfterEach
  void stop() {
    authority.close();
    http.close();
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void aCertificateIsIssuedForProvedDomains() throws Exception {
    assertThat(renewal.run(WANTED)).isTrue();
    Path certificate = CertificateRenewal.certificate(folder, "a.example");
    assertThat(Files.readString(certificate)).startsWith("-----BEGIN CERTIFICATE-----");
    assertThat(permissions(certificate)).isEqualTo("rw-r--r--");
    assertThat(permissions(CertificateRenewal.key(folder, "a.example"))).isEqualTo("rw-------");
    assertThat(permissions(folder.resolve("account.key"))).isEqualTo("rw-------");
    assertThat(renewal.states()).hasSize(1);
    CertificateRenewal.State state = renewal.states().getFirst();
    assertThat(state.ends()).isEqualTo(START.plus(authority.validity));
    assertThat(state.failure()).isNull();
    try (var left = Files.list(folder.resolve("challenges"))) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void itIsRenewedWithTheSameKeyWhenTwoThirdsOfItsTimeAreOver() throws Exception {
    renewal.run(WANTED);
    byte[] key = Files.readAllBytes(CertificateRenewal.key(folder, "a.example"));
    String first = Files.readString(CertificateRenewal.certificate(folder, "a.example"));
    authority.forget();
    now = START.plus(Duration.ofDays(54));
    assertThat(renewal.run(WANTED)).isFalse();
    now = START.plus(Duration.ofDays(61));
    assertThat(renewal.run(WANTED)).isTrue();
    assertThat(Files.readString(CertificateRenewal.certificate(folder, "a.example")))
        .isNotEqualTo(first);
    assertThat(Files.readAllBytes(CertificateRenewal.key(folder, "a.example"))).isEqualTo(key);
  }

  @Test
  void anotherNameNeedsAnotherCertificate() throws Exception {
    renewal.run(WANTED);
    authority.forget();
    assertThat(renewal.run(Map.of("a.example", List.of("a.example")))).isFalse();
    assertThat(renewal.run(Map.of("a.example", List.of("a.example", "b.example")))).isTrue();
  }

  @Test
  void failuresWaitLongerEachTimeAndAreShown() throws Exception {
    CertificateRenewal without =
        new CertificateRenewal(
            folder,
            (names, key) -> {
              throw new AcmeException("the authority is away");
            },
            clock,
            new Random(1));
    Duration before = Duration.ZERO;
    for (int i = 1; i <= 12; i++) {
      assertThat(without.run(WANTED)).isFalse();
      CertificateRenewal.State state = without.states().getFirst();
      assertThat(state.failures()).isEqualTo(i);
      assertThat(state.failure()).isEqualTo("the authority is away");
      Duration wait = Duration.between(now, state.next());
      assertThat(wait).isBetween(Duration.ofMinutes(5), Duration.ofHours(30));
      assertThat(wait.compareTo(before) > 0 || wait.toHours() >= 24).isTrue();
      without.run(WANTED); // not yet
      assertThat(without.states().getFirst().failures()).isEqualTo(i);
      before = wait;
      now = state.next();
    }
  }

  @Test
  void theAuthoritysTimeIsRespected() throws Exception {
    authority.refusal = "rateLimited";
    assertThat(renewal.run(WANTED)).isFalse();
    CertificateRenewal.State state = renewal.states().getFirst();
    assertThat(state.failure()).isEqualTo("rateLimited: no");
    assertThat(Duration.between(now, state.next())).isGreaterThanOrEqualTo(Duration.ofHours(2));
  }

  @Test
  void anAuthorityThatDoesNotAnswerAsOneIsSaidInWords() throws Exception {
    authority.broken = true;
    assertThat(renewal.run(WANTED)).isFalse();
    assertThat(renewal.states().getFirst().failure())
        .isEqualTo(
            "the authority has answered "
                + authority.directory()
                + " with HTTP status 502 and without a reason");
    String address = authority.directory().getAuthority();
    authority.close();
    now = renewal.states().getFirst().next();
    assertThat(renewal.run(WANTED)).isFalse();
    assertThat(renewal.states().getFirst().failure())
        .isEqualTo("the authority at " + address + " cannot be reached: connection refused");
  }

  @Test
  void oldNoncesAreReplaced() throws Exception {
    authority.badNonces = 2;
    assertThat(renewal.run(WANTED)).isTrue();
    authority.forget();
    authority.badNonces = 100;
    now = START.plus(Duration.ofDays(61));
    assertThat(renewal.run(WANTED)).isFalse();
    assertThat(renewal.states().getFirst().failure()).startsWith("badNonce");
  }

  /// The fake authority would not be one if it believed anyone.
  @Test
  void withoutProofThereIsNoCertificate() throws Exception {
    ChallengeResponder silent =
        new ChallengeResponder() {
          @Override
          public String type() {
            return "http-01";
          }

          @Override
          public void publish(String domain, String token, String authorization) {}

          @Override
          public void withdraw(String domain, String token) {}
        };
    CertificateRenewal unproved =
        new CertificateRenewal(
            folder,
            (names, key) ->
                new AcmeClient(
                        new AcmeClient.Authority(authority.directory(), null, http, account),
                        silent,
                        clock,
                        pauses::add)
                    .order(names, key),
            clock,
            new Random(1));
    assertThat(unproved.run(WANTED)).isFalse();
    assertThat(unproved.states().getFirst().failure())
        .isEqualTo("unauthorized: no proof at a.example");
    assertThat(Files.exists(CertificateRenewal.certificate(folder, "a.example"))).isFalse();
  }

  @Test
  void aCertificateOfAnotherKeyIsRefused() throws Exception {
    KeyPair other = KeyFile.ensure(folder.resolve("other.key"));
    CertificateRenewal wrong =
        new CertificateRenewal(folder, (names, key) -> order(names, other), clock, new Random(1));
    assertThat(wrong.run(WANTED)).isFalse();
    assertThat(wrong.states().getFirst().failure()).contains("another key");
  }

  @Test
  void tokensAreNoPaths() throws Exception {
    Files.writeString(folder.resolve("secret"), "x");
    challenges.publish("a.example", "abc", "abc.key");
    assertThat(challenges.find("abc")).isEqualTo("abc.key");
    assertThat(challenges.find("../secret")).isNull();
    assertThat(challenges.find("")).isNull();
    assertThat(challenges.find("none")).isNull();
  }
}
