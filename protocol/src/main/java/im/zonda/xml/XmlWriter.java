package im.zonda.xml;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/// Serialises elements to XML.
///
/// Escapes `&`, `<`, `>` and CR in text, and in attribute values also both quotes, TAB and LF, so
/// that a parser reads exactly what was written. An [Element] has only characters that XML allows,
/// so writing cannot fail. Namespaces are declared where they are needed, as the default namespace;
/// a namespace that would be declared very often gets a prefix on the outermost element instead.
public final class XmlWriter {
  private static final byte[] AMP = "&amp;".getBytes(US_ASCII);
  private static final byte[] LT = "&lt;".getBytes(US_ASCII);
  private static final byte[] GT = "&gt;".getBytes(US_ASCII);
  private static final byte[] QUOT = "&quot;".getBytes(US_ASCII);
  private static final byte[] APOS = "&apos;".getBytes(US_ASCII);
  private static final byte[] TAB = "&#9;".getBytes(US_ASCII);
  private static final byte[] LF = "&#10;".getBytes(US_ASCII);
  private static final byte[] CR = "&#13;".getBytes(US_ASCII);

  private XmlWriter() {}

  /// Writes `element` as a document, with its namespace declared on it.
  public static String toString(Element element) {
    ByteArraySink sink = new ByteArraySink(256);
    write(element, "", sink);
    return new String(sink.toByteArray(), UTF_8);
  }

  /// Writes `element` in the scope of `defaultNamespace`.
  ///
  /// If the default namespace is not empty, the element is written inside a stream whose header
  /// declares the prefix `stream`, which `<stream:features>` and `<stream:error>` use. If it is
  /// empty, the element is a document.
  public static void write(Element element, String defaultNamespace, ByteSink sink) {
    new ElementWriter(sink, !defaultNamespace.isEmpty()).write(element, defaultNamespace);
  }

  /// Writes `element` in the scope of `defaultNamespace`, without prefixes of the stream header.
  public static void writeInside(Element element, String defaultNamespace, ByteSink sink) {
    new ElementWriter(sink, false).write(element, defaultNamespace);
  }

  /// Writes the value of an attribute, escaped, without quotes.
  public static void writeValue(String value, ByteSink sink) {
    byte[] bytes = value.getBytes(UTF_8);
    escape(bytes, XmlChars.ESCAPE_VALUE, sink);
  }

  /// Writes the value of an attribute, given as UTF-8, escaped, without quotes.
  public static void writeValue(byte[] utf8, ByteSink sink) {
    escape(utf8, XmlChars.ESCAPE_VALUE, sink);
  }

  /// Writes character data, escaped.
  public static void writeText(String text, ByteSink sink) {
    escape(text.getBytes(UTF_8), XmlChars.ESCAPE_TEXT, sink);
  }

  private static void escape(byte[] bytes, int flag, ByteSink sink) {
    int written = 0;
    for (int i = 0; i < bytes.length; i++) {
      int c = bytes[i];
      if (c >= 0 && (XmlChars.flags(c) & flag) != 0) {
        sink.put(bytes, written, i - written);
        sink.put(escaped(c));
        written = i + 1;
      }
    }
    sink.put(bytes, written, bytes.length - written);
  }

  private static byte[] escaped(int c) {
    return switch (c) {
      case '&' -> AMP;
      case '<' -> LT;
      case '>' -> GT;
      case '"' -> QUOT;
      case '\'' -> APOS;
      case '\t' -> TAB;
      case '\n' -> LF;
      default -> CR;
    };
  }
}
