package im.zonda.cluster.frame;

import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.cluster.Member;
import im.zonda.cluster.placement.Stamp;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads fields as [FrameOutput] writes them. A length that is claimed is compared with what is
/// there before anything is allocated.
final class FrameInput {
  /// Reads one field or value.
  @FunctionalInterface
  interface Reader<T> {
    T read(FrameInput in) throws FrameFormatException;
  }

  private final byte[] bytes;
  private int at;

  FrameInput(byte[] bytes) {
    this.bytes = bytes;
  }

  int octet() throws FrameFormatException {
    if (at == bytes.length) {
      throw new FrameFormatException("ends too early");
    }
    return bytes[at++] & 0xff;
  }

  /// A number of a field that is behind those of the first version; 0 if it is not there.
  long laterNumber() throws FrameFormatException {
    return at == bytes.length ? 0 : number();
  }

  /// A text like that; empty if it is not there.
  String laterText() throws FrameFormatException {
    return at == bytes.length ? "" : text();
  }

  /// A number that is not negative.
  long number() throws FrameFormatException {
    long value = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      int octet = octet();
      value |= (long) (octet & 0x7f) << shift;
      if (octet < 0x80) {
        if (octet == 0 && shift > 0) {
          throw new FrameFormatException("a number that is longer than it must be");
        }
        return value;
      }
    }
    throw new FrameFormatException("a number that is too large");
  }

  boolean flag() throws FrameFormatException {
    return switch (octet()) {
      case 0 -> false;
      case 1 -> true;
      default -> throw new FrameFormatException("neither 0 nor 1");
    };
  }

  String text() throws FrameFormatException {
    int length = length();
    try {
      String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, at, length)).toString();
      at += length;
      return text;
    } catch (CharacterCodingException e) {
      throw new FrameFormatException("not UTF-8", e);
    }
  }

  byte[] bytes() throws FrameFormatException {
    int length = length();
    byte[] copy = Arrays.copyOfRange(bytes, at, at + length);
    at += length;
    return copy;
  }

  Member member() throws FrameFormatException {
    return new Member(text(), number());
  }

  Stamp stamp() throws FrameFormatException {
    return new Stamp(number(), number());
  }

  <T> @Nullable T optional(Reader<T> reader) throws FrameFormatException {
    return flag() ? reader.read(this) : null;
  }

  <T> List<T> all(Reader<T> reader) throws FrameFormatException {
    List<T> all = new ArrayList<>();
    for (long left = size(); left > 0; left--) {
      all.add(reader.read(this));
    }
    return all;
  }

  RoutedStanza stanza() throws FrameFormatException {
    return new RoutedStanza(new StanzaSource(text(), number()), flag(), new StanzaBytes(bytes()));
  }

  /// Checks that nothing follows.
  void end() throws FrameFormatException {
    if (at != bytes.length) {
      throw new FrameFormatException("something follows");
    }
  }

  private int length() throws FrameFormatException {
    long length = number();
    if (length > bytes.length - at) {
      throw new FrameFormatException("longer than what is there");
    }
    return (int) length;
  }

  /// A number of elements, each of which has at least one byte.
  private int size() throws FrameFormatException {
    return length();
  }
}
