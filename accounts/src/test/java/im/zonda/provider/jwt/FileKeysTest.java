package im.zonda.provider.jwt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.Verdict;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.issuer.JsonText;
import im.zonda.testkit.issuer.SigningKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileKeysTest {
  private static final SigningKey ONE = SigningKey.create("one", "ES256");
  private static final SigningKey TWO = SigningKey.create("two", "EdDSA");
  private static final SigningKey SECRET =
      SigningKey.secret(
          "HS256", "a secret of the length of the hash".getBytes(StandardCharsets.US_ASCII));

  private final FakeClock clock = new FakeClock();
  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("keys");
  }

  private void write(String text) throws IOException {
    Files.writeString(file, text);
  }

  private JwtAccountProvider provider() throws ProviderException {
    JwtSettings settings = new JwtSettings("game");
    settings.keys = file;
    settings.algorithms = List.of("HS256", "RS256", "ES256", "EdDSA");
    return JwtAccountProvider.create(settings.build(), Duration.ofSeconds(5), clock);
  }

  private Verdict check(JwtAccountProvider provider, SigningKey key) throws Exception {
    return provider.checkToken(
        "example.org",
        key.token(
            Map.of(
                "iss", "game",
                "aud", "chat",
                "preferred_username", "alice",
                "exp", clock.instant().getEpochSecond() + 60)));
  }

  private static String pem(SigningKey key) {
    return "-----BEGIN PUBLIC KEY-----\n"
        + Base64.getMimeEncoder().encodeToString(key.publicKey().getEncoded())
        + "\n-----END PUBLIC KEY-----\n";
  }

  private static String set(SigningKey... keys) {
    return JsonText.of(Map.of("keys", List.of(keys).stream().map(SigningKey::jwk).toList()));
  }

  @Test
  void aJwkSetOrOneJwk() throws Exception {
    write(set(ONE, TWO, SECRET));
    try (JwtAccountProvider provider = provider()) {
      for (SigningKey each : List.of(ONE, TWO, SECRET)) {
        assertInstanceOf(Verdict.Accepted.class, check(provider, each), each.algorithm());
      }
    }
    write(JsonText.of(SECRET.jwk()));
    try (JwtAccountProvider provider = provider()) {
      assertInstanceOf(Verdict.Accepted.class, check(provider, SECRET));
      assertInstanceOf(Verdict.Wrong.class, check(provider, ONE));
    }
  }

  @Test
  void severalPublicKeysAsPem() throws Exception {
    SigningKey rsa = SigningKey.create("three", "RS256");
    write("of the game\n" + pem(ONE) + pem(TWO) + pem(rsa));
    try (JwtAccountProvider provider = provider()) {
      for (SigningKey each : List.of(ONE, TWO, rsa)) {
        assertInstanceOf(Verdict.Accepted.class, check(provider, each), each.algorithm());
      }
    }
  }

  @Test
  void aFileThatHasChangedIsReadAgain() throws Exception {
    write(set(ONE));
    try (JwtAccountProvider provider = provider()) {
      assertInstanceOf(Verdict.Accepted.class, check(provider, ONE));
      write(set(ONE, TWO));
      assertInstanceOf(Verdict.Accepted.class, check(provider, TWO));
      write("half a fi");
      assertInstanceOf(Verdict.Accepted.class, check(provider, TWO), "what was read last");
      Files.delete(file);
      assertInstanceOf(Verdict.Accepted.class, check(provider, TWO));
      write(set(ONE));
      assertInstanceOf(Verdict.Wrong.class, check(provider, TWO));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "{\"keys\":[]}",
        "{\"keys\":[{\"kty\":\"oct\",\"k\":\"open sesame",
        "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"
      })
  void aFileThatIsNoneSaysSoWithoutItsText(String text) throws Exception {
    write(text);
    String problem = FileKeys.problem(file);
    assertNotNull(problem);
    assertFalse(problem.contains("sesame"));
    try (JwtAccountProvider provider = provider()) {
      ProviderException failure = assertThrows(ProviderException.class, () -> check(provider, ONE));
      assertEquals(problem, failure.getMessage());
    }
  }

  @Test
  void aFileThatIsNotThere() throws Exception {
    assertEquals(file + " cannot be read", FileKeys.problem(file));
    write(set(ONE));
    assertNull(FileKeys.problem(file));
    write(" ".repeat(300_000));
    assertEquals(file + " has more than 262144 bytes", FileKeys.problem(file));
  }
}
