package im.zonda.storage.memory;

import im.zonda.jid.Jid;
import im.zonda.journal.JournalStore;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/// The record of stanzas that were not delivered as usual.
record MemoryJournal(MemoryStores stores) implements JournalStore {
  @Override
  public void append(List<Event> events) {
    int _ =
        stores.call(() -> {
          events.forEach(each -> stores.data().journal.put(each.id(), each));
          return events.size();
        });
  }

  @Override
  public List<Event> find(Query query) {
    return stores.call(() ->
        stores.data().journal.headMap(query.before(), false).descendingMap().values().stream()
            .filter(query::finds)
            .limit(query.limit())
            .toList());
  }

  @Override
  public int erase(long before, int limit) {
    return stores.call(() -> erase(stores.data().journal.headMap(before, false).keySet(), limit));
  }

  @Override
  public int trim(int newest, int limit) {
    return stores.call(() -> {
      Map<Long, Event> all = stores.data().journal;
      return erase(all.keySet(), Math.min(limit, Math.max(0, all.size() - newest)));
    });
  }

  @Override
  public int forget(Jid address, int limit) {
    Query of = new Query(address, null, null, Long.MIN_VALUE, Long.MAX_VALUE, 1);
    return stores.call(() ->
        erase(
            stores.data().journal.keySet(),
            stores.data().journal.values().stream()
                .filter(of::finds)
                .map(Event::id)
                .limit(limit)
                .toList()));
  }

  private static int erase(Collection<Long> ids, List<Long> erased) {
    ids.removeAll(erased);
    return erased.size();
  }

  private static int erase(Collection<Long> ids, int limit) {
    List<Long> erased = ids.stream().limit(limit).toList();
    ids.removeAll(erased);
    return erased.size();
  }
}
