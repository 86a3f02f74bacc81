package im.zonda.jid;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class JidPropertyTest {
  private static final List<String> PIECES =
      List.of(
          "a", "B", "juliet", "example", ".", ".com", "@", "/", "-", "xn--", "ß", "ς", "Σ", "İ",
          "ı", "ﬁ", "\uFF21", "\u0301", "e\u0301", "\u05D0", "1", "\u0661", "\u200D", "\u00AD",
          "😀", "日本", "\u3002", " ", "[::1]", "_", "\u0378", "'", "\u1E9E", "\u03F4", "\u2126",
          "\u212A", "\u0149");

  @Test
  void anAddressIsRejectedOrHasOneForm() {
    JidCache cache = new JidCache(64);
    int[] valid = new int[1];
    Property.holds(
        20_000,
        random -> {
          String address = address(random);
          Jid jid;
          try {
            jid = Jid.of(address);
          } catch (JidFormatException e) {
            return;
          }
          valid[0]++;
          Jid again = Jid.of(jid.toString());
          assertThat(again).as(address).isEqualTo(jid).hasSameHashCodeAs(jid);
          assertThat(again.toString()).isEqualTo(jid.toString());
          assertThat(Jid.of(jid.local(), jid.domain(), jid.resource())).isEqualTo(jid);
          byte[] bytes = address.getBytes(UTF_8);
          assertThat(cache.get(bytes, 0, bytes.length)).isEqualTo(jid);
          assertThat(jid.bare().toString()).doesNotContain("/");
        });
    assertThat(valid[0]).isGreaterThan(2_000);
  }

  private static String address(RandomGenerator random) {
    StringBuilder address = new StringBuilder();
    if (random.nextBoolean()) {
      address.append(PIECES.get(random.nextInt(PIECES.size()))).append('@');
    }
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      address.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    return address.toString();
  }
}
