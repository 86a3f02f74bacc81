package im.zonda.xml;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Serialises elements to XML.
///
/// Escapes `&`, `<`, `>` and CR in text, and in attribute values also both quotes, TAB and LF, so
/// that a parser reads exactly what was written. An [Element] has only characters that XML allows,
/// so writing cannot fail. Namespaces are declared where they are needed, as the default namespace.
/// A tree that would take much more bytes than necessary in this form is written with prefixes that
/// the outermost element declares, and with no more escapes than XML requires.
public final class XmlWriter {
  private XmlWriter() {}

  /// Writes `element` as a document, with its namespace declared on it.
  public static String toString(Element element) {
    ByteArraySink sink = new ByteArraySink(256);
    write(element, "", sink);
    return new String(sink.toByteArray(), UTF_8);
  }

  /// Writes `element` in the scope of `defaultNamespace`. The element uses no prefixes from around
  /// it: what declares them on a stream, such as the stream header, is missing where each stanza
  /// stands for itself (RFC 7395, XEP-0124).
  public static void write(Element element, String defaultNamespace, ByteSink sink) {
    new ElementWriter(sink).write(element, defaultNamespace);
  }

  /// Writes the value of an attribute, escaped and quoted.
  public static void writeValue(String value, ByteSink sink) {
    XmlEscapes.value(value, sink);
  }

  /// Writes the value of an attribute, given as UTF-8, escaped and quoted.
  public static void writeValue(byte[] utf8, ByteSink sink) {
    XmlEscapes.value(utf8, false, sink);
  }

  /// Writes character data, escaped.
  public static void writeText(String text, ByteSink sink) {
    XmlEscapes.text(text, false, sink);
  }
}
