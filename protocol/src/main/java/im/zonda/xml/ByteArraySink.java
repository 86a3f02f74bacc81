package im.zonda.xml;

import java.util.Arrays;

/// A [ByteSink] on an array that grows as needed.
public final class ByteArraySink implements ByteSink {
  private byte[] bytes;
  private int size;

  /// Creates an empty sink with an initial capacity.
  public ByteArraySink(int capacity) {
    bytes = new byte[capacity];
  }

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

  /// The number of bytes so far.
  public int size() {
    return size;
  }

  /// A copy of the bytes so far.
  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  /// A copy of the bytes so far, from `offset` on.
  public byte[] toByteArray(int offset) {
    return Arrays.copyOfRange(bytes, offset, size);
  }

  /// Copies the bytes so far to `target` from `offset` on.
  public void copyTo(byte[] target, int offset) {
    System.arraycopy(bytes, 0, target, offset, size);
  }

  /// Discards the bytes and keeps the capacity.
  public void clear() {
    size = 0;
  }

  private void ensure(int more) {
    if (more > bytes.length - size) {
      int needed = Math.addExact(size, more);
      bytes = Arrays.copyOf(bytes, Math.max(needed, (int) Math.min(bytes.length * 2L, 1 << 30)));
    }
  }
}
