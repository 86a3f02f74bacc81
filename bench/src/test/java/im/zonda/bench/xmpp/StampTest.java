package im.zonda.bench.xmpp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StampTest {
  @Test
  void aStampIsReadAsItWasWritten() {
    Stamp stamp = new Stamp(Long.MAX_VALUE - 3, -5, 19_000, Integer.MAX_VALUE);
    byte[] message = StampedMessage.to("a~b@c", "chat", 80).with(stamp);

    int at = Stamp.find(message, 0, message.length);

    assertThat(Stamp.read(message, at)).isEqualTo(stamp);
    assertThat(new String(message, StandardCharsets.UTF_8))
        .isEqualTo(
            "<message type='chat' to='a~b@c'><body>"
                + stamp
                + "x".repeat(31)
                + "</body></message>");
  }

  @Test
  void whatOnlyLooksLikeAStampIsNone() {
    byte[] text = ("~" + "0".repeat(47) + "g~").getBytes(StandardCharsets.UTF_8);
    assertThat(Stamp.find(text, 0, text.length)).isEqualTo(-1);
  }
}
