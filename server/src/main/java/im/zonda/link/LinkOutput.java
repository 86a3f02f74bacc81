package im.zonda.link;

import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.jid.Jid;
import im.zonda.stanza.Stanza;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/// Writes the fields of one value. Numbers are unsigned LEB128, texts and XML are bytes behind
/// their length, what may be absent comes behind a byte that is 0 or 1.
public final class LinkOutput {
  private static final int USUAL = 128;

  private final ByteArraySink sink;

  /// Begins a value of that version and kind.
  public LinkOutput(int version, int kind) {
    this(version, kind, USUAL);
  }

  /// Begins a value of that version and kind.
  ///
  /// @param bytes how many are expected
  public LinkOutput(int version, int kind, int bytes) {
    sink = new ByteArraySink(bytes);
    begin(version, kind);
  }

  private LinkOutput(int bytes) {
    sink = new ByteArraySink(bytes);
  }

  /// Begins a value within a value, as its last field.
  void begin(int version, int kind) {
    sink.put(version);
    sink.put(kind);
  }

  /// What was written.
  public byte[] toByteArray() {
    return sink.toByteArray();
  }

  /// A number that is not negative.
  public void number(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      sink.put((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    sink.put((int) rest);
  }

  /// A number in a field that this version has added behind the others; nothing if it is 0.
  ///
  /// @param name the positive number that names the field
  void added(int name, long value) {
    if (value != 0) {
      LinkOutput field = new LinkOutput(Long.BYTES);
      field.number(value);
      number(name);
      bytes(field.toByteArray());
    }
  }

  /// A byte that is 0 or 1.
  public void flag(boolean value) {
    sink.put(value ? 1 : 0);
  }

  /// A text.
  public void text(String value) {
    bytes(value.getBytes(UTF_8));
  }

  /// A text, or that there is none.
  public void optionalText(@Nullable String value) {
    flag(value != null);
    if (value != null) {
      text(value);
    }
  }

  /// An address.
  public void jid(Jid jid) {
    bytes(jid.utf8());
  }

  /// An element.
  public void element(Element element) {
    ByteArraySink xml = new ByteArraySink(128);
    XmlWriter.write(element, "", xml);
    bytes(xml.toByteArray());
  }

  /// A stanza.
  public void stanza(Stanza stanza) {
    ByteArraySink xml = new ByteArraySink(stanza.writtenSize() + 16);
    stanza.writeTo(xml);
    bytes(xml.toByteArray());
  }

  /// A stanza that is the last field: it has no length.
  void lastStanza(Stanza stanza) {
    stanza.writeTo(sink);
  }

  /// Bytes behind their length.
  public void bytes(byte[] value) {
    number(value.length);
    sink.put(value);
  }
}
