package im.zonda.xml.framing;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Looks at eight bytes at once.
final class Words {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGH = 0x8080_8080_8080_8080L;

  private Words() {}

  /// Where the run of plain text from `from` on may end: each byte before is ASCII, printable and
  /// none of `<`, `&`, `]`. Stops up to seven bytes before `to`.
  static int textEnd(byte[] bytes, int from, int to) {
    int p = from;
    while (p <= to - 8) {
      long word = (long) LONG.get(bytes, p);
      long stops =
          zeros(word ^ (ONES * '<')) | zeros(word ^ (ONES * '&')) | zeros(word ^ (ONES * ']'));
      stops |= controls(word);
      if (stops != 0) {
        return p + (Long.numberOfTrailingZeros(stops) >>> 3);
      }
      p += 8;
    }
    return p;
  }

  /// Where the run of plain attribute value from `from` on may end: each byte before is ASCII,
  /// printable and none of `<`, `&`, `'`, `"`. Stops up to seven bytes before `to`.
  static int valueEnd(byte[] bytes, int from, int to) {
    int p = from;
    while (p <= to - 8) {
      long word = (long) LONG.get(bytes, p);
      // "&" and "'" differ in the lowest bit only.
      long stops =
          zeros(word ^ (ONES * '<'))
              | zeros((word | ONES) ^ (ONES * '\''))
              | zeros(word ^ (ONES * '"'));
      stops |= controls(word);
      if (stops != 0) {
        return p + (Long.numberOfTrailingZeros(stops) >>> 3);
      }
      p += 8;
    }
    return p;
  }

  /// A number that depends on the length and on the last eight bytes only: enough to tell the names
  /// of a fixed vocabulary apart.
  static int tailHash(byte[] bytes, int from, int to) {
    int length = to - from;
    long tail = 0;
    if (length >= 8) {
      tail = (long) LONG.get(bytes, to - 8);
    } else {
      for (int i = from; i < to; i++) {
        tail = (tail << 8) | (bytes[i] & 0xFF);
      }
    }
    long mixed = (tail + length) * 0x9E37_79B9_7F4A_7C15L;
    return (int) (mixed >>> 32);
  }

  // Bytes that are zero have their high bit set in the result; the lowest one is exact.
  private static long zeros(long word) {
    return (word - ONES) & ~word & HIGH;
  }

  // The same for bytes below 0x20 or above 0x7F.
  private static long controls(long word) {
    return ((word - ONES * 0x20) | word) & HIGH;
  }
}
