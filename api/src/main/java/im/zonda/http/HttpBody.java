package im.zonda.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// The body of a request, as it comes. For one thread.
public interface HttpBody {
  /// A body that is in memory.
  ///
  /// @param bytes not copied; must not be changed
  static HttpBody of(byte[] bytes) {
    ByteBuffer left = ByteBuffer.wrap(bytes);
    return new HttpBody() {
      @Override
      public long length() {
        return bytes.length;
      }

      @Override
      public int read(byte[] target, int offset, int length) {
        if (!left.hasRemaining()) {
          return -1;
        }
        int count = Math.min(length, left.remaining());
        left.get(target, offset, count);
        return count;
      }
    };
  }

  /// How many bytes the client has announced; -1 if it has not.
  long length();

  /// Waits for bytes and reads some of them, at most `length`.
  ///
  /// @return how many; -1 at the end of the body
  /// @throws IOException if the client is gone or too slow
  int read(byte[] target, int offset, int length) throws IOException;

  /// Reads all of a small body.
  ///
  /// @param most the most bytes
  /// @throws HttpException 413 if there are more
  /// @throws IOException if the client is gone or too slow
  default byte[] collect(int most) throws IOException {
    if (length() > most) {
      throw new HttpException(413, "the body is longer than " + most + " bytes");
    }
    byte[] all = new byte[Math.min(most, length() >= 0 ? (int) length() : 4_096) + 1];
    int size = 0;
    while (true) {
      if (size == all.length) {
        all = Arrays.copyOf(all, (int) Math.min(2L * size, most + 1L));
      }
      int more = read(all, size, all.length - size);
      if (more < 0) {
        return Arrays.copyOf(all, size);
      }
      size += more;
      if (size > most) {
        throw new HttpException(413, "the body is longer than " + most + " bytes");
      }
    }
  }
}
