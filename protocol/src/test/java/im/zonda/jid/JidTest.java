package im.zonda.jid;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JidTest {
  /// RFC 7622, table 1, and more.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = true,
      value = {
        "juliet@example.com | juliet@example.com",
        "juliet@example.com/foo | juliet@example.com/foo",
        "juliet@example.com/foo bar | juliet@example.com/foo bar",
        "juliet@example.com/foo@bar | juliet@example.com/foo@bar",
        "foo\\20bar@example.com | foo\\20bar@example.com",
        "fussball@example.com | fussball@example.com",
        "fu\u00DFball@example.com | fu\u00DFball@example.com",
        "\u03C0@example.com | \u03C0@example.com",
        "\u03A3@example.com/foo | \u03C3@example.com/foo",
        "\u03C3@example.com/foo | \u03C3@example.com/foo",
        "\u03C2@example.com/foo | \u03C2@example.com/foo",
        "king@example.com/\u265A | king@example.com/\u265A",
        "example.com | example.com",
        "example.com/foobar | example.com/foobar",
        "a.example.com/b@example.net | a.example.com/b@example.net",
        "Juliet@Example.COM/Balcony | juliet@example.com/Balcony",
        "example.com. | example.com",
        "a@example.com./r | a@example.com/r",
        "127.0.0.1 | 127.0.0.1",
        "a@[::1]/r | a@[::1]/r",
        "[2001:DB8::1] | [2001:db8::1]",
        "stra\u00DFe.example | stra\u00DFe.example",
        "STRA\u00DFE.example | stra\u00DFe.example",
        "xn--strae-oqa.example | stra\u00DFe.example",
        "m\u00FCnchen.example | m\u00FCnchen.example",
        "b\u3002example | b.example",
        "a@b/c/d | a@b/c/d",
        "a@b/@ | a@b/@",
        "\uFF41@example.com | a@example.com",
        "a@example.com/ | -",
        "\"juliet\"@example.com | -",
        "foo bar@example.com | -",
        "juliet@example.com/ | -",
        "@example.com | -",
        "@example.com/foobar | -",
        "henry\u2163@example.com | -",
        "\u265A@example.com | -",
        "juliet@ | -",
        "/foobar | -",
        "a@b@c | -",
        "a'b@c | -",
        "a&b@c | -",
        "a:b@c | -",
        "a<b@c | -",
        "a>b@c | -",
        "a@b..c | -",
        "a@.b | -",
        "a@. | -",
        "a@b_c | -",
        "a@-b | -",
        "a@b- | -",
        "a@b c | -",
        "a@[::1 | -",
        "a@[1.2.3.4] | -",
        "a@[::g] | -",
        "a@[fe80::1%lo] | -",
        "a@[] | -",
        "xn--a.example | -",
        "ab--c.example | -",
        "\u2764.example | -",
        "\uFF20@example.com | -",
        "a\uFF0Fb@example.com | -",
        "\u2100.example | -",
        "a\u200Bb@example.com | -",
        "a\u00ADb@example.com | -",
        "a\u0378b@example.com | -",
        "a@example.com/\u0378 | -",
        "a@example.com/\u0001 | -",
        "a@example.com/\uD800 | -",
        "\uD800@example.com | -",
        "a@\uD800.com | -",
      })
  void row70_addressesArePreparedOrRefused(String address, String expected) {
    if (expected.equals("-")) {
      assertThatThrownBy(() -> Jid.of(address)).isInstanceOf(JidFormatException.class);
      return;
    }
    Jid jid = Jid.of(address);
    assertThat(jid.toString()).isEqualTo(expected);
    assertThat(Jid.of(jid.toString())).isEqualTo(jid);
    assertThat(jid.utf8()).isEqualTo(expected.getBytes(UTF_8));
    JidCache cache = new JidCache(16);
    byte[] bytes = ("x" + address + "y").getBytes(UTF_8);
    Jid cached = cache.get(bytes, 1, bytes.length - 1);
    assertThat(cached).isEqualTo(jid).hasSameHashCodeAs(jid);
    assertThat(cache.get(bytes, 1, bytes.length - 1)).isSameAs(cached);
  }

  @ParameterizedTest
  @ValueSource(ints = {1_023, 1_024})
  void row70_partsHaveALimit(int length) {
    String part = "x".repeat(length);
    String wide = "\u00FC".repeat(length / 2) + "x".repeat(length % 2);
    String label = ("x".repeat(31) + ".").repeat(32).substring(0, length == 1_023 ? 1_023 : 1_024);
    if (length == 1_023) {
      assertThat(Jid.of(part, "b", part).toString()).hasSize(2 * 1_023 + 3);
      assertThat(Jid.of(wide, "b", wide).local()).isEqualTo(wide);
      assertThat(Jid.of(label).domain()).isEqualTo(label);
    } else {
      assertThatThrownBy(() -> Jid.of(part + "@b")).isInstanceOf(JidFormatException.class);
      assertThatThrownBy(() -> Jid.of("b/" + part)).isInstanceOf(JidFormatException.class);
      assertThatThrownBy(() -> Jid.of(wide + "@b")).isInstanceOf(JidFormatException.class);
      assertThatThrownBy(() -> Jid.of("b/" + wide)).isInstanceOf(JidFormatException.class);
      assertThatThrownBy(() -> Jid.of(label + "x")).isInstanceOf(JidFormatException.class);
    }
  }

  @Test
  void partsAreKeptApart() {
    Jid full = Jid.of("a@b/c@d/e");
    assertThat(full.local()).isEqualTo("a");
    assertThat(full.domain()).isEqualTo("b");
    assertThat(full.resource()).isEqualTo("c@d/e");
    assertThat(full.bare()).isEqualTo(Jid.of("a@b")).isSameAs(full.bare());
    assertThat(full.domainJid()).isEqualTo(Jid.of("b"));
    assertThat(full.bare().withResource("c@d/e")).isEqualTo(full);
    assertThat(full.isFull()).isTrue();
    assertThat(full.bare().isBare()).isTrue();
    assertThat(Jid.of(null, "b", "c")).isEqualTo(Jid.of("b/c")).isNotEqualTo(Jid.of("c@b"));
  }

  @Test
  void theCacheNeverReturnsAnotherAddress() {
    JidCache cache = new JidCache(1);
    for (String address : new String[] {"a@b", "A@B", "b@a", "a@b/c", "a@b"}) {
      byte[] bytes = address.getBytes(UTF_8);
      assertThat(cache.get(bytes, 0, bytes.length)).isEqualTo(Jid.of(address));
    }
  }
}
