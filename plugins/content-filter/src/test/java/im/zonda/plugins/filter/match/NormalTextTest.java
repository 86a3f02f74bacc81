package im.zonda.plugins.filter.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.text.Normalizer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NormalTextTest {
  private static String part(String original, NormalText text, int from, int to) {
    Range range = text.range(from, to);
    return original.substring(range.start(), range.end());
  }

  @Test
  void placesAreThoseOfTheOriginal() {
    String original = "a\u200bﬃ\u0301 e\u0301 𝓼!";
    NormalText text = NormalText.of(original);
    assertThat(text.text()).isEqualTo("aff\u00ed é s!");
    assertThat(part(original, text, 0, 1)).isEqualTo("a");
    assertThat(part(original, text, 1, 2)).isEqualTo("ﬃ\u0301");
    assertThat(part(original, text, 5, 6)).isEqualTo("e\u0301");
    assertThat(part(original, text, 7, 8)).isEqualTo("𝓼");
    assertThat(part(original, text, 0, 2)).isEqualTo("a\u200bﬃ\u0301");
  }

  @Test
  void anInvisibleCharacterKeepsNoMarkFromItsLetter() {
    assertThat(NormalText.of("e\u200b\u0301x").text()).isEqualTo("éx");
    assertThat(NormalText.of("e\u0301\u200bx").text()).isEqualTo("éx");
  }

  /// Otherwise a message would grow to many times its size.
  @Test
  void aSignForAWholeSentenceStays() {
    assertThat(NormalText.of("\ufdfa").text()).isEqualTo("\ufdfa");
    for (int c = 0; c < 0x10000; c++) {
      if (!Character.isSurrogate((char) c)) {
        assertThat(NormalText.of(Character.toString(c)).text().length()).isLessThan(7);
      }
    }
  }

  @Test
  void plainTextIsItself() {
    NormalText text = NormalText.of("plain text");
    assertThat(text.text()).isSameAs(text.original());
    assertThat(part("plain text", text, 6, 10)).isEqualTo("text");
  }

  @Test
  void halvesOfSurrogatePairsAreKept() {
    for (String broken : new String[] {"\ud800", "a\udc00b", "\udc00\ud800", "é\ud83d"}) {
      NormalText text = NormalText.of(broken);
      assertThat(text.text()).isEqualTo(broken);
      assertThat(part(broken, text, 0, text.text().length())).isEqualTo(broken);
    }
  }

  @Test
  void theTextIsThatOfTheNormalisationForm() {
    Random random = new Random(7);
    String letters = "aéШйñ\u0301\u0308ﬃ①ｗ가\u1100\u1161\u11a8漢ǆſK𝓼😀\u0645 Ω\u0903٣";
    int[] codePoints = letters.codePoints().toArray();
    for (int i = 0; i < 20_000; i++) {
      StringBuilder built = new StringBuilder();
      for (int n = random.nextInt(8); n >= 0; n--) {
        built.appendCodePoint(codePoints[random.nextInt(codePoints.length)]);
      }
      String original = built.toString();
      NormalText text = NormalText.of(original);
      assertThat(text.text()).isEqualTo(Normalizer.normalize(original, Normalizer.Form.NFKC));
      for (int c = 0; c < text.text().length(); c++) {
        assertThat(text.start(c)).isLessThan(text.end(c));
        assertThat(text.end(c)).isLessThanOrEqualTo(original.length());
      }
    }
  }
}
