package im.zonda.stanza;

import static java.nio.charset.StandardCharsets.US_ASCII;

import im.zonda.jid.Jid;
import im.zonda.xml.ByteSink;
import im.zonda.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/// Writes the beginning of a stanza's start tag.
final class StanzaTag {
  private static final byte[] MESSAGE = "<message".getBytes(US_ASCII);
  private static final byte[] PRESENCE = "<presence".getBytes(US_ASCII);
  private static final byte[] IQ = "<iq".getBytes(US_ASCII);
  private static final byte[] FROM = " from=".getBytes(US_ASCII);
  private static final byte[] TO = " to=".getBytes(US_ASCII);
  private static final byte[] ID = " id=".getBytes(US_ASCII);
  private static final byte[] LANG = " xml:lang=".getBytes(US_ASCII);

  private StanzaTag() {}

  /// Writes `<name` and the addresses.
  static void open(String name, @Nullable Jid from, @Nullable Jid to, ByteSink sink) {
    sink.put(
        switch (name) {
          case "message" -> MESSAGE;
          case "presence" -> PRESENCE;
          default -> IQ;
        });
    if (from != null) {
      attribute(FROM, from.utf8(), sink);
    }
    if (to != null) {
      attribute(TO, to.utf8(), sink);
    }
  }

  /// The approximate size of the addresses in bytes.
  static int size(@Nullable Jid from, @Nullable Jid to) {
    return (from == null ? 0 : FROM.length + 2 + from.utf8().length)
        + (to == null ? 0 : TO.length + 2 + to.utf8().length);
  }

  /// Writes the attribute `from` with a text that is no address.
  static void from(String text, ByteSink sink) {
    attribute(FROM, text, sink);
  }

  /// The approximate size of the attribute `from` with a text that is no address, in bytes.
  static int fromSize(String text) {
    return FROM.length + 2 + 3 * text.length();
  }

  /// Writes the attribute `id`.
  static void id(String id, ByteSink sink) {
    attribute(ID, id, sink);
  }

  /// Writes the attribute `xml:lang`.
  static void lang(String lang, ByteSink sink) {
    attribute(LANG, lang, sink);
  }

  private static void attribute(byte[] start, String value, ByteSink sink) {
    sink.put(start);
    XmlWriter.writeValue(value, sink);
  }

  private static void attribute(byte[] start, byte[] utf8, ByteSink sink) {
    sink.put(start);
    XmlWriter.writeValue(utf8, sink);
  }
}
