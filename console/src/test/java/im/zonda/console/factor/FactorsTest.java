package im.zonda.console.factor;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.console.testing.MapValues;
import im.zonda.hash.HashFunction;
import im.zonda.http.Signer;
import im.zonda.jid.Jid;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class FactorsTest {
  private static final Jid ALICE = Jid.of("alice@own.example");
  private static final Jid BOB = Jid.of("bob@own.example");
  private static final Signer SIGNER =
      (purpose, text) -> HashFunction.SHA_256.hash("a secret " + purpose + " " + text);

  private final MapValues values = new MapValues();
  private final MapValues owners = new MapValues();
  private Instant now = Instant.parse("2026-11-28T12:00:00Z");
  private final Factors factors = factors(SIGNER);

  private Factors factors(Signer signer) {
    return new Factors(
        name -> name.equals(Factors.STORE) ? values : owners,
        signer,
        () -> now,
        new SecureRandom());
  }

  /// The code that an app shows now.
  private String code(String secret) {
    return OneTimeCode.of(decode(secret), OneTimeCode.step(now));
  }

  private static byte[] decode(String base32) {
    byte[] bytes = new byte[base32.length() * 5 / 8];
    long buffer = 0;
    int bits = 0;
    int next = 0;
    for (int i = 0; i < base32.length(); i++) {
      buffer = (buffer << 5) | "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(base32.charAt(i));
      bits += 5;
      if (bits >= 8) {
        bits -= 8;
        bytes[next++] = (byte) (buffer >> bits);
      }
    }
    return bytes;
  }

  /// Begins codes; returns the secret that the app has.
  private String begin() {
    String sealed = factors.newSecret(ALICE);
    String secret = Objects.requireNonNull(factors.shown(ALICE, sealed));
    assertThat(factors.begin(ALICE, sealed, code(secret))).isEqualTo(Factors.Proof.RIGHT);
    return secret;
  }

  private void advance(Duration time) {
    now = now.plus(time);
  }

  @Test
  void aCodeIsRightOnce() {
    String secret = begin();
    assertThat(factors.prove(ALICE, code(secret))).isEqualTo(Factors.Proof.WRONG); // confirmed it
    advance(Duration.ofSeconds(30));
    String code = code(secret);
    assertThat(factors.prove(ALICE, code.substring(0, 3) + " " + code.substring(3)))
        .isEqualTo(Factors.Proof.RIGHT);
    assertThat(factors.prove(ALICE, code)).isEqualTo(Factors.Proof.WRONG);
    advance(Duration.ofSeconds(30));
    assertThat(factors.prove(ALICE, code)).isEqualTo(Factors.Proof.WRONG);
    assertThat(factors.prove(ALICE, code(secret))).isEqualTo(Factors.Proof.RIGHT);
  }

  /// Two nodes that see the same state: the second removes nothing.
  @Test
  void ofTwoNodesWithTheSameCodeOneTakesIt() {
    String secret = begin();
    advance(Duration.ofSeconds(30));
    long last = OneTimeCode.step(now) - 1;
    assertThat(values.remove(ALICE, "step-" + last)).isTrue(); // the other node was first
    assertThat(factors.prove(ALICE, code(secret))).isEqualTo(Factors.Proof.WRONG);
  }

  @Test
  void aFewWrongCodesBlockFurtherOnes() {
    String secret = begin();
    advance(Duration.ofSeconds(30));
    for (int i = 0; i < FailedCodes.MOST; i++) {
      assertThat(factors.prove(ALICE, "00000a")).isEqualTo(Factors.Proof.WRONG);
    }
    assertThat(factors.prove(ALICE, code(secret))).isEqualTo(Factors.Proof.TOO_MANY);
    assertThat(factors.prove(BOB, "00000a")).isEqualTo(Factors.Proof.WRONG);
    advance(FailedCodes.REMEMBERED);
    assertThat(factors.prove(ALICE, code(secret))).isEqualTo(Factors.Proof.RIGHT);
  }

  @Test
  void wrongCodesAtOtherNodesCount() {
    String secret = begin();
    advance(Duration.ofSeconds(30));
    Factors elsewhere = factors(SIGNER);
    for (int i = 0; i < FailedCodes.MOST; i++) {
      Factors node = i % 2 == 0 ? factors : elsewhere;
      assertThat(node.prove(ALICE, "00000a")).isEqualTo(Factors.Proof.WRONG);
    }
    assertThat(elsewhere.prove(ALICE, code(secret))).isEqualTo(Factors.Proof.TOO_MANY);
    assertThat(factors.prove(ALICE, code(secret))).isEqualTo(Factors.Proof.TOO_MANY);
    assertThat(factors.reset(ALICE)).isTrue();
    assertThat(elsewhere.prove(ALICE, "00000a")).isEqualTo(Factors.Proof.WRONG);
  }

  @Test
  void nothingIsLeftOfWrongCodesOnceOneIsRight() {
    String secret = begin();
    advance(Duration.ofSeconds(30));
    assertThat(factors.prove(ALICE, "00000a")).isEqualTo(Factors.Proof.WRONG);
    assertThat(values.text()).contains("failed-");
    assertThat(factors.prove(ALICE, code(secret))).isEqualTo(Factors.Proof.RIGHT);
    assertThat(values.text()).doesNotContain("failed-");
  }

  @Test
  void wrongCodesAreForgottenWhenTheClockIsSetBack() {
    for (int i = 0; i < FailedCodes.MOST; i++) {
      assertThat(factors.prove(ALICE, "00000a")).isEqualTo(Factors.Proof.WRONG);
    }
    now = now.minus(Duration.ofDays(1));
    assertThat(factors.prove(ALICE, "00000a")).isEqualTo(Factors.Proof.WRONG);
  }

  @Test
  void aRecoveryCodeIsRightOnceAndForOneAccount() {
    begin();
    List<String> codes = factors.newRecoveryCodes(ALICE);
    assertThat(codes).hasSize(Factors.RECOVERY_CODES).doesNotHaveDuplicates();
    String first = codes.getFirst();
    assertThat(first).matches("[A-Z2-7]{4}(-[A-Z2-7]{4}){3}");
    assertThat(factors.prove(BOB, first)).isEqualTo(Factors.Proof.WRONG);
    assertThat(factors.prove(ALICE, first.toLowerCase(Locale.ROOT))).isEqualTo(Factors.Proof.RIGHT);
    assertThat(factors.prove(ALICE, first)).isEqualTo(Factors.Proof.WRONG);
    assertThat(factors.of(ALICE).recoveryCodes()).isEqualTo(Factors.RECOVERY_CODES - 1);
    List<String> others = factors.newRecoveryCodes(ALICE);
    assertThat(factors.prove(ALICE, codes.getLast())).isEqualTo(Factors.Proof.WRONG);
    assertThat(factors.prove(ALICE, others.getLast())).isEqualTo(Factors.Proof.RIGHT);
  }

  /// Who reads the database signs in nowhere.
  @Test
  void theStoreHasNoSecret() {
    String secret = begin();
    String recovery = factors.newRecoveryCodes(ALICE).getFirst();
    String stored = values.text();
    assertThat(stored)
        .doesNotContain(
            secret,
            recovery,
            recovery.replace("-", ""),
            new String(decode(secret), StandardCharsets.ISO_8859_1));
    advance(Duration.ofSeconds(30));
    Factors elsewhere = factors((purpose, text) -> HashFunction.SHA_256.hash("other" + purpose));
    assertThat(elsewhere.prove(ALICE, code(secret))).isEqualTo(Factors.Proof.WRONG);
    assertThat(elsewhere.prove(ALICE, recovery)).isEqualTo(Factors.Proof.WRONG);
    assertThat(elsewhere.of(ALICE).any()).isTrue(); // and the password is not enough either
  }

  @Test
  void aSecretBelongsToOneAccount() {
    String sealed = factors.newSecret(ALICE);
    assertThat(factors.shown(BOB, sealed)).isNull();
    String code = code(Objects.requireNonNull(factors.shown(ALICE, sealed)));
    assertThat(factors.begin(BOB, sealed, code)).isEqualTo(Factors.Proof.WRONG);
    assertThat(factors.begin(ALICE, "?" + sealed, code)).isEqualTo(Factors.Proof.WRONG);
    assertThat(factors.of(BOB).any()).isFalse();
  }

  @Test
  void everythingIsRemoved() {
    begin();
    assertThat(factors.newRecoveryCodes(ALICE)).isNotEmpty();
    PasskeyKey key = new PasskeyKey(PasskeyKey.Kind.EDDSA, new byte[32]);
    assertThat(factors.add(ALICE, "AAAA", key, "own.example", "phone")).isTrue();
    assertThat(factors.add(BOB, "AAAA", key, "own.example", "taken")).isFalse();
    assertThat(factors.of(ALICE).passkeys()).hasSize(1);
    assertThat(factors.reset(ALICE)).isTrue();
    assertThat(factors.of(ALICE)).isEqualTo(new Factors.State(null, List.of(), 0));
    assertThat(values.text()).isEmpty();
    assertThat(owners.text()).isEmpty();
    assertThat(factors.reset(ALICE)).isFalse();
  }

  /// What is left of a removed account cannot be read.
  @Test
  void aPasskeyEndsWithItsAccount() {
    PasskeyKey key = new PasskeyKey(PasskeyKey.Kind.EDDSA, new byte[32]);
    assertThat(factors.add(ALICE, "AAAA", key, "own.example", "phone")).isTrue();
    Factors.Owned owned = Objects.requireNonNull(factors.find("AAAA"));
    assertThat(owned.account()).isEqualTo(ALICE);
    factors.used(owned, 7);
    assertThat(Objects.requireNonNull(factors.find("AAAA")).passkey().counter()).isEqualTo(7);
    values.removeOwner(ALICE);
    assertThat(factors.find("AAAA")).isNull();
    assertThat(owners.text()).doesNotContain("alice");
  }

  /// Recovery codes stand in for something: without it the password is enough anyway.
  @Test
  void recoveryCodesEndWithTheLastFactor() {
    begin();
    assertThat(factors.newRecoveryCodes(ALICE)).isNotEmpty();
    factors.endCodes(ALICE);
    assertThat(factors.of(ALICE).recoveryCodes()).isZero();
  }

  @Test
  void anAccountHasAFewPasskeys() {
    PasskeyKey key = new PasskeyKey(PasskeyKey.Kind.EDDSA, new byte[32]);
    for (int i = 0; i < Factors.MOST_PASSKEYS; i++) {
      assertThat(factors.add(ALICE, "id" + i, key, "own.example", "phone")).isTrue();
    }
    assertThat(factors.add(ALICE, "more", key, "own.example", "phone")).isFalse();
  }
}
