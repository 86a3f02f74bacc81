package im.zonda.storage.sql.archive;

import im.zonda.jid.Jid;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/// The key of an index entry: the owner, and either the hash of the other party or, for the entries
/// in order of time, zero. Sorted by key and id, an owner's entries are together: first all by
/// time, then those with each other party.
final class IndexKey {
  /// Bits of the hash of the other party's bare JID.
  private static final int PEER_BITS = 24;

  private static final int PEER_MASK = (1 << PEER_BITS) - 1;

  /// Bits of the hash of the other party's resource.
  private static final int RESOURCE_BITS = 8;

  private static final int RESOURCE_MASK = (1 << RESOURCE_BITS) - 1;

  private IndexKey() {}

  /// The key of all entries of an owner.
  static long byTime(long owner) {
    return owner << PEER_BITS;
  }

  /// The key of an owner's entries with one other party.
  ///
  /// @param with the value of [#with]
  static long byPeer(long owner, int with) {
    return owner << PEER_BITS | (with >>> RESOURCE_BITS);
  }

  /// The highest key of an owner.
  static long last(long owner) {
    return owner << PEER_BITS | PEER_MASK;
  }

  static long owner(long key) {
    return key >> PEER_BITS;
  }

  /// Whether the key is that of another party.
  static boolean isByPeer(long key) {
    return (key & PEER_MASK) != 0;
  }

  /// The hashes of an address: of the bare JID, never 0, and of the resource.
  static int with(String jid) {
    return with(jid.getBytes(StandardCharsets.UTF_8));
  }

  /// The hashes of an address, as above.
  static int with(Jid jid) {
    return with(jid.utf8());
  }

  private static int with(byte[] jid) {
    int slash = 0;
    while (slash < jid.length && jid[slash] != '/') {
      slash++;
    }
    int bare = crc(jid, 0, slash) & PEER_MASK;
    int resource = slash == jid.length ? 0 : crc(jid, slash + 1, jid.length) & RESOURCE_MASK;
    return Math.max(1, bare) << RESOURCE_BITS | resource;
  }

  /// The hash of the resource in the value of [#with].
  static int resource(int with) {
    return with & RESOURCE_MASK;
  }

  /// The hash of the bare JID in the value of [#with].
  static int bare(int with) {
    return with >>> RESOURCE_BITS;
  }

  private static int crc(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }
}
