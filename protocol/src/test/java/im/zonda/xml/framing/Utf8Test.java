package im.zonda.xml.framing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.junit.jupiter.api.Test;

class Utf8Test {
  @Test
  void row09_everyPairOfFirstBytesIsJudgedAsByTheStrictDecoder() {
    for (int lead = 0x80; lead < 0x100; lead++) {
      int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
      for (int second = 0; second < 0x100; second++) {
        for (int last : new int[] {0x7F, 0x80, 0xBF, 0xC0}) {
          byte[] bytes = {(byte) lead, (byte) second, (byte) last, (byte) last};
          int decoded = Utf8.decode(bytes, 0, length);
          assertThat(decoded).as("%x %x %x", lead, second, last).isEqualTo(strict(bytes, length));
        }
      }
    }
  }

  @Test
  void everyCodePointIsReadAndWritten() {
    byte[] bytes = new byte[4];
    for (int c = 0x80; c <= Character.MAX_CODE_POINT; c++) {
      if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
        continue;
      }
      int length = Utf8.encode(c, bytes, 0);
      assertThat(length == Utf8.size(c) && Utf8.decode(bytes, 0, length) == c).isTrue();
      for (int cut = 1; cut < length; cut++) {
        assertThat(Utf8.decode(bytes, 0, cut) == Utf8.INCOMPLETE).isTrue();
      }
    }
  }

  private static int strict(byte[] bytes, int length) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length)).toString().codePointAt(0);
    } catch (CharacterCodingException e) {
      return Utf8.MALFORMED;
    }
  }
}
