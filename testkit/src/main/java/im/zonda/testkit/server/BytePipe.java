package im.zonda.testkit.server;

import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// An unbounded pipe of bytes between two threads.
final class BytePipe extends InputStream {
  private static final byte[] END = new byte[0];

  private final BlockingQueue<byte[]> chunks = new LinkedBlockingQueue<>();
  private byte[] current = new byte[0];
  private int position;
  private boolean ended;

  /// Appends bytes.
  void put(byte[] bytes) {
    if (bytes.length > 0) {
      chunks.add(bytes);
    }
  }

  /// Ends the pipe.
  void end() {
    chunks.add(END);
  }

  @Override
  public int read() throws InterruptedIOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws InterruptedIOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    if (position == current.length && !nextChunk()) {
      return -1;
    }
    int count = Math.min(length, current.length - position);
    System.arraycopy(current, position, target, offset, count);
    position += count;
    return count;
  }

  private boolean nextChunk() throws InterruptedIOException {
    if (ended) {
      return false;
    }
    try {
      current = chunks.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
    position = 0;
    ended = current.length == 0;
    return !ended;
  }
}
