package im.zonda.xml.framing;

import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.xml.Element;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlException.Condition;
import im.zonda.xml.XmlLimits;
import im.zonda.xml.XmlNamespaces;
import org.jspecify.annotations.Nullable;

/// Parses one complete element as strictly as the framer: what this server has written, in stores,
/// files and between its processes.
public final class XmlParser {
  // Larger than any stanza of a peer ([XmlLimits#MAXIMUM]) when it is written in another form or
  // inside another one: the server can read all that it writes.
  private static final XmlLimits LIMITS =
      new XmlLimits(64 << 20, 512, 1_024, 1_024, 1 << 20, 65_536);

  private XmlParser() {}

  /// Parses `text`, which must be one element with nothing but white space around it.
  ///
  /// @throws XmlException if it is not one element of restricted XML
  public static Element parse(String text) throws XmlException {
    return parse(text.getBytes(UTF_8));
  }

  /// Parses UTF-8 bytes, which must be one element with nothing but white space around it.
  ///
  /// @throws XmlException if they are not one element of restricted XML
  public static Element parse(byte[] bytes) throws XmlException {
    return frame(bytes, StreamScope.EMPTY).toElement();
  }

  /// Parses one element in a scope where `defaultNamespace` is the default namespace and the prefix
  /// `stream` is declared. The counterpart of [im.zonda.xml.XmlWriter#write] with that default
  /// namespace.
  ///
  /// @throws XmlException if it is not one element of restricted XML
  public static Element parse(String text, String defaultNamespace) throws XmlException {
    return frame(text, defaultNamespace).toElement();
  }

  /// Same as [#parse(String, String)], but returns a frame instead of a tree.
  ///
  /// @throws XmlException if it is not one element of restricted XML
  public static Frame frame(String text, String defaultNamespace) throws XmlException {
    return frame(
        text.getBytes(UTF_8),
        defaultNamespace.isEmpty() ? StreamScope.EMPTY : StreamScope.usual(defaultNamespace));
  }

  /// Same as [#frame(String, String)], of UTF-8 bytes from `offset` to the end, which are not kept.
  ///
  /// @throws XmlException if they are not one element of restricted XML
  public static Frame frame(byte[] bytes, int offset, String defaultNamespace) throws XmlException {
    return frame(
        bytes,
        offset,
        defaultNamespace.isEmpty() ? StreamScope.EMPTY : StreamScope.usual(defaultNamespace));
  }

  /// Whether the bytes are one element that keeps within the limits, in a client's stream.
  static boolean isWithin(XmlLimits limits, byte[] bytes) {
    try {
      frame(bytes, 0, StreamScope.usual(XmlNamespaces.CLIENT), limits);
      return true;
    } catch (XmlException e) {
      return false;
    }
  }

  private static Frame frame(byte[] bytes, StreamScope scope) throws XmlException {
    return frame(bytes, 0, scope);
  }

  private static Frame frame(byte[] bytes, int offset, StreamScope scope) throws XmlException {
    return frame(bytes, offset, scope, LIMITS);
  }

  private static Frame frame(byte[] bytes, int offset, StreamScope scope, XmlLimits limits)
      throws XmlException {
    Single single = new Single();
    XmppFramer framer = new XmppFramer(limits, single, scope);
    framer.feed(bytes, offset, bytes.length - offset);
    if (single.frame == null || single.more || !framer.isIdle()) {
      throw new XmlException(Condition.NOT_WELL_FORMED, "not one whole element");
    }
    return single.frame;
  }

  private static final class Single implements FrameHandler {
    private @Nullable Frame frame;
    private boolean more;

    @Override
    public void onStreamOpen(StreamHeader header) {
      more = true;
    }

    @Override
    public void onFrame(Frame next) {
      more = frame != null;
      frame = next;
    }

    @Override
    public void onStreamClose() {
      more = true;
    }
  }
}
