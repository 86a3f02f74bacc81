package im.zonda.xml.framing;

import im.zonda.xml.Element;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlLimits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Reads a stored element that [im.zonda.xml.XmlWriter] wrote as a document. Input from the network
/// is read by [XmppFramer], with limits.
public final class XmlReader {
  private static final byte[] HEADER = "<s>".getBytes(StandardCharsets.UTF_8);
  private static final int UNLIMITED = Integer.MAX_VALUE;
  private static final XmlLimits LIMITS =
      new XmlLimits(UNLIMITED, UNLIMITED, UNLIMITED, UNLIMITED, UNLIMITED, UNLIMITED);

  private XmlReader() {}

  /// Reads the element.
  ///
  /// @throws XmlException if the bytes are not exactly one element
  public static Element read(byte[] document) throws XmlException {
    Collector collector = new Collector();
    XmppFramer framer = new XmppFramer(LIMITS, collector);
    framer.feed(HEADER, 0, HEADER.length);
    framer.feed(document, 0, document.length);
    if (collector.elements.size() != 1) {
      throw new XmlException(
          XmlException.Condition.NOT_WELL_FORMED,
          "one element expected, found " + collector.elements.size());
    }
    return collector.elements.getFirst();
  }

  private static final class Collector implements FrameHandler {
    private final List<Element> elements = new ArrayList<>(1);

    @Override
    public void onStreamOpen(StreamHeader header) {}

    @Override
    public void onFrame(Frame frame) {
      elements.add(frame.toElement());
    }

    @Override
    public void onStreamClose() {}
  }
}
