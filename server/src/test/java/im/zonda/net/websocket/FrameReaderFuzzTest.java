package im.zonda.net.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/// Any bytes on a WebSocket: the frames are the same however the bytes are cut, and a control frame
/// is as short as RFC 6455 says. Runs the committed seeds; `./zonda test --fuzz` searches for more.
class FrameReaderFuzzTest {
  private static final int MAX_CONTROL = 125;

  @FuzzTest(maxDuration = "2m")
  void anyFrames(byte[] data) {
    List<String> whole = read(data, data.length);
    for (int size : new int[] {1, 5}) {
      assertThat(read(data, size)).isEqualTo(whole);
    }
  }

  /// What a reader finds in the bytes, of which it gets `size` at a time.
  private static List<String> read(byte[] data, int size) {
    FrameReader reader = new FrameReader();
    Found found = new Found();
    for (int from = 0; from < data.length; from += size) {
      byte[] part = Arrays.copyOfRange(data, from, Math.min(from + size, data.length));
      int failure = reader.read(part, part.length, found);
      if (failure != 0) {
        found.events.add("closed for " + failure);
        break;
      }
    }
    found.events.add("unfinished " + found.message);
    return found.events;
  }

  /// Collects what is in the frames.
  private static final class Found implements FrameReader.Handler {
    private final List<String> events = new ArrayList<>();
    private final StringBuilder message = new StringBuilder();
    private boolean closed;

    @Override
    public void payload(byte[] bytes, int offset, int length) {
      message.append(HexFormat.of().formatHex(bytes, offset, offset + length));
    }

    @Override
    public void messageEnd() {
      events.add("message " + message);
      message.setLength(0);
    }

    @Override
    public void control(int opcode, byte[] payload) {
      assertThat(payload.length).isLessThanOrEqualTo(MAX_CONTROL);
      events.add("control " + opcode + " " + HexFormat.of().formatHex(payload));
      closed |= opcode == FrameReader.CLOSE;
    }

    @Override
    public boolean isDone() {
      return closed;
    }
  }
}
