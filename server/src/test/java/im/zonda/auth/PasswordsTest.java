package im.zonda.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.ScramKeys;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PasswordsTest {
  private static final SecureRandom RANDOM = new SecureRandom();

  @Test
  void keysForEveryHashWithSaltsOfTheirOwn() {
    List<ScramKeys> keys = Passwords.derive("pencil", RANDOM);

    assertThat(keys).extracting(ScramKeys::hash).containsExactlyElementsOf(Passwords.HASHES);
    assertThat(keys).allMatch(key -> key.iterations() == 10_000 && key.salt().length == 16);
    assertThat(keys.get(0).salt()).isNotEqualTo(keys.get(1).salt());
  }

  @Test
  void rfc5802ExampleSignsAsTheServerDoes() throws Exception {
    ScramKeys keys =
        Passwords.derive("pencil", "SHA-1", Base64.getDecoder().decode("QSXCR+Q6sek8bf92"), 4096);

    String auth =
        "n=user,r=fyko+d2lbbFgONRv9qkxdawL,"
            + "r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096,"
            + "c=biws,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j";
    assertThat(hmac("HmacSHA1", keys.serverKey(), auth)).isEqualTo("rmF9pqV8S7suAoZWja4dJRkFsKQ=");
    byte[] signature = Base64.getDecoder().decode(hmac("HmacSHA1", keys.storedKey(), auth));
    byte[] proof = Base64.getDecoder().decode("v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=");
    byte[] clientKey = new byte[proof.length];
    for (int i = 0; i < proof.length; i++) {
      clientKey[i] = (byte) (proof[i] ^ signature[i]);
    }
    assertThat(MessageDigest.getInstance("SHA-1").digest(clientKey)).isEqualTo(keys.storedKey());
  }

  @Test
  void rfc7677ExampleSignsAsTheServerDoes() throws Exception {
    ScramKeys keys =
        Passwords.derive(
            "pencil", "SHA-256", Base64.getDecoder().decode("W22ZaJ0SNY7soEsUEjb6gQ=="), 4096);

    String auth =
        "n=user,r=rOprNGfwEbeRWgbNEkqO,"
            + "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,"
            + "i=4096,c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
    assertThat(hmac("HmacSHA256", keys.serverKey(), auth))
        .isEqualTo("6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
  }

  @Test
  void theRightPasswordMatchesAndAnotherDoesNot() {
    Account account = account("correct horse");

    assertThat(Passwords.matches(account, "correct horse")).isTrue();
    assertThat(Passwords.matches(account, "correct horsf")).isFalse();
    assertThat(Passwords.matches(account, "")).isFalse();
  }

  @Test
  void composedAndDecomposedLettersAreTheSamePassword() {
    assertThat(Passwords.matches(account("caf\u00e9"), "cafe\u0301")).isTrue();
  }

  @Test
  void everySpaceIsAsciiSpace() {
    assertThat(Passwords.matches(account("a b"), "a\u00a0b")).isTrue();
  }

  @Test
  void aPasswordOlderThanTheRulesForCharactersMatches() {
    assertThatThrownBy(() -> Passwords.derive("pass\u00B7word", RANDOM))
        .isInstanceOf(PasswordException.class);
    // PBKDF2 computed with Python's hashlib.
    byte[] salted =
        HexFormat.of().parseHex("a67575b3c3f5a72b39c7436e12e194db9a7c12beaca751155eee420c1e51e1b6");
    byte[] salt = HexFormat.of().parseHex("00010203");
    Account account =
        new Account(
            Jid.of("a", "example.org", null),
            List.of(Passwords.ofSalted("SHA-256", salt, 4096, salted)),
            Instant.EPOCH);

    assertThat(Passwords.matches(account, "pass\u00B7word")).isTrue();
    assertThat(Passwords.matches(account, "password")).isFalse();
  }

  @Test
  void caseMatters() {
    assertThat(Passwords.matches(account("Secret"), "secret")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a\u0000b", "tab\there", "\u007f"})
  void forbiddenPasswords(String password) {
    assertThatThrownBy(() -> Passwords.derive(password, RANDOM))
        .isInstanceOf(PasswordException.class)
        .hasNoCause();
  }

  @Test
  void tooLong() {
    assertThatThrownBy(() -> Passwords.derive("\u00e9".repeat(513), RANDOM))
        .isInstanceOf(PasswordException.class)
        .hasMessageContaining("1024");
    assertThat(Passwords.derive("\u00e9".repeat(512), RANDOM)).hasSize(3);
  }

  @Test
  void anAccountWithoutKeysMatchesNothing() {
    Account account = new Account(Jid.of("a", "example.org", null), List.of(), Instant.EPOCH);

    assertThat(Passwords.matches(account, "x")).isFalse();
  }

  @Test
  void sha512IsRfc2898WithThatHash() {
    // Computed with Python's hashlib and hmac.
    ScramKeys keys =
        Passwords.derive("pencil", "SHA-512", HexFormat.of().parseHex("00010203"), 4096);

    assertThat(HexFormat.of().formatHex(keys.storedKey()))
        .startsWith("91d9c42bd18f5c2b363cf8c229568f8f");
    assertThat(HexFormat.of().formatHex(keys.serverKey()))
        .startsWith("7faf52893cb358ea861ba4d5cd4828c1");
  }

  private static Account account(String password) {
    return new Account(
        Jid.of("a", "example.org", null), Passwords.derive(password, RANDOM), Instant.EPOCH);
  }

  private static String hmac(String algorithm, byte[] key, String text) throws Exception {
    Mac mac = Mac.getInstance(algorithm);
    mac.init(new SecretKeySpec(key, algorithm));
    return Base64.getEncoder()
        .encodeToString(mac.doFinal(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
  }
}
