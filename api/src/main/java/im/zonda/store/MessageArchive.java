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
  /// Which entries are wanted; each part narrows the choice.
  ///
  /// @param with the other party: a bare address stands for all its resources too; null for all
  /// @param from the least id
  /// @param to the greatest id
  /// @param ids only these; null for all
  /// @param text words that must all occur in the message's body; null for all. It is data and has
  ///   no syntax. An entry does not match a text without words.
  record Filter(
      @Nullable Jid with, long from, long to, @Nullable Set<Long> ids, @Nullable String text) {
    /// Everything.
    public static final Filter ALL = new Filter(null, Long.MIN_VALUE, Long.MAX_VALUE, null, null);

    /// Copies the set.
    public Filter {
      ids = ids == null ? null : Set.copyOf(ids);
    }
  }

  /// How much of what matches is wanted.
  ///
  /// @param backwards the last ones instead of the first
  /// @param max the most entries, 0 or more
  /// @param maxBytes the most bytes of messages; one entry is returned however large it is
  record Portion(boolean backwards, int max, long maxBytes) {}

  /// Part of the entries that match.
  ///
  /// @param entries in the order of their ids, also when they were read backwards
  /// @param complete whether there are no more in the direction of reading
  record Page(List<Entry> entries, boolean complete) {
    /// Copies the list.
    public Page {
      entries = List.copyOf(entries);
    }
  }

  /// The entries of the owner that match, from one end.
  Page page(Jid owner, Filter filter, Portion portion);

  /// Whether all these ids are of entries in the owner's archive.
  boolean holds(Jid owner, Collection<Long> ids);

  /// Whether [Filter#text] can be used; if not, nothing matches it.
  boolean searches();

  /// Puts another message in the place of an entry's, such as a tombstone (XEP-0424). Everything
  /// else about the entry stays: its id and so its time, the other party, whether it waits. Durable
  /// when the call returns; what the old message said is found no more.
  ///
  /// @return false, and nothing is changed, if the owner's archive has no such entry
  boolean replace(Jid owner, long id, Message message);

  /// Removes the owner's oldest entries: those with ids below `before`, and those that are not
  /// among the `newest`. Ends at the first one that still waits for delivery, so that no gap
  /// arises.
  ///
  /// @param limit the most entries to remove by this call
  /// @return how many were removed; fewer than `limit` if there is nothing more to do
  int purge(Jid owner, long before, int newest, int limit);
}
