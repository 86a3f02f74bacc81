package im.zonda.file;

import im.zonda.http.HttpContent;
import java.io.IOException;
import java.time.Instant;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Stores contents by their SHA-256, in 64 hexadecimal digits in lower case: equal contents once.
///
/// A content has no owner. What is not used any more is found by [#removeUnused]; so nothing is
/// left behind by an account that is removed or a server that is killed. Any thread may call; calls
/// block.
public interface FileContents {
  /// A content that comes in parts. For one thread.
  interface Incoming extends AutoCloseable {
    /// Writes the next bytes.
    ///
    /// @throws IOException if they cannot be written
    void append(byte[] source, int offset, int length) throws IOException;

    /// Stores what was written. It is durable when the call returns.
    ///
    /// @return its hash
    /// @throws IOException if it cannot be stored
    String finish() throws IOException;

    /// Discards what was written, unless it is finished.
    @Override
    void close();
  }

  /// Begins a content.
  ///
  /// @param length how many bytes will come
  /// @throws im.zonda.store.StoreException `FULL` if there is no room for it
  /// @throws IOException if nothing can be written
  Incoming begin(long length) throws IOException;

  /// A part of a content for a response; the response is 404 if there is no such content.
  ///
  /// @param offset the first byte
  /// @param length how many bytes
  HttpContent read(String hash, long offset, long length);

  /// Removes contents that were finished before a time and that are not used, and what was begun
  /// and not written to since then. A content that is finished again meanwhile stays.
  ///
  /// @param used the hashes among these that are used
  /// @return how many contents were removed
  /// @throws IOException if the contents cannot be listed or removed
  int removeUnused(Instant before, UnaryOperator<Set<String>> used) throws IOException;
}
