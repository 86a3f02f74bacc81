package im.zonda.storage.sql.archive;

import im.zonda.jid.Jid;
import org.jspecify.annotations.Nullable;

/// The conditions of a query that the index can check. Addresses are compared by hash, so other
/// addresses may match too; the rows are checked afterwards.
///
/// @param from the lowest id
/// @param to the highest id
/// @param with the other party, or null for all
/// @param hashes the hashes of its address
record ArchiveRange(long from, long to, @Nullable Jid with, int hashes) {
  ArchiveRange(long from, long to, @Nullable Jid with) {
    this(from, to, with, with == null ? 0 : IndexKey.with(with));
  }

  /// The key of the owner's entries in the index.
  long key(long owner) {
    return with == null ? IndexKey.byTime(owner) : IndexKey.byPeer(owner, hashes);
  }

  /// The hash of the resource that entries must have, or -1.
  int resource() {
    return full() ? IndexKey.resource(hashes) : -1;
  }

  /// The part of the range from that id on.
  ArchiveRange since(long id) {
    return new ArchiveRange(Math.max(from, id), to, with, hashes);
  }

  /// Whether the filter has a full JID.
  boolean full() {
    return with != null && with.resource() != null;
  }

  /// @param entry the hashes of the entry's address
  boolean matches(long id, int entry) {
    return id >= from
        && id <= to
        && (with == null
            || (full() ? entry == hashes : IndexKey.bare(entry) == IndexKey.bare(hashes)));
  }

  boolean matches(long id, String entryPeer) {
    return matches(id, IndexKey.with(entryPeer));
  }

  /// Whether an entry's address matches.
  boolean isWith(Jid entry) {
    return with == null || entry.equals(with) || (!full() && entry.bare().equals(with));
  }
}
