package im.zonda.storage.sql.archive;

import java.util.Arrays;

/// Packs index entries, sorted by key and id, into the data of one row of `archive_chunk`.
///
/// An entry is a number of variable length: the difference of its id from the one before, doubled;
/// or, at the first entry of a key, the difference of the keys, doubled plus one, and then the
/// difference of the ids, signed. Entries by other party are followed by a byte of the resource's
/// hash. About 5 bytes for an entry by time and 6 for one by other party.
final class ChunkEncoder {
  /// Maximum size of the data. Four such rows fill a page of SQLite.
  static final int MAX_BYTES = 940;

  private static final int MAX_ENTRY = 21;

  private final byte[] bytes = new byte[MAX_BYTES];
  private int size;
  private long key;
  private long id;

  boolean isEmpty() {
    return size == 0;
  }

  boolean isFull() {
    return size > MAX_BYTES - MAX_ENTRY;
  }

  /// The key of the last entry.
  long key() {
    return key;
  }

  /// The id of the last entry.
  long id() {
    return id;
  }

  /// Adds an entry. Must not be called when [#isFull].
  void add(long entryKey, long entryId, int resource) {
    if (size > 0 && entryKey == key) {
      put((entryId - id) << 1);
    } else {
      put((entryKey - key) << 1 | 1);
      long step = entryId - id;
      put(step << 1 ^ step >> 63);
    }
    if (IndexKey.isByPeer(entryKey)) {
      bytes[size++] = (byte) resource;
    }
    key = entryKey;
    id = entryId;
  }

  /// The packed entries. The encoder is empty after that.
  byte[] finish() {
    byte[] data = Arrays.copyOf(bytes, size);
    size = 0;
    key = 0;
    id = 0;
    return data;
  }

  private void put(long number) {
    long left = number;
    while ((left & ~0x7FL) != 0) {
      bytes[size++] = (byte) (left | 0x80);
      left >>>= 7;
    }
    bytes[size++] = (byte) left;
  }
}
