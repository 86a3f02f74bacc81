package im.zonda.app.load.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class StanzaCutterTest implements StanzaCutter.Listener {
  private final List<String> heard = new ArrayList<>();

  @Override
  public void element(byte[] bytes, int from, int to) {
    heard.add(new String(bytes, from, to - from, StandardCharsets.US_ASCII));
  }

  @Override
  public void end() {
    heard.add("end");
  }

  @Test
  void findsElementsHoweverTheBytesAreCut() {
    String text =
        "<?xml version='1.0'?><stream:stream xmlns='jabber:client' to='a'>"
            + "<stream:features><a><b/></a></stream:features> \n<r/>"
            + "<message><body>a</body><x/></message><m/><presence/></stream:stream>";
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    for (int size = 1; size <= bytes.length; size++) {
      heard.clear();
      StanzaCutter cutter = new StanzaCutter(this);
      // Bytes after the input in the array must be ignored.
      byte[] used = new byte[size + 40];
      for (int from = 0; from < bytes.length; from += size) {
        int length = Math.min(size, bytes.length - from);
        Arrays.fill(used, (byte) '>');
        System.arraycopy(bytes, from, used, 0, length);
        cutter.take(used, 0, length);
      }
      assertThat(heard)
          .as("pieces of %d bytes", size)
          .containsExactly(
              "<stream:features><a><b/></a></stream:features>",
              "<r/>",
              "<message><body>a</body><x/></message>",
              "<m/>",
              "<presence/>",
              "end");
    }
  }
}
