package im.zonda.xml.framing;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Scans bytes eight at a time (SIMD within a register).
final class WordScan {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGH = 0x8080_8080_8080_8080L;

  private WordScan() {}

  /// Returns the end of a run of plain text that starts at `from`: all bytes before it are
  /// printable ASCII except `<`, `&` and `]`. May stop up to seven bytes before `to`.
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

  /// Returns the end of a run of plain attribute value that starts at `from`: all bytes before it
  /// are printable ASCII except `<`, `&`, `'` and `"`. May stop up to seven bytes before `to`.
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

  /// A hash of the length and the last eight bytes only, which is enough for the names of a fixed
  /// vocabulary.
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

  // Sets the high bit of each byte that is zero. Only the lowest set bit is exact.
  private static long zeros(long word) {
    return (word - ONES) & ~word & HIGH;
  }

  // The same for bytes below 0x20 or above 0x7F.
  private static long controls(long word) {
    return ((word - ONES * 0x20) | word) & HIGH;
  }
}
