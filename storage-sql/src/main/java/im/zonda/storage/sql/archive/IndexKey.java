package im.zonda.storage.sql.archive;

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
    int slash = jid.indexOf('/');
    String bare = slash < 0 ? jid : jid.substring(0, slash);
    int resource = slash < 0 ? 0 : crc(jid.substring(slash + 1)) & RESOURCE_MASK;
    return Math.max(1, crc(bare) & PEER_MASK) << RESOURCE_BITS | resource;
  }

  /// The hash of the resource in the value of [#with].
  static int resource(int with) {
    return with & RESOURCE_MASK;
  }

  /// The hash of the bare JID in the value of [#with].
  static int bare(int with) {
    return with >>> RESOURCE_BITS;
  }

  private static int crc(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return (int) crc.getValue();
  }
}
