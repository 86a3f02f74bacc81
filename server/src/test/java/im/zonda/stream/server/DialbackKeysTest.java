package im.zonda.stream.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// The examples of XEP-0185 and XEP-0220.
final class DialbackKeysTest {
  private final DialbackKeys keys = new DialbackKeys("s3cr3tf0rd14lb4ck");

  @Test
  void keysAreThoseOfTheExamples() {
    assertThat(keys.make("xmpp.example.com", "example.org", "D60000229F"))
        .isEqualTo("37c69b1cf07a3f67c04a5ef5902fa5114f2c76fe4a2686482ba5b89323075643");
    assertThat(keys.make("montague.example", "capulet.example", "D60000229F"))
        .isEqualTo("b4835385f37fe2895af6c196b59097b16862406db80559900d96bf6fa7d23df3");
  }

  @Test
  void aKeyIsForOneStreamAndOnePair() {
    String key = keys.make("a.example", "b.example", "1");
    assertThat(keys.check(key, "a.example", "b.example", "1")).isTrue();
    assertThat(keys.check(key, "a.example", "b.example", "2")).isFalse();
    assertThat(keys.check(key, "b.example", "a.example", "1")).isFalse();
    assertThat(keys.check(key.substring(1), "a.example", "b.example", "1")).isFalse();
  }
}
