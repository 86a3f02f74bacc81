package im.zonda.storage.sql.archive;

import im.zonda.jid.Jid;
import org.jspecify.annotations.Nullable;

/// What the index can tell of a wanted entry. Addresses are compared by numbers, so that a few
/// others may slip through; the rows themselves are asked afterwards.
///
/// @param from the least id
/// @param to the greatest id
/// @param with the other party, or null for all
/// @param peer the number of its bare address
/// @param resource the number of its resource
record ArchiveRange(long from, long to, @Nullable Jid with, int peer, int resource) {
  ArchiveRange(long from, long to, @Nullable Jid with) {
    this(
        from,
        to,
        with,
        with == null ? 0 : ArchiveRun.peerOf(with.toString()),
        with == null ? 0 : ArchiveRun.resourceOf(with.toString()));
  }

  /// The part of the range that begins at that id, or where the range does.
  ArchiveRange since(long id) {
    return new ArchiveRange(Math.max(from, id), to, with, peer, resource);
  }

  /// Whether the resource matters.
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

  /// Whether an entry's address is the wanted one, and not only its number.
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
