package im.zonda.provider.jwt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.Verdict;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.issuer.JsonText;
import im.zonda.testkit.issuer.SigningKey;
import im.zonda.testkit.issuer.TestIssuer;
import java.nio.charset.StandardCharsets;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tokens of attackers.
class TokenAttackTest {
  private static final List<String> ALL =
      List.of("HS256", "RS256", "PS256", "ES256", "ES384", "EdDSA");

  private final FakeClock clock = new FakeClock();
  private final TestIssuer issuer = new TestIssuer();
  private static final SigningKey RSA = SigningKey.create("rsa", "RS256");
  private static final SigningKey CURVE = SigningKey.create("curve", "ES256");
  private @Nullable JwtAccountProvider open;

  @BeforeEach
  void publish() throws Exception {
    issuer.keys.clear();
    issuer.keys.addAll(List.of(RSA, CURVE));
    JwtSettings settings = new JwtSettings(issuer.issuer());
    settings.algorithms = ALL;
    open = JwtAccountProvider.create(settings.build(), Duration.ofSeconds(5), clock);
  }

  @AfterEach
  void close() {
    issuer.close();
    provider().close();
  }

  private JwtAccountProvider provider() {
    return Objects.requireNonNull(open);
  }

  private Map<String, Object> claims() {
    return issuer.claims("chat", "alice", clock.instant());
  }

  private Verdict check(String token) throws Exception {
    return provider().checkToken("example.org", token);
  }

  private void refused(String reason, String token) throws Exception {
    String said = assertInstanceOf(Verdict.Wrong.class, check(token)).reason();
    assertTrue(said.contains(reason), said);
  }

  private String withHeader(String name, Object value) {
    Map<String, Object> header = new HashMap<>(Map.of("alg", "RS256", "kid", "rsa"));
    header.put(name, value);
    return RSA.token(header, JsonText.of(claims()));
  }

  @Test
  void theTokensOfTheIssuerAreAccepted() throws Exception {
    assertInstanceOf(Verdict.Accepted.class, check(RSA.token(claims())));
    assertInstanceOf(Verdict.Accepted.class, check(RSA.as("PS256").token(claims())));
    assertInstanceOf(Verdict.Accepted.class, check(CURVE.token(claims())));
    assertInstanceOf(Verdict.Accepted.class, check(withHeader("x5t", "a hash is harmless")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "None", "NONE", "nOnE", "", "HS1", "RS1", "ES256K", "dir"})
  void noneAndUnknownAlgorithms(String algorithm) throws Exception {
    String claims = JsonText.of(claims());
    String token = RSA.token(Map.of("alg", algorithm), claims);
    refused("is not accepted", token);
    refused("is not accepted", token.substring(0, token.lastIndexOf('.') + 1));
  }

  @Test
  void anAlgorithmThatIsMissingOrNoText() throws Exception {
    refused("algorithm is missing", RSA.token(Map.of("kid", "rsa"), JsonText.of(claims())));
    refused("alg is not a text", withHeader("alg", List.of("RS256")));
    refused("kid is not a text", withHeader("kid", 7));
  }

  @Test
  void aPublicKeyIsNoSharedSecret() throws Exception {
    byte[] encoded = RSA.publicKey().getEncoded();
    String pem =
        "-----BEGIN PUBLIC KEY-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded)
            + "\n-----END PUBLIC KEY-----\n";
    String jwk = JsonText.of(RSA.jwk());
    for (byte[] secret :
        List.of(
            encoded,
            pem.getBytes(StandardCharsets.US_ASCII),
            pem.strip().getBytes(StandardCharsets.US_ASCII),
            jwk.getBytes(StandardCharsets.US_ASCII))) {
      refused(
          "there is no key for HS256",
          SigningKey.secret("HS256", secret).named("rsa").token(claims()));
    }
  }

  @Test
  void aPublishedSetHasNoSharedSecrets() throws Exception {
    SigningKey secret = SigningKey.secret("HS256", new byte[32]);
    issuer.keys.add(secret);
    refused("there is no key for HS256", secret.token(claims()));
  }

  @Test
  void aKeyServesItsOwnTypeAndCurveOnly() throws Exception {
    SigningKey other = SigningKey.create("curve", "ES384");
    refused("signature is wrong", SigningKey.create("curve", "ES256").token(claims()));
    refused("there is no key for ES384", other.token(claims()));
    refused("there is no key for RS256", RSA.named("curve").token(claims()));
    refused("there is no key for EdDSA", CURVE.token(header("EdDSA"), JsonText.of(claims())));
    refused("signature is wrong", RSA.token(header("PS256"), JsonText.of(claims())));
  }

  private static Map<String, String> header(String algorithm) {
    return Map.of("alg", algorithm);
  }

  /// CVE-2022-21449: a signature of zeros.
  @Test
  void aSignatureOfZeros() throws Exception {
    String token = CURVE.token(claims());
    String zeros = Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[64]);
    refused("signature is wrong", token.substring(0, token.lastIndexOf('.') + 1) + zeros);
  }

  @Test
  void keysThatATokenBringsAlong() throws Exception {
    SigningKey mine = SigningKey.create("mine", "RS256");
    for (Map.Entry<String, Object> each :
        Map.of(
                "jwk",
                mine.jwk(),
                "jku",
                "https://attacker.example/keys",
                "x5u",
                "https://attacker.example/chain",
                "x5c",
                List.of("MII"),
                "crit",
                List.of("exp"),
                "b64",
                false)
            .entrySet()) {
      refused("the header has " + each.getKey(), withHeader(each.getKey(), each.getValue()));
    }
  }

  @Test
  void tokensForOtherEnds() throws Exception {
    refused("of another type", withHeader("typ", "logout+jwt"));
    refused("of another type", withHeader("typ", "dpop+jwt"));
    Map<String, Object> claims = claims();
    claims.put("cnf", Map.of("jkt", "a thumbprint"));
    refused("bound to a key", RSA.token(claims));
    claims = claims();
    claims.put("aud", "shop");
    refused("for others", RSA.token(claims));
    claims.remove("aud");
    refused("for others", RSA.token(claims));
  }

  @Test
  void timesThatAreNone() throws Exception {
    for (Object time : List.of("tomorrow", -1, 1e300, Map.of(), true, 253402300800L)) {
      Map<String, Object> claims = claims();
      claims.put("exp", time);
      refused("exp is not a time", RSA.token(claims));
    }
    Map<String, Object> claims = claims();
    claims.remove("exp");
    refused("has no end", RSA.token(claims));
  }

  @Test
  void claimsOfOtherTypes() throws Exception {
    for (Object value : List.of(7, List.of("alice"), Map.of("a", "b"), true)) {
      Map<String, Object> claims = claims();
      claims.put("preferred_username", value);
      refused("is not a text", RSA.token(claims));
      claims = claims();
      claims.put("sub", value);
      refused("sub is not a text", RSA.token(claims));
      claims = claims();
      claims.put("iss", value);
      assertEquals(Verdict.UNKNOWN, check(RSA.token(claims)));
    }
    Map<String, Object> claims = claims();
    claims.put("sub", "x".repeat(600));
    refused("sub is too long", RSA.token(claims));
  }

  @Test
  void hugeTokens() throws Exception {
    Map<String, Object> claims = claims();
    claims.put("x", "x".repeat(9_000));
    refused("more than 8192", RSA.token(claims));
    refused("more than 8192", ".".repeat(8_193));
    assertEquals(Verdict.UNKNOWN, check(".".repeat(8_192)));
  }

  @Test
  void jsonThatIsNone() throws Exception {
    String good = JsonText.of(claims());
    for (String claims :
        List.of(
            "",
            "[]",
            "null",
            "{",
            good + "{}",
            "{\"iss\":\"a\",\"iss\":\"" + issuer.issuer() + "\"}",
            "[".repeat(3_000) + "]".repeat(3_000),
            "{\"a\":".repeat(1_000) + "1" + "}".repeat(1_000))) {
      assertNotAccepted(RSA.token(header("RS256"), claims));
    }
    String token = RSA.token(claims());
    for (String changed :
        List.of(
            token + "=",
            token + ".",
            " " + token,
            token + "\n",
            token.replaceFirst("\\.", "..") + ".a",
            "Bearer " + token,
            token.replaceFirst("\\.", "\u0000."))) {
      assertNotAccepted(changed);
    }
  }

  private void assertNotAccepted(String token) throws Exception {
    assertFalse(check(token) instanceof Verdict.Accepted, token);
  }

  @Test
  void reasonsHaveNothingOfAnAttackersText() throws Exception {
    String evil = "x\n\u001b[31mfake=line\u202e" + "y".repeat(500);
    String said = assertInstanceOf(Verdict.Wrong.class, check(withHeader("alg", evil))).reason();
    assertTrue(said.length() < 100 && said.chars().allMatch(each -> each >= ' ' && each < 0x7f));
    said = assertInstanceOf(Verdict.Wrong.class, check(withHeader("kid", evil))).reason();
    assertTrue(said.length() < 100 && said.chars().allMatch(each -> each >= ' ' && each < 0x7f));
    String token = RSA.token(claims());
    String signature = token.substring(token.lastIndexOf('.') + 1);
    assertNotEquals("", signature);
    PasswordQuestion question =
        new PasswordQuestion("example.org", "alice", token + "x", null, "PLAIN");
    assertFalse(provider().test(question).toString().contains(signature));
    assertFalse(question.toString().contains(signature));
  }

  @Test
  void weakKeysAreNotUsed() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(1_024);
    SigningKey weak = new SigningKey("weak", "RS256", generator.generateKeyPair(), null);
    issuer.keys.add(weak);
    refused("there is no key for RS256", weak.token(claims()));
  }
}
