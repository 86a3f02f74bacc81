package im.zonda.storage.sql.archive;

import im.zonda.jid.Jid;
import org.jspecify.annotations.Nullable;

/// The conditions of a query that the index can check. Addresses are compared by hash, so other
/// addresses may match too; the rows are checked afterwards.
///
/// @param from the lowest id
/// @param to the highest id
/// @param with the other party, or null for all
/// @param peer the hash of its bare JID
/// @param resource the hash of its resource
record ArchiveRange(long from, long to, @Nullable Jid with, int peer, int resource) {
  ArchiveRange(long from, long to, @Nullable Jid with) {
    this(
        from,
        to,
        with,
        with == null ? 0 : ArchiveRun.peerOf(with.toString()),
        with == null ? 0 : ArchiveRun.resourceOf(with.toString()));
  }

  /// The part of the range from that id on.
  ArchiveRange since(long id) {
    return new ArchiveRange(Math.max(from, id), to, with, peer, resource);
  }

  /// Whether the filter has a full JID.
  boolean full() {
    return with != null && with.resource() != null;
  }

  boolean matches(long id, int entryPeer, int entryResource) {
    return id >= from
        && id <= to
        && (with == null || (entryPeer == peer && (!full() || entryResource == resource)));
  }

  boolean matches(long id, String entryPeer) {
    return matches(id, ArchiveRun.peerOf(entryPeer), ArchiveRun.resourceOf(entryPeer));
  }

  /// Whether an entry's address matches, compared as text.
  boolean isWith(String entryPeer) {
    if (with == null) {
      return true;
    }
    String wanted = with.toString();
    return entryPeer.startsWith(wanted)
        && (entryPeer.length() == wanted.length()
            || (!full() && entryPeer.charAt(wanted.length()) == '/'));
  }
}
