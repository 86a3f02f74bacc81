package im.zonda.jid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 8264 and RFC 8265; the contextual rules are those of RFC 5892, appendix A.
class PrecisTest {
  /// Allowed where a contextual rule says so, in both string classes.
  @ParameterizedTest
  @ValueSource(
      strings = {
        // A.1, after a virama: Devanagari KA, VIRAMA, ZWNJ, SSA; Bengali
        "\u0915\u094D\u200C\u0937",
        "\u0995\u09CD\u200C",
        // A.1, between letters that join: Persian "mi-khaham", with transparent marks between
        "\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645",
        "\u0628\u064E\u200C\u064E\u0628",
        "\u0628\u200C\u0627",
        // The left one of type L, which no letter but Phags-pa has
        "\uA872\u200C\uA840",
        // Both conditions in one string
        "\u0628\u200C\u0628\u200C\u0628",
        // A.2: Malayalam chillu by ZWJ, Sinhala
        "\u0D28\u0D4D\u200D",
        "\u0DC1\u0DCA\u200D\u0DBB\u0DD3",
        // A.3: Catalan
        "col\u00B7legi",
        "l\u00B7l\u00B7l",
        // A.4: Greek keraia before a Greek letter
        "\u0375\u03B1",
        // A.5, A.6: Hebrew geresh and gershayim
        "\u05D2\u05F3",
        "\u05D2\u05F3\u05D3",
        "\u05E6\u05D4\u05F4\u05DC",
        // A.7: the katakana middle dot beside hiragana, katakana or Han, anywhere
        "\u30B8\u30E3\u30F3\u30FB\u30DD\u30FC\u30EB",
        "\u30FB\u3042",
        "a\u30FB\u6F22",
        // A.8, A.9: digits of one kind
        "\u0627\u0660\u0661\u0669",
        "\u0627\u06F0\u06F1\u06F9",
        // Exceptions that are valid (RFC 5892, section 2.6)
        "\u00DF",
        "\u03B1\u03C2",
        "\u06FD",
        "\u06FE",
        "\u0F0B",
        "\u3007",
      })
  void allowedByContext(String text) {
    assertThat(Jid.of(text + "@example.org/" + text).toString())
        .isEqualTo(text + "@example.org/" + text);
  }

  /// Not allowed in their context in either class.
  @ParameterizedTest
  @ValueSource(
      strings = {
        // A.1
        "\u200C",
        "a\u200Cb",
        "\u200C\u0628",
        "\u0628\u200C",
        "\u0627\u200C\u0628",
        "\u0628\u200C\u200C\u0628",
        "\u0628a\u200C\u0628",
        "\u0915\u200C\u0937",
        // A.2
        "\u200D",
        "a\u200Db",
        "\u0628\u200D\u0628",
        "\u0D28\u200D\u0D4D",
        "\uD83D\uDC68\u200D\uD83D\uDC69",
        // A.3
        "a\u00B7b",
        "l\u00B7",
        "\u00B7l",
        "l\u00B7\u00B7l",
        "al\u00B7b",
        // A.4
        "\u0375",
        "\u0375a",
        "\u03B1\u0375",
        // A.5, A.6
        "\u05F3",
        "\u05F3\u05D2",
        "a\u05F3",
        "\u05F4\u05D3",
        "\u0627\u05F4",
        // A.7
        "\u30FB",
        "a\u30FBb",
        "\u30FB\uAC00",
        // A.8, A.9
        "\u0627\u0660\u06F1",
        "\u06F0\u0661",
      })
  void disallowedByContext(String text) {
    disallowed(text);
  }

  /// Not allowed in either class.
  @ParameterizedTest
  @ValueSource(
      strings = {
        // Exceptions that are disallowed (RFC 5892, section 2.6)
        "a\u0640",
        "\u07FA",
        "\u302E",
        "\u302F",
        "\u3031",
        "\u3035",
        "\u303B",
        // Unassigned, not a character, for private use, half of a pair
        "a\u0378",
        "a\uFDD0",
        "a\uD83F\uDFFE",
        "a\uE000",
        "a\uD800",
        // Ignorable: variation selectors of each block, a tag, a filler, a shorthand control
        "a\uFE0F",
        "a\uDB40\uDD00",
        "a\u180F",
        "a\uDB40\uDC41",
        "a\u3164",
        "a\uD82F\uDCA0",
        // Old hangul, controls, separators of lines
        "\u1100",
        "\u1160",
        "\u11A8",
        "\uA960",
        "\uD7B0",
        "a\u0085",
        "a\u2028",
      })
  void disallowed(String text) {
    assertThatThrownBy(() -> Jid.of(text, "example.org", null))
        .isInstanceOf(JidFormatException.class);
    assertThatThrownBy(() -> Jid.of(null, "example.org", text))
        .isInstanceOf(JidFormatException.class);
  }

  /// Allowed in the FreeformClass alone.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u265A",
        "\u2163",
        "\uFB01",
        "\u00BD",
        "\u20AC",
        "\u00AB\u00BB",
        "\u01C5",
        "\u20E3",
        "\uD83D\uDE00",
        "a\u2014b",
        "\uFF01"
      })
  void symbolsAreForFreeText(String text) {
    assertThat(Jid.of(null, "example.org", text).resource()).isEqualTo(text);
    if (!text.equals("\uFF01")) {
      assertThatThrownBy(() -> Jid.of(text, "example.org", null))
          .isInstanceOf(JidFormatException.class);
    }
  }

  /// RFC 8265, section 3.3: width, case, then NFC.
  @ParameterizedTest
  @CsvSource({
    "\uFF21\uFF42, ab",
    "\uFF76\uFF9E, \u30AC",
    "\u00C5, \u00E5",
    "\u212B, \u00E5",
    "A\u030A, \u00E5",
    "\u0391\u03A3, \u03B1\u03C2",
    "\u01C4, -",
    "\u1E9E, \u00DF",
    "COL\u00B7LEGI, col\u00B7legi",
    "\uFF21\uFF65\u6F22, a\u30FB\u6F22",
    "\uD801\uDC00, \uD801\uDC28",
  })
  void usernamesAreMapped(String text, String expected) {
    if (expected.equals("-")) {
      assertThatThrownBy(() -> Jid.of(text, "example.org", null))
          .isInstanceOf(JidFormatException.class);
    } else {
      assertThat(Jid.of(text, "example.org", null).local()).isEqualTo(expected);
    }
  }

  /// RFC 8265, section 4.2: spaces, then NFC; width and case stay.
  @ParameterizedTest
  @CsvSource({
    "\u00E9\u00A0\u3000x, \u00E9  x",
    "A\u030A, \u00C5",
    "\uFF21, \uFF21",
    "\u1680\u2003!, '  !'",
  })
  void freeTextIsMapped(String text, String expected) {
    assertThat(Precis.opaque(text)).isEqualTo(expected);
  }

  /// RFC 5893, section 2: each of the six conditions.
  @ParameterizedTest
  @CsvSource({
    "\u05D0\u05D1, true",
    "\u05D0\u05B0, true",
    "\u05D01, true",
    "\u0627\u0661, true",
    "\u05D0-\u05D1, true",
    "1\u05D0, false",
    "\u0661\u0627, false",
    "\u05B0\u05D0, false",
    "\u05D0a\u05D1, false",
    "\u05D0-, false",
    "\u05D0-\u05B0, false",
    "\u05D01\u0661, false",
    "a\u05D0, false",
    "a\u05D0a, false",
    "a\u0661, false",
    "\u00E9-, true",
  })
  void usernamesKeepOneDirection(String text, boolean valid) {
    if (valid) {
      assertThat(Jid.of(text, "example.org", null).local()).isEqualTo(text);
    } else {
      assertThatThrownBy(() -> Jid.of(text, "example.org", null))
          .isInstanceOf(JidFormatException.class);
    }
    assertThat(Jid.of(null, "example.org", text).resource()).isEqualTo(text);
  }

  @Test
  void everyCodePointIsRejectedOrStable() {
    int usernames = 0;
    int texts = 0;
    for (int c = 0x80; c <= Character.MAX_CODE_POINT; c++) {
      String one = "a" + Character.toString(c);
      usernames += stable(one, Precis::username);
      texts += stable(one, Precis::opaque);
    }
    assertThat(usernames).isBetween(130_000, 250_000);
    assertThat(texts).isBetween(usernames, 250_000);
  }

  private static int stable(String text, UnaryOperator<String> profile) {
    String once;
    try {
      once = profile.apply(text);
    } catch (JidFormatException e) {
      return 0;
    }
    assertThat(profile.apply(once)).isEqualTo(once);
    return 1;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a@example.org/b\u00B7c", "a\u180F@example.org", "a\u0378@example.org/\u0378"})
  void anAddressThatWasAllowedOnceIsRead(String address) {
    assertThatThrownBy(() -> Jid.of(address)).isInstanceOf(JidFormatException.class);
    Jid jid = Jid.stored(address);
    assertThat(jid.toString()).isEqualTo(address);
    assertThat(jid).isEqualTo(Jid.stored(address)).hasSameHashCodeAs(Jid.stored(address));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "@a", "a@", "a@b/", "a b@c", "a@b@c", "a\u180F<@c", "a@b/c\u0001", "a@b c/d"})
  void whatWasNeverAnAddressIsNotRead(String text) {
    assertThatThrownBy(() -> Jid.stored(text)).isInstanceOf(JidFormatException.class);
  }

  @Test
  void theMessageDoesNotQuoteTheText() {
    for (String secret : List.of("secret\u200C", "secret\u0378", "secret\uD800")) {
      assertThatThrownBy(() -> Precis.opaque(secret))
          .hasMessageNotContaining("secret")
          .hasMessageNotContaining("378");
    }
  }
}
