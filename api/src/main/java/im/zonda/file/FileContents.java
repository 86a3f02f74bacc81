package im.zonda.file;

import im.zonda.http.HttpContent;
import java.time.Instant;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Stores contents by their SHA-256, in 64 hexadecimal digits in lower case: equal contents once.
///
/// A content has no owner. Unused contents are found by [#removeUnused], such as those of a removed
/// account or a killed server. Any thread may call; calls block. A failure of the store is a
/// [im.zonda.store.StoreException], to tell it from one of the client's connection.
///
/// A folder and an object store both fit. Nothing is asked for that an object store lacks: the name
/// of a content is known when all of its bytes are, so an object is put as a whole or in parts of a
/// multipart upload, and never renamed or appended to. A content that is finished again while it is
/// being removed may be another object of the same content, which [#removeUnused] does not find
/// old; it removes all but the newest of them.
public interface FileContents {
  /// The most hashes that [#removeUnused] asks about at once.
  int MOST_ASKED = 1_000;

  /// A content that comes in parts. For one thread.
  interface Incoming extends AutoCloseable {
    /// Writes the next bytes.
    ///
    /// @throws im.zonda.store.StoreException if they cannot be written
    void append(byte[] source, int offset, int length);

    /// Stores what was written, as many bytes as were announced. It is durable when the call
    /// returns, and found at every node.
    ///
    /// @return its hash
    /// @throws im.zonda.store.StoreException if it cannot be stored
    String finish();

    /// Discards what was written, unless it is finished.
    @Override
    void close();
  }

  /// Begins a content.
  ///
  /// @param length how many bytes will come
  /// @throws im.zonda.store.StoreException `FULL` if it is known that there is no room for it, or
  ///   if nothing can be written
  Incoming begin(long length);

  /// A part of a content for a response; null if there is no such content. Its bytes may be read
  /// only when the response is written: if the content is removed in between, the response is 404
  /// or breaks off.
  ///
  /// @param offset the first byte
  /// @param length how many bytes
  /// @throws im.zonda.store.StoreException if it is not known whether there is one
  @Nullable HttpContent read(String hash, long offset, long length);

  /// Removes contents that were finished before a time and that are not used, and what was begun
  /// and not written to since then. A content that is finished again meanwhile stays.
  ///
  /// @param before by the clock of the store, which may differ by minutes from the server's
  /// @param used the hashes among these, at most [#MOST_ASKED], that are used
  /// @return how many contents were removed
  /// @throws im.zonda.store.StoreException if the contents cannot be listed or removed
  int removeUnused(Instant before, UnaryOperator<Set<String>> used);
}
