package im.zonda.console.factor;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.console.testing.MapValues;
import im.zonda.hash.HashFunction;
import im.zonda.http.Signer;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// An authenticator in software, and what it must not get away with.
class PasskeyAnswerTest {
  private static final String SITE = "own.example";
  private static final String ORIGIN = "https://own.example";
  private static final byte[] ID = "an identifier".getBytes(StandardCharsets.US_ASCII);
  private static final int PRESENT = 1;
  private static final int VERIFIED = 4;
  private static final int CREDENTIAL = 64;
  private static final int EXTENSIONS = 128;
  private static final PasskeyAnswer.Question QUESTION =
      new PasskeyAnswer.Question("Y2hhbGxlbmdl", ORIGIN, SITE);

  private PasskeyKey.Kind kind = PasskeyKey.Kind.ES256;
  private KeyPair pair;

  PasskeyAnswerTest() throws GeneralSecurityException {
    pair = pair();
  }

  @BeforeEach
  void newKeys() throws GeneralSecurityException {
    pair = pair();
  }

  private KeyPair pair() throws GeneralSecurityException {
    if (kind == PasskeyKey.Kind.EDDSA) {
      return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    }
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  private byte[] cose() {
    if (pair.getPublic() instanceof ECPublicKey key) {
      return HexFormat.of()
          .parseHex(
              "a5010203262001215820"
                  + hex(key.getW().getAffineX())
                  + "225820"
                  + hex(key.getW().getAffineY()));
    }
    byte[] encoded = pair.getPublic().getEncoded();
    byte[] raw = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
    return HexFormat.of().parseHex("a4010103272006215820" + HexFormat.of().formatHex(raw));
  }

  private static String hex(BigInteger number) {
    return String.format(Locale.ROOT, "%064x", number);
  }

  private static byte[] client(String type, String challenge, String origin, String rest) {
    return ("{\"type\":\""
            + type
            + "\",\"challenge\":\""
            + challenge
            + "\",\"origin\":\""
            + origin
            + "\""
            + rest)
        .getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] created() {
    return client("webauthn.create", QUESTION.challenge(), ORIGIN, ",\"crossOrigin\":false}");
  }

  private static byte[] got() {
    return client("webauthn.get", QUESTION.challenge(), ORIGIN, ",\"crossOrigin\":false}");
  }

  private static byte[] data(String site, int flags, int counter, byte[]... more) {
    ByteBuffer buffer = ByteBuffer.allocate(1_024);
    buffer.put(HashFunction.SHA_256.hash(site)).put((byte) flags).putInt(counter);
    for (byte[] each : more) {
      buffer.put(each);
    }
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  private static byte[] credential(byte[] id, byte[] key) {
    return ByteBuffer.allocate(18 + id.length + key.length)
        .putLong(0)
        .putLong(0)
        .putShort((short) id.length)
        .put(id)
        .put(key)
        .array();
  }

  private static PasskeyAnswer answer(byte[] id, byte[] client, byte[] data, byte[] signature) {
    return Objects.requireNonNull(
        PasskeyAnswer.of(
            PasskeyAnswer.encode(id),
            PasskeyAnswer.encode(client),
            PasskeyAnswer.encode(data),
            PasskeyAnswer.encode(signature)));
  }

  private @Nullable PasskeyKey register(byte[] id, byte[] client, byte[] data) {
    return answer(id, client, data, new byte[0]).registers(QUESTION);
  }

  private Passkey registered(long counter) {
    byte[] data = data(SITE, PRESENT | VERIFIED | CREDENTIAL, 0, credential(ID, cose()));
    PasskeyKey key = Objects.requireNonNull(register(ID, created(), data));
    return new Passkey(PasskeyAnswer.encode(ID), key, counter, SITE, "phone", Instant.EPOCH, null);
  }

  private long proves(Passkey passkey, byte[] client, byte[] data) throws Exception {
    Signature signature =
        Signature.getInstance(kind == PasskeyKey.Kind.EDDSA ? "Ed25519" : "SHA256withECDSA");
    signature.initSign(pair.getPrivate());
    signature.update(data);
    signature.update(HashFunction.SHA_256.hash(client));
    return answer(ID, client, data, signature.sign()).proves(QUESTION, passkey);
  }

  @ParameterizedTest
  @EnumSource
  void aPasskeyProves(PasskeyKey.Kind each) throws Exception {
    kind = each;
    pair = pair();
    Passkey passkey = registered(0);
    assertThat(passkey.key().kind()).isEqualTo(each);
    Passkey stored = Passkey.of(passkey.bytes());
    assertThat(proves(stored, got(), data(SITE, PRESENT | VERIFIED, 0))).isZero();
    assertThat(proves(stored, got(), data(SITE, PRESENT | VERIFIED, 9))).isEqualTo(9);
    byte[] extended = data(SITE, PRESENT | VERIFIED | EXTENSIONS, 9, new byte[] {(byte) 0xa0});
    assertThat(proves(stored, got(), extended)).isEqualTo(9);
    byte[] more =
        client("webauthn.get", QUESTION.challenge(), ORIGIN, ",\"crossOrigin\":false,\"other\":1}");
    assertThat(proves(stored, more, data(SITE, PRESENT | VERIFIED, 9))).isEqualTo(9);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, PRESENT, VERIFIED})
  void aPersonIsThereAndIsTheOwner(int flags) throws Exception {
    Passkey passkey = registered(0);
    assertThat(proves(passkey, got(), data(SITE, flags, 1))).isEqualTo(-1);
    byte[] data = data(SITE, flags | CREDENTIAL, 0, credential(ID, cose()));
    assertThat(register(ID, created(), data)).isNull();
  }

  @Test
  void anotherSiteChallengeOrPurposeIsOfNoUse() throws Exception {
    Passkey passkey = registered(0);
    byte[] data = data(SITE, PRESENT | VERIFIED, 1);
    String challenge = QUESTION.challenge();
    String rest = ",\"crossOrigin\":false}";
    for (byte[] client :
        new byte[][] {
          client("webauthn.create", challenge, ORIGIN, rest),
          client("webauthn.get", "b3RoZXI", ORIGIN, rest),
          client("webauthn.get", challenge, "https://evil.example", rest),
          client("webauthn.get", challenge, "http://own.example", rest),
          client("webauthn.get", challenge, "https://own.example:444", rest),
          client("webauthn.get", challenge, "https://own.example.evil.example", rest),
          client("webauthn.get", challenge, ORIGIN, ",\"crossOrigin\":true}"),
          client("webauthn.get", challenge, ORIGIN, ",\"crossOrigin\":false"),
          client("webauthn.get", challenge, ORIGIN, "}"),
          (" " + new String(got(), StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8),
          new byte[0]
        }) {
      assertThat(proves(passkey, client, data))
          .as(new String(client, StandardCharsets.UTF_8))
          .isEqualTo(-1);
    }
    assertThat(proves(passkey, got(), data("evil.example", PRESENT | VERIFIED, 1))).isEqualTo(-1);
    assertThat(proves(passkey, got(), data)).isEqualTo(1);
  }

  /// An authenticator that was copied counts as one of two.
  @Test
  void aCounterGoesOn() throws Exception {
    Passkey passkey = registered(7);
    for (int counter : new int[] {0, 6, 7}) {
      byte[] data = data(SITE, PRESENT | VERIFIED, counter);
      assertThat(proves(passkey, got(), data)).as("counter " + counter).isEqualTo(-1);
    }
    assertThat(proves(passkey, got(), data(SITE, PRESENT | VERIFIED, 8))).isEqualTo(8);
    assertThat(proves(passkey, got(), data(SITE, PRESENT | VERIFIED, -1))).isEqualTo(0xffff_ffffL);
  }

  @Test
  void anotherKeyOrPasskeyProvesNothing() throws Exception {
    Passkey passkey = registered(0);
    pair = pair();
    assertThat(proves(passkey, got(), data(SITE, PRESENT | VERIFIED, 1))).isEqualTo(-1);
    Passkey other = new Passkey("b3RoZXI", passkey.key(), 0, SITE, "other", Instant.EPOCH, null);
    assertThat(proves(other, got(), data(SITE, PRESENT | VERIFIED, 1))).isEqualTo(-1);
    assertThat(
            answer(ID, got(), data(SITE, PRESENT | VERIFIED, 1), new byte[0])
                .proves(QUESTION, passkey))
        .isEqualTo(-1);
  }

  /// Each byte of a registration is what it must be, or the whole is not accepted, or it is one of
  /// the model, the counter or the key.
  @Test
  void damagedDataIsNoPasskey() {
    byte[] good = data(SITE, PRESENT | VERIFIED | CREDENTIAL, 0, credential(ID, cose()));
    assertThat(register(ID, created(), good)).isNotNull();
    for (int length = 0; length < good.length; length++) {
      assertThat(register(ID, created(), Arrays.copyOf(good, length))).as("cut").isNull();
    }
    assertThat(register(ID, created(), Arrays.copyOf(good, good.length + 1))).isNull();
    assertThat(register(new byte[] {1}, created(), good)).isNull();
    assertThat(register(ID, got(), good)).isNull();
    byte[] another = cose();
    another[5] = 0x25; // another algorithm
    byte[] data = data(SITE, PRESENT | VERIFIED | CREDENTIAL, 0, credential(ID, another));
    assertThat(register(ID, created(), data)).isNull();
    assertThat(PasskeyAnswer.of("", "", "", "")).isNull();
    assertThat(PasskeyAnswer.of("?", "", "", "")).isNull();
    assertThat(PasskeyAnswer.of("A".repeat(5_000), "", "", "")).isNull();
  }

  @Test
  void aChallengeIsAnsweredOnceByOneBrowser() {
    Signer signer = (purpose, text) -> HashFunction.SHA_256.hash(purpose + text);
    Instant[] now = {Instant.parse("2026-11-28T12:00:00Z")};
    MapValues answered = new MapValues();
    Challenges challenges = new Challenges(answered, signer, () -> now[0], new SecureRandom());
    String challenge = challenges.create("cookie");
    assertThat(answered.text()).isEmpty();
    assertThat(challenges.take(challenge, "other")).isFalse();
    assertThat(challenges.take(challenge.substring(1), "cookie")).isFalse();
    assertThat(challenges.take("", "cookie")).isFalse();
    Challenges elsewhere = new Challenges(answered, signer, () -> now[0], new SecureRandom());
    assertThat(elsewhere.take(challenge, "cookie")).isTrue();
    assertThat(challenges.take(challenge, "cookie")).isFalse();
    String late = challenges.create("cookie");
    String second = challenges.create("cookie");
    now[0] = now[0].plus(Challenges.VALID).minusMillis(1);
    assertThat(challenges.take(second, "cookie")).isTrue();
    now[0] = now[0].plusMillis(1);
    assertThat(challenges.take(late, "cookie")).isFalse();
    assertThat(challenges.take(challenges.create("cookie"), "cookie")).isTrue();
    assertThat(answered.text().lines()).hasSize(1); // what is too old is gone
  }
}
