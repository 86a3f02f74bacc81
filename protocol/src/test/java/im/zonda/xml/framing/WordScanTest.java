package im.zonda.xml.framing;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Property;
import im.zonda.xml.XmlChars;
import org.junit.jupiter.api.Test;

class WordScanTest {
  @Test
  void runsEndExactlyWhereABytewiseSearchEndsThem() {
    Property.holds(
        3_000,
        random -> {
          byte[] bytes = new byte[random.nextInt(8, 64)];
          for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (random.nextInt(12) == 0 ? random.nextInt(256) : 'a' + i % 26);
          }
          int from = random.nextInt(bytes.length);
          check(bytes, from, WordScan.textEnd(bytes, from, bytes.length), XmlChars.TEXT_STOP);
          check(bytes, from, WordScan.valueEnd(bytes, from, bytes.length), XmlChars.VALUE_STOP);
        });
  }

  @Test
  void everyByteHasTheClassesOfTheTable() {
    for (int value = 0; value < 256; value++) {
      for (int at = 0; at < 16; at++) {
        byte[] bytes = "abcdefghijklmnop".getBytes(US_ASCII);
        bytes[at] = (byte) value;
        check(bytes, 0, WordScan.textEnd(bytes, 0, 16), XmlChars.TEXT_STOP);
        check(bytes, 0, WordScan.valueEnd(bytes, 0, 16), XmlChars.VALUE_STOP);
      }
    }
  }

  private static void check(byte[] bytes, int from, int end, int flag) {
    int p = from;
    while (p < bytes.length && !stops(bytes[p], flag)) {
      p++;
    }
    // It may stop early only if fewer than eight bytes are left.
    assertThat(end).isLessThanOrEqualTo(p);
    assertThat(end == p || bytes.length - end < 8 || bytes[end] < ' ').isTrue();
  }

  private static boolean stops(byte value, int flag) {
    return value < 0 || (XmlChars.flags(value) & flag) != 0;
  }
}
