package im.zonda.journal;

import java.util.List;

/// Finds stanzas that were not delivered as usual. A port. Calls block.
@FunctionalInterface
public interface JournalSearch {
  /// Events that a search finds, in the order of their ids, the newest first. Fewer than its limit
  /// only if there are no more.
  List<JournalStore.Event> find(JournalStore.Query query);
}
