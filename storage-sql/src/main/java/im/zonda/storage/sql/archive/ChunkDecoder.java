package im.zonda.storage.sql.archive;

/// Reads the entries of a row of `archive_chunk`; see [ChunkEncoder].
final class ChunkDecoder {
  private final byte[] data;
  private int at;
  private long key;
  private long id;
  private int resource;

  ChunkDecoder(byte[] data) {
    this.data = data;
  }

  /// Moves to the next entry. False if there are no more.
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
    resource = IndexKey.isByPeer(key) ? data[at++] & 0xFF : 0;
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
      byte next = data[at++];
      number |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return number;
      }
      shift += 7;
    }
  }
}
