package im.zonda.console.factor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OneTimeCodeTest {
  private static final byte[] SECRET = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);
  private static final Instant NOW = Instant.ofEpochSecond(1_111_111_111);

  /// RFC 6238, appendix B, the last six digits.
  @ParameterizedTest
  @CsvSource({
    "59, 287082",
    "1111111109, 081804",
    "1111111111, 050471",
    "1234567890, 005924",
    "2000000000, 279037",
    "20000000000, 353130"
  })
  void codesOfTheStandard(long seconds, String code) {
    assertThat(OneTimeCode.of(SECRET, OneTimeCode.step(Instant.ofEpochSecond(seconds))))
        .isEqualTo(code);
  }

  @Test
  void aClockMayBeWrongByOneStep() {
    long step = OneTimeCode.step(NOW);
    for (long each = step - 3; each <= step + 3; each++) {
      long found = OneTimeCode.match(SECRET, OneTimeCode.of(SECRET, each), NOW, OneTimeCode.NONE);
      assertThat(found).isEqualTo(Math.abs(each - step) <= 1 ? each : OneTimeCode.NONE);
    }
  }

  @Test
  void aCodeBeforeTheLastOneIsOfNoUse() {
    long step = OneTimeCode.step(NOW);
    String code = OneTimeCode.of(SECRET, step);
    assertThat(OneTimeCode.match(SECRET, code, NOW, step - 1)).isEqualTo(step);
    assertThat(OneTimeCode.match(SECRET, code, NOW, step)).isEqualTo(OneTimeCode.NONE);
    assertThat(OneTimeCode.match(SECRET, code, NOW, step + 1)).isEqualTo(OneTimeCode.NONE);
  }

  @ParameterizedTest
  @CsvSource({
    "f, MY",
    "fo, MZXQ",
    "foo, MZXW6",
    "foob, MZXW6YQ",
    "fooba, MZXW6YTB",
    "foobar, MZXW6YTBOI"
  })
  void base32OfTheStandard(String text, String encoded) {
    assertThat(Base32.encode(text.getBytes(StandardCharsets.US_ASCII))).isEqualTo(encoded);
  }

  @Test
  void typedTextsMayHaveSpaces() {
    assertThat(Base32.typed("mzxw-6ytb oi")).isEqualTo("MZXW6YTBOI");
    assertThat(Base32.typed("mzxw1")).isNull();
  }
}
