package im.zonda.store;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.store.MessageLog.Entry;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The message log read as archive (XEP-0313): the entries that were appended with
/// [MessageLog.Keep#ARCHIVE], of one owner, in the order of their ids. Calls block, and see all
/// that was appended before.
public interface MessageArchive {
  /// Selects entries; each part that is set narrows the selection.
  ///
  /// @param with the other party: a bare address stands for all its resources too; null for all
  /// @param from the lowest id
  /// @param to the highest id
  /// @param ids only these; null for all
  /// @param text words that must all occur in the body, or null for all; no query syntax. A text
  ///   without words matches nothing.
  record Filter(
      @Nullable Jid with, long from, long to, @Nullable Set<Long> ids, @Nullable String text) {
    /// All entries.
    public static final Filter ALL = new Filter(null, Long.MIN_VALUE, Long.MAX_VALUE, null, null);

    /// Copies the set.
    public Filter {
      ids = ids == null ? null : Set.copyOf(ids);
    }
  }

  /// How many of the matching entries to return.
  ///
  /// @param backwards whether to return the last ones instead of the first
  /// @param max the maximum number of entries, 0 or more
  /// @param maxBytes the maximum size of the messages; one entry is always returned
  record Portion(boolean backwards, int max, long maxBytes) {}

  /// Some of the matching entries.
  ///
  /// @param entries in the order of their ids, also if read backwards
  /// @param complete whether there are no more in the direction of reading
  record Page(List<Entry> entries, boolean complete) {
    /// Copies the list.
    public Page {
      entries = List.copyOf(entries);
    }
  }

  /// Returns the owner's matching entries, from one end.
  Page page(Jid owner, Filter filter, Portion portion);

  /// Whether all these ids are of entries in the owner's archive.
  boolean holds(Jid owner, Collection<Long> ids);

  /// Whether [Filter#text] is supported; if not, it matches nothing.
  boolean searches();

  /// Replaces the message of an entry, such as by a tombstone (XEP-0424). The entry keeps its id
  /// and time, the other party, and whether it waits. Durable when the call returns; a search no
  /// longer finds the old text.
  ///
  /// @return false if the owner's archive has no such entry
  boolean replace(Jid owner, long id, Message message);

  /// Removes the owner's oldest entries: those with ids below `before`, and those that are not
  /// among the `newest`. Stops at the first entry that still waits for delivery, so that there are
  /// no gaps.
  ///
  /// @param limit the maximum number of entries to remove
  /// @return how many were removed; fewer than `limit` if there are no more, or if the index has
  ///   not caught up with the log yet after a start
  int purge(Jid owner, long before, int newest, int limit);
}
