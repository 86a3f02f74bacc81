package im.zonda.xml;

import java.nio.charset.StandardCharsets;

/// The one serialiser.
public final class XmlWriter {
  private XmlWriter() {}

  /// Writes `element` as a document of its own: its namespace is declared on it.
  public static String toString(Element element) {
    ByteArraySink sink = new ByteArraySink(256);
    write(element, "", sink);
    return new String(sink.toByteArray(), StandardCharsets.UTF_8);
  }

  /// Writes `element` where `defaultNamespace` is the default namespace in scope.
  public static void write(Element element, String defaultNamespace, ByteSink sink) {
    throw new IllegalStateException("in progress");
  }
}
