package im.zonda.storage.sql.archive;

import im.zonda.store.StoreException;

/// Reads the entries of a row of `archive_chunk`; see [ChunkEncoder].
final class ChunkDecoder {
  /// Bits of a number, in groups of seven.
  private static final int MAX_SHIFT = 63;

  private final byte[] data;
  private int at;
  private long key;
  private long id;
  private int resource;

  ChunkDecoder(byte[] data) {
    this.data = data;
  }

  /// Moves to the next entry. False if there are no more.
  ///
  /// @throws StoreException `DAMAGED` if the row ends within an entry, or has what is no number
  boolean next() {
    if (at >= data.length) {
      return false;
    }
    long head = number();
    if ((head & 1) == 0) {
      id += head >>> 1;
    } else {
      key += head >>> 1;
      long step = number();
      id += step >>> 1 ^ -(step & 1);
    }
    resource = IndexKey.isByPeer(key) ? octet() & 0xFF : 0;
    return true;
  }

  long key() {
    return key;
  }

  long id() {
    return id;
  }

  /// The hash of the other party's resource; 0 in order of time.
  int resource() {
    return resource;
  }

  private long number() {
    long number = 0;
    int shift = 0;
    while (true) {
      byte next = octet();
      number |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return number;
      }
      shift += 7;
      if (shift > MAX_SHIFT) {
        throw damaged();
      }
    }
  }

  private byte octet() {
    if (at == data.length) {
      throw damaged();
    }
    return data[at++];
  }

  private static StoreException damaged() {
    return new StoreException(
        StoreException.Category.DAMAGED, "a row of archive_chunk is damaged", null);
  }
}
