package im.zonda.stream.server;

import java.nio.charset.Charset;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One value of ASN.1 in DER, as much as names in certificates need. Immutable.
final class DerValue {
  static final int OBJECT_ID = 0x06;
  static final int UTF8_STRING = 0x0c;
  static final int IA5_STRING = 0x16;

  private static final int CONSTRUCTED = 0x20;

  private final int tag;

  /// The bytes that it is part of.
  private final byte[] bytes;

  /// Where its content begins and ends.
  private final int from;

  private final int to;

  /// Where the value ends that it is part of.
  private final int end;

  private DerValue(int tag, byte[] bytes, int from, int to, int end) {
    this.tag = tag;
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.end = end;
  }

  /// The value at `at`; null if there is none that ends before `end`. Names are short: lengths of
  /// more than two bytes are not read.
  static @Nullable DerValue read(byte[] bytes, int at, int end) {
    if (at + 2 > end) {
      return null;
    }
    int tag = bytes[at] & 0xff;
    int length = bytes[at + 1] & 0xff;
    int from = at + 2;
    if (length >= 0x80) {
      int digits = length - 0x80;
      if (digits < 1 || digits > 2 || from + digits > end) {
        return null;
      }
      length = 0;
      for (int i = 0; i < digits; i++) {
        length = length << 8 | (bytes[from + i] & 0xff);
      }
      from += digits;
    }
    return length > end - from ? null : new DerValue(tag, bytes, from, from + length, end);
  }

  int tag() {
    return tag;
  }

  /// The first value inside; null if there is none.
  @Nullable DerValue first() {
    return (tag & CONSTRUCTED) == 0 ? null : read(bytes, from, to);
  }

  /// The value behind this one; null if there is none.
  @Nullable DerValue next() {
    return read(bytes, to, end);
  }

  boolean contentIs(byte[] content) {
    return Arrays.equals(bytes, from, to, content, 0, content.length);
  }

  String text(Charset charset) {
    return new String(bytes, from, to - from, charset);
  }
}
