package im.zonda.app.load;

import im.zonda.xml.ByteSink;
import java.util.Arrays;

/// Collects what one connection writes in one turn. Used over and over; it shows its array.
final class MemorySink implements ByteSink {
  private static final int FIRST = 1_024;

  private byte[] bytes = new byte[FIRST];
  private int size;

  @Override
  public void put(int value) {
    ensure(1);
    bytes[size++] = (byte) value;
  }

  @Override
  public void put(byte[] source, int offset, int length) {
    ensure(length);
    System.arraycopy(source, offset, bytes, size, length);
    size += length;
  }

  private void ensure(int more) {
    if (more > bytes.length - size) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, bytes.length * 2));
    }
  }

  /// The array that the bytes are in, from the beginning.
  byte[] bytes() {
    return bytes;
  }

  int size() {
    return size;
  }

  /// Forgets the bytes, and what was large.
  void clear() {
    size = 0;
    if (bytes.length > 64 * FIRST) {
      bytes = new byte[FIRST];
    }
  }
}
