package im.zonda.bench.xmpp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ElementCutterTest {
  private static final List<String> ELEMENTS =
      List.of(
          "<stream:features><a><b/></a></stream:features>",
          "<message to='a>b' x=\"'>\"><body>é 1 &gt; 0</body></message>",
          "<presence/>",
          "<iq id='/>'><query a=\"'/>\"></query></iq>",
          "<iq id='1'><query><item/><item>t</item></query></iq>",
          "<r xmlns='urn:xmpp:sm:3'/>");

  private static final String STREAM =
      "<?xml version='1.0'?><stream:stream xmlns='jabber:client' id='1'>"
          + String.join("\n ", ELEMENTS)
          + "</stream:stream>";

  private final List<String> found = new ArrayList<>();

  private ElementCutter cutter() {
    found.clear();
    return new ElementCutter(
        new ElementCutter.Receiver() {
          @Override
          public void element(byte[] bytes, int from, int to) {
            found.add(new String(bytes, from, to - from, StandardCharsets.UTF_8));
          }

          @Override
          public void end() {
            found.add("end");
          }
        });
  }

  private static List<String> expected() {
    List<String> all = new ArrayList<>(ELEMENTS);
    all.add("end");
    return all;
  }

  @Test
  void elementsAreFoundWhereverTheBytesAreCut() {
    byte[] bytes = STREAM.getBytes(StandardCharsets.UTF_8);
    for (int first = 0; first <= bytes.length; first++) {
      for (int second = first; second <= bytes.length; second += 7) {
        ElementCutter cutter = cutter();
        cutter.take(bytes, 0, first);
        cutter.take(bytes, first, second);
        cutter.take(bytes, second, bytes.length);
        assertThat(found).isEqualTo(expected());
      }
    }
  }

  @Test
  void elementsAreFoundByteByByte() {
    byte[] bytes = STREAM.getBytes(StandardCharsets.UTF_8);
    ElementCutter cutter = cutter();
    for (int i = 0; i < bytes.length; i++) {
      cutter.take(bytes, i, i + 1);
    }
    assertThat(found).isEqualTo(expected());
  }

  @Test
  void anElementWithoutEndIsRefusedSomeTime() {
    byte[] bytes = new byte[ElementCutter.MAX_BYTES / 2];
    bytes[0] = '<';
    ElementCutter cutter = cutter();
    cutter.take(bytes, 0, bytes.length);
    cutter.take(bytes, 1, bytes.length);
    assertThatThrownBy(() -> cutter.take(bytes, 1, bytes.length))
        .isInstanceOf(IllegalStateException.class);
  }
}
