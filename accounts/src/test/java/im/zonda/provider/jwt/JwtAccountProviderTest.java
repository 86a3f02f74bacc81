package im.zonda.provider.jwt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import im.zonda.account.provider.AccountProvider.Ability;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProvidedAccount;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.TestStep;
import im.zonda.account.provider.Verdict;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.issuer.SigningKey;
import im.zonda.testkit.issuer.TestIssuer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JwtAccountProviderTest {
  private static final String HOST = "example.org";
  private static final String SECRET =
      "sixty-four bytes that only the issuer and this server know, 1234567";

  private final FakeClock clock = new FakeClock();
  private final TestIssuer issuer = new TestIssuer();
  private final JwtSettings settings = new JwtSettings(issuer.issuer());
  private @Nullable JwtAccountProvider open;

  @AfterEach
  void close() {
    issuer.close();
    if (open != null) {
      open.close();
    }
  }

  private JwtAccountProvider provider() throws ProviderException {
    if (open == null) {
      open = JwtAccountProvider.create(settings.build(), Duration.ofSeconds(5), clock);
    }
    return open;
  }

  private String token(String user) {
    return issuer.keys.getFirst().token(issuer.claims("chat", user, clock.instant()));
  }

  private String token(String claim, Object value) {
    Map<String, Object> claims = issuer.claims("chat", "alice", clock.instant());
    claims.put(claim, value);
    return issuer.keys.getFirst().token(claims);
  }

  private Verdict check(String token) throws Exception {
    return provider().checkToken(HOST, token);
  }

  private ProvidedAccount accepted(String token) throws Exception {
    return assertInstanceOf(Verdict.Accepted.class, check(token)).account();
  }

  private String wrong(String token) throws Exception {
    return assertInstanceOf(Verdict.Wrong.class, check(token)).reason();
  }

  private static PasswordQuestion question(String local, String password) {
    return new PasswordQuestion(HOST, local, password, null, "PLAIN");
  }

  @Test
  void aTokenOfTheIssuerNamesTheAccount() throws Exception {
    assertEquals(
        new ProvidedAccount("alice", issuer.issuer() + " id of alice", false, null, null),
        accepted(token("alice")));
  }

  @Test
  void thePersonHasANameAndAnAddress() throws Exception {
    Map<String, Object> claims = issuer.claims("chat", "Alice", clock.instant());
    claims.put("name", "x".repeat(511) + "\ud83d\ude00");
    claims.put("email", 7);
    ProvidedAccount account = accepted(issuer.keys.getFirst().token(claims));
    assertEquals("alice", account.local(), "prepared");
    assertEquals("x".repeat(511), account.name());
    assertNull(account.email());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256",
        "ES384", "ES512", "EdDSA"
      })
  void allAlgorithms(String algorithm) throws Exception {
    settings.algorithms = List.of(algorithm);
    SigningKey key;
    if (algorithm.startsWith("HS")) {
      settings.secret = SECRET;
      key = SigningKey.secret(algorithm, SECRET.getBytes(StandardCharsets.UTF_8));
    } else {
      key = SigningKey.create("a", algorithm);
    }
    issuer.keys.set(0, key);
    String token = token("alice");
    assertEquals("alice", accepted(token).local());
    char last = token.charAt(token.length() - 20);
    String changed =
        token.substring(0, token.length() - 20)
            + (last == 'A' ? 'B' : 'A')
            + token.substring(token.length() - 19);
    assertEquals("the signature is wrong", wrong(changed));
    assertEquals("the signature is wrong", wrong(token.substring(0, token.lastIndexOf('.') + 1)));
  }

  @ParameterizedTest
  @CsvSource({
    "alice@example.org, alice",
    "ALICE@EXAMPLE.ORG, alice",
    "alice@other.example, ''",
    "example.org, example.org",
    "@example.org, ''",
    "al ice, ''",
    "'', ''",
    "alice/home, ''",
    "alice@example.org@example.org, ''"
  })
  void theClaimIsTheLocalPart(String claim, String local) throws Exception {
    Verdict verdict = check(token("preferred_username", claim));
    if (local.isEmpty()) {
      assertInstanceOf(Verdict.Wrong.class, verdict);
    } else {
      assertEquals(local, assertInstanceOf(Verdict.Accepted.class, verdict).account().local());
    }
  }

  @Test
  void aTokenIsAPasswordOfItsAccountOnly() throws Exception {
    assertInstanceOf(
        Verdict.Accepted.class, provider().checkPassword(question("alice", token("alice"))));
    assertInstanceOf(
        Verdict.Wrong.class, provider().checkPassword(question("bob", token("alice"))));
    assertEquals(
        Verdict.UNKNOWN, provider().checkPassword(question("alice", "a.password.of a person")));
    assertEquals(Set.of(Ability.TOKEN, Ability.PASSWORD), provider().abilities());
  }

  @Test
  void aTokenIsNoPasswordIfTheSettingsSaySo() throws Exception {
    settings.password = false;
    assertEquals(Set.of(Ability.TOKEN), provider().abilities());
  }

  @Test
  void theIssuerIsNamedIfItCanBeLookedUp() throws Exception {
    assertEquals(
        URI.create(issuer.issuer() + "/.well-known/openid-configuration"), provider().issuer());
    assertNull(Discovery.place("game"));
    assertNull(Discovery.place("http://id.example.org"), "without TLS");
    assertEquals(
        URI.create("https://id.example.org/a/.well-known/openid-configuration"),
        Discovery.place("https://id.example.org/a/"));
  }

  @Test
  void aTokenOfAnotherIssuerIsForTheNextProvider() throws Exception {
    assertEquals(Verdict.UNKNOWN, check(token("iss", "https://id.example.org")));
    assertEquals(Verdict.UNKNOWN, check("an opaque token"));
    assertEquals(Verdict.UNKNOWN, check(""));
    assertEquals(Verdict.UNKNOWN, check("..."));
  }

  @Test
  void timesHaveAMinuteOfGrace() throws Exception {
    long now = clock.instant().getEpochSecond();
    assertInstanceOf(Verdict.Accepted.class, check(token("exp", now - 59)));
    assertTrue(wrong(token("exp", now - 60)).contains("has expired"));
    assertInstanceOf(Verdict.Accepted.class, check(token("nbf", now + 60)));
    assertTrue(wrong(token("nbf", now + 61)).contains("not valid before"));
    assertInstanceOf(Verdict.Accepted.class, check(token("iat", now + 60)));
    assertTrue(wrong(token("iat", now + 61)).contains("in the future"));
    assertInstanceOf(Verdict.Accepted.class, check(token("exp", now + 0.5)));
  }

  @Test
  void oneOfTheAudiencesIsEnough() throws Exception {
    assertInstanceOf(Verdict.Accepted.class, check(token("aud", List.of("shop", "chat"))));
    assertTrue(wrong(token("aud", List.of("shop", List.of("chat")))).contains("audiences"));
  }

  @Test
  void anAdministratorSeesWhatIsWrong() throws Exception {
    assertEquals(
        Map.of(
            "keys",
            true,
            "token",
            true,
            "issuer",
            true,
            "algorithm",
            true,
            "signature",
            true,
            "audience",
            true,
            "times",
            true,
            "account",
            true),
        outcome(provider().test(question("alice", token("alice")))));
    String old = token("exp", clock.instant().getEpochSecond() - 100);
    Map<String, Boolean> steps = outcome(provider().test(question("bob", old)));
    assertEquals(false, steps.get("times"));
    assertEquals(false, steps.get("account"));
    assertEquals(true, steps.get("signature"));
    issuer.answers.put("/keys", new TestIssuer.Answer(503, ""));
    List<TestStep> failed = provider().test(question("alice", "no token"));
    assertEquals(
        issuer.issuer() + "/keys has answered with the status 503", failed.getFirst().text());
    assertEquals(List.of("keys", "token"), failed.stream().map(TestStep::name).toList());
    assertFalse(failed.getLast().ok());
  }

  private static Map<String, Boolean> outcome(List<TestStep> steps) {
    return steps.stream().collect(Collectors.toMap(TestStep::name, TestStep::ok));
  }

  @Test
  void withoutKeysNothingIsKnown() throws Exception {
    issuer.answers.put("/keys", new TestIssuer.Answer(503, ""));
    ProviderException failure = assertThrows(ProviderException.class, () -> check(token("alice")));
    assertTrue(String.valueOf(failure.getMessage()).contains("status 503"), failure::getMessage);
  }
}
