package im.zonda.link;

import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.Element;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.XmlParser;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the fields of one value as [LinkOutput] writes them. A length that is claimed is compared
/// with what is there before anything is allocated.
public final class LinkInput {
  private final byte[] bytes;
  private int at;

  /// Reads the fields that these bytes hold.
  public LinkInput(byte[] bytes) {
    this.bytes = bytes;
  }

  /// The kind of a value that begins with an octet for the version and one for the kind; 0 if it is
  /// too short.
  public static int kind(byte[] value) {
    return value.length < 2 ? 0 : value[1] & 0xff;
  }

  /// One byte.
  public int octet() throws LinkFormatException {
    if (at == bytes.length) {
      throw new LinkFormatException("ends too early");
    }
    return bytes[at++] & 0xff;
  }

  /// A number that is not negative.
  public long number() throws LinkFormatException {
    long value = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      int octet = octet();
      value |= (long) (octet & 0x7f) << shift;
      if (octet < 0x80) {
        if (octet == 0 && shift > 0) {
          throw new LinkFormatException("a number that is longer than it must be");
        }
        return value;
      }
    }
    throw new LinkFormatException("a number that is too large");
  }

  /// A number that is neither negative nor 0.
  public long positive() throws LinkFormatException {
    long value = number();
    if (value == 0) {
      throw new LinkFormatException("a number that is 0");
    }
    return value;
  }

  /// A byte that is 0 or 1.
  public boolean flag() throws LinkFormatException {
    return switch (octet()) {
      case 0 -> false;
      case 1 -> true;
      default -> throw new LinkFormatException("neither 0 nor 1");
    };
  }

  /// A text in UTF-8.
  public String text() throws LinkFormatException {
    int length = length();
    try {
      String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, at, length)).toString();
      at += length;
      return text;
    } catch (CharacterCodingException e) {
      throw new LinkFormatException("not UTF-8", e);
    }
  }

  /// A text, or null if there is none.
  public @Nullable String optionalText() throws LinkFormatException {
    return flag() ? text() : null;
  }

  /// Bytes behind their length.
  public byte[] bytes() throws LinkFormatException {
    int length = length();
    byte[] value = Arrays.copyOfRange(bytes, at, at + length);
    at += length;
    return value;
  }

  /// A full or bare address.
  public Jid jid() throws LinkFormatException {
    try {
      return Jid.stored(text());
    } catch (JidFormatException e) {
      throw new LinkFormatException("not an address", e);
    }
  }

  /// An element.
  public Element element() throws LinkFormatException {
    try {
      return XmlParser.parse(text());
    } catch (XmlException e) {
      throw new LinkFormatException("not an element", e);
    }
  }

  List<Element> elements() throws LinkFormatException {
    List<Element> all = new ArrayList<>();
    for (long left = number(); left > 0; left--) {
      all.add(element());
    }
    return all;
  }

  /// A stanza.
  public Stanza stanza() throws LinkFormatException {
    try {
      return Stanza.reread(XmlParser.frame(text(), Namespaces.CLIENT));
    } catch (XmlException | StanzaFormatException e) {
      throw new LinkFormatException("not a stanza", e);
    }
  }

  /// A stanza that is the last field.
  Stanza lastStanza() throws LinkFormatException {
    try {
      Stanza stanza = Stanza.reread(XmlParser.frame(bytes, at, Namespaces.CLIENT));
      at = bytes.length;
      return stanza;
    } catch (XmlException | StanzaFormatException e) {
      throw new LinkFormatException("not a stanza", e);
    }
  }

  /// How many bytes are left.
  int left() {
    return bytes.length - at;
  }

  /// The constant of that name.
  public <E extends Enum<E>> E constant(Class<E> type) throws LinkFormatException {
    String name = text();
    try {
      return Enum.valueOf(type, name);
    } catch (IllegalArgumentException e) {
      throw new LinkFormatException("not a " + type.getSimpleName(), e);
    }
  }

  /// Checks that nothing follows.
  public void end() throws LinkFormatException {
    if (at != bytes.length) {
      throw new LinkFormatException("something follows");
    }
  }

  /// The number in a field that was added behind the others; 0 if it is not there. To be read after
  /// all others, and followed by [#skipAdded].
  ///
  /// @param name the positive number that names the field
  long added(int name) throws LinkFormatException {
    int first = at;
    long value = 0;
    while (at != bytes.length && value == 0) {
      boolean found = positive() == name;
      int end = length() + at;
      value = found ? number() : 0;
      if (found && at != end) {
        throw new LinkFormatException("a field that is no number");
      }
      at = end;
    }
    at = first;
    return value;
  }

  /// Skips the fields that a later version has added behind those of this one, each a positive
  /// number that names it and its bytes. Checks that nothing else follows.
  void skipAdded() throws LinkFormatException {
    while (at != bytes.length) {
      long _ = positive();
      int length = length();
      at += length;
    }
  }

  private int length() throws LinkFormatException {
    long length = number();
    if (length > bytes.length - at) {
      throw new LinkFormatException("longer than what is there");
    }
    return (int) length;
  }
}
