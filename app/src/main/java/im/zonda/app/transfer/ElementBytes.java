package im.zonda.app.transfer;

import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.XmlWriter;

/// Elements as bytes.
public final class ElementBytes {
  private ElementBytes() {}

  /// The element as a document in UTF-8.
  public static byte[] of(Element element) {
    ByteArraySink sink = new ByteArraySink(1_024);
    XmlWriter.write(element, "", sink);
    return sink.toByteArray();
  }
}
