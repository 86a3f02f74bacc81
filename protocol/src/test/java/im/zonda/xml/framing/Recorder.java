package im.zonda.xml.framing;

import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.xml.StreamHeader;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Records the events of a framer, so that two runs can be compared.
class Recorder implements FrameHandler {
  final List<String> events = new ArrayList<>();
  final List<Frame> frames = new ArrayList<>();

  @Override
  public void onStreamOpen(StreamHeader header) {
    events.add(
        "open " + header.name() + " " + header.attributes() + " " + header.defaultNamespace());
  }

  @Override
  public void onFrame(Frame frame) {
    frames.add(frame);
    StringBuilder event = new StringBuilder("frame ").append(frame.name()).append(' ');
    for (int i = 0; i < frame.childCount(); i++) {
      event.append(frame.childName(i)).append(frame.child(i)).append(' ');
    }
    event.append(frame.usesStreamPrefix()).append(frame.isPrefixed()).append(frame.isEmptyTag());
    event.append(frame).append(' ').append(frame.toElement());
    events.add(event.toString());
  }

  @Override
  public void onStreamClose() {
    events.add("close");
  }

  /// The events of a framer that is fed `bytes` in parts of this size, including the error.
  static List<String> inParts(byte[] bytes, int size, XmlLimits limits) {
    return split(bytes, limits, parts(bytes.length, size));
  }

  /// The events of a framer that is fed `text` at once.
  static List<String> events(String text) {
    return split(text.getBytes(UTF_8), XmlLimits.CLIENT, new int[0]);
  }

  /// The events of a framer that is fed `bytes`, split at these positions.
  static List<String> split(byte[] bytes, XmlLimits limits, int[] cuts) {
    Recorder recorder = new Recorder();
    XmppFramer framer = new XmppFramer(limits, recorder);
    try {
      int from = 0;
      for (int cut : cuts) {
        feed(framer, bytes, from, cut);
        from = cut;
      }
      feed(framer, bytes, from, bytes.length);
    } catch (XmlException e) {
      recorder.events.add(e.condition().toString());
    }
    return recorder.events;
  }

  // Each part is in its own array at another offset: nothing may rely on the earlier array.
  private static void feed(XmppFramer framer, byte[] bytes, int from, int to) throws XmlException {
    byte[] part = new byte[to - from + 3];
    System.arraycopy(bytes, from, part, 2, to - from);
    framer.feed(part, 2, to - from);
    Arrays.fill(part, (byte) 'X');
  }

  private static int[] parts(int length, int size) {
    int[] cuts = new int[Math.max(0, (length - 1) / size)];
    for (int i = 0; i < cuts.length; i++) {
      cuts[i] = (i + 1) * size;
    }
    return cuts;
  }
}
