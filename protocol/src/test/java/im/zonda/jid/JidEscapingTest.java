package im.zonda.jid;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JidEscapingTest {
  /// XEP-0106, section 5 and table 1; what is no escape sequence stays.
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '|',
      value = {
        "space\\20cadet, space cadet",
        "call\\20me\\20\\22ishmael\\22, call me \"ishmael\"",
        "at\\26t\\20guy, at&t guy",
        "d\\27artagnan, d'artagnan",
        "\\2f.fanboy, /.fanboy",
        "\\3a\\3afoo\\3a\\3a, ::foo::",
        "\\3cfoo\\3e, <foo>",
        "user\\40host, user@host",
        "c\\3a\\5cnet, c:\\net",
        "c\\3a\\5c5commas, c:\\5commas",
        "\\5c5c, \\5c",
        "\\3A\\2, \\3A\\2",
        "plain, plain"
      })
  void textIsShownAsItWasBeforeItWasEscaped(String local, String shown) {
    assertThat(JidEscaping.unescape(local)).isEqualTo(shown);
  }
}
