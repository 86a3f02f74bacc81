package im.zonda.bench.xmpp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The examples of RFC 5802, section 5, and RFC 7677, section 3.
class ScramLoginTest {
  private final ScramKeys keys = new ScramKeys();

  @AfterEach
  void close() {
    keys.close();
  }

  @Test
  void sha1() {
    ScramLogin login = new ScramLogin("SHA-1", "user", "pencil", "fyko+d2lbbFgONRv9qkxdawL", keys);

    assertThat(login.first()).isEqualTo("n,,n=user,r=fyko+d2lbbFgONRv9qkxdawL");
    assertThat(login.last("r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096"))
        .succeedsWithin(java.time.Duration.ofSeconds(30))
        .isEqualTo(
            "c=biws,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=");
    assertThat(login.isRight("v=rmF9pqV8S7suAoZWja4dJRkFsKQ=")).isTrue();
    assertThat(login.isRight("v=smF9pqV8S7suAoZWja4dJRkFsKQ=")).isFalse();
  }

  @Test
  void sha256() {
    ScramLogin login = new ScramLogin("SHA-256", "user", "pencil", "rOprNGfwEbeRWgbNEkqO", keys);

    assertThat(
            login.last(
                "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"))
        .succeedsWithin(java.time.Duration.ofSeconds(30))
        .isEqualTo(
            "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=");
    assertThat(login.isRight("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=")).isTrue();
  }

  @Test
  void aNonceOfSomebodyElseIsRefused() {
    ScramLogin login = new ScramLogin("SHA-1", "user", "pencil", "abc", keys);
    assertThatThrownBy(() -> login.last("r=xyz,s=QSXCR+Q6sek8bf92,i=4096"))
        .hasMessageContaining("nonce");
  }

  @Test
  void keysAreDerivedOnce() {
    ScramKeys.Source source = new ScramKeys.Source("SHA-1", "pencil", "QSXCR+Q6sek8bf92", 10);
    assertThat(keys.of(source)).isSameAs(keys.of(source));
  }
}
