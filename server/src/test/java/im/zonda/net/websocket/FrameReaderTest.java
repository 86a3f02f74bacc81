package im.zonda.net.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrameReaderTest {
  private static final byte[] MASK = {7, 0, 99, -1};

  /// What one input brings, in lines; cut into pieces of `step` bytes.
  private static List<String> read(byte[] input, int step) {
    List<String> events = new ArrayList<>();
    StringBuilder message = new StringBuilder();
    FrameReader reader = new FrameReader();
    FrameReader.Handler handler =
        new FrameReader.Handler() {
          @Override
          public void payload(byte[] bytes, int offset, int length) {
            message.append(new String(bytes, offset, length, StandardCharsets.ISO_8859_1));
          }

          @Override
          public void messageEnd() {
            events.add(message.length() > 100 ? "text of " + message.length() : "text " + message);
            message.setLength(0);
          }

          @Override
          public void control(int opcode, byte[] payload) {
            events.add("control " + opcode + " of " + payload.length);
          }

          @Override
          public boolean isDone() {
            return false;
          }
        };
    for (int at = 0; at < input.length; at += step) {
      int size = Math.min(step, input.length - at);
      byte[] part = new byte[size];
      System.arraycopy(input, at, part, 0, size);
      int failure = reader.read(part, size, handler);
      if (failure != 0) {
        events.add("failure " + failure);
        break;
      }
    }
    return events;
  }

  /// A masked frame.
  private static byte[] frame(int first, int length) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(first);
    if (length < 126) {
      out.write(0x80 | length);
    } else if (length < 65_536) {
      out.write(0x80 | 126);
      out.write(length >> 8);
      out.write(length);
    } else {
      out.write(0x80 | 127);
      out.writeBytes(new byte[4]);
      out.writeBytes(
          new byte[] {
            (byte) (length >> 24), (byte) (length >> 16), (byte) (length >> 8), (byte) length
          });
    }
    out.writeBytes(MASK);
    for (int i = 0; i < length; i++) {
      out.write('a' ^ MASK[i & 3]);
    }
    return out.toByteArray();
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  @Test
  void messagesOfAllLengthsComeInAnyPieces() {
    byte[] input =
        join(frame(0x81, 3), frame(0x81, 126), frame(0x81, 70_000), frame(0x81, 0), frame(0x89, 5));
    for (int step : new int[] {1, 2, 7, 1_000, input.length}) {
      assertThat(read(input, step))
          .containsExactly("text aaa", "text of 126", "text of 70000", "text ", "control 9 of 5");
    }
  }

  @Test
  void fragmentsAreOneMessageWithControlFramesBetween() {
    assertThat(read(join(frame(0x01, 2), frame(0x89, 0), frame(0x00, 0), frame(0x80, 1)), 3))
        .containsExactly("control 9 of 0", "text aaa");
  }

  /// RFC 6455, section 5: everything else that could come ends the connection.
  @Test
  void row107_brokenFramesAreRejected() {
    byte[] unmasked = {(byte) 0x81, 1, 'a'};
    byte[] longForm = {(byte) 0x81, (byte) 0xFE, 0, 5, 0, 0, 0, 0};
    byte[] negative = {(byte) 0x81, (byte) 0xFF, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    for (byte[] wrong :
        List.of(
            unmasked,
            longForm,
            negative,
            frame(0xC1, 1), // an extension
            frame(0x80, 1), // a continuation of nothing
            join(frame(0x01, 1), frame(0x81, 1)), // a message within a message
            frame(0x83, 1), // an unknown opcode
            frame(0x8B, 1),
            frame(0x09, 1), // a fragment of a control frame
            frame(0x89, 126))) {
      assertThat(read(wrong, 1)).contains("failure 1002");
    }
    assertThat(read(frame(0x82, 1), 1)).containsExactly("failure 1003");
  }
}
