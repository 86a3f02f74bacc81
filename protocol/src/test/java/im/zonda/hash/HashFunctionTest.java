package im.zonda.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.junit.jupiter.api.Test;

/// The values are those of FIPS 180 for "abc", and of the same text in UTF-8 by another program.
final class HashFunctionTest {
  @Test
  void theHashesOfThreeLetters() {
    assertThat(HashFunction.SHA_1.hex("abc")).isEqualTo("a9993e364706816aba3e25717850c26c9cd0d89d");
    assertThat(HashFunction.SHA_256.hex("abc"))
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  }

  @Test
  void aTextIsHashedInUtf8() {
    assertThat(HashFunction.SHA_1.hex("é")).isEqualTo("bf15be717ac1b080b4f1c456692825891ff5073d");
  }

  @Test
  void dataMayComeInParts() {
    MessageDigest parts = HashFunction.SHA_256.begin();
    parts.update("a".getBytes(StandardCharsets.UTF_8));
    parts.update("bc".getBytes(StandardCharsets.UTF_8));
    assertThat(parts.digest()).isEqualTo(HashFunction.SHA_256.hash("abc"));
  }
}
