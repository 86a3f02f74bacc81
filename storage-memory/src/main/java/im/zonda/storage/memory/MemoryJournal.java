package im.zonda.storage.memory;

import im.zonda.jid.Jid;
import im.zonda.journal.JournalStore;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/// The record of stanzas that were not delivered as usual.
record MemoryJournal(MemoryDatabase database) implements JournalStore {
  @Override
  public void append(List<Event> events) {
    int _ =
        database.call(() -> {
          events.forEach(each -> database.data().journal.put(each.id(), each));
          return events.size();
        });
  }

  @Override
  public List<Event> find(Query query) {
    return database.call(() ->
        database.data().journal.headMap(query.before(), false).descendingMap().values().stream()
            .filter(query::finds)
            .limit(query.limit())
            .toList());
  }

  @Override
  public int erase(long before, int limit) {
    return database.call(
        () -> erase(database.data().journal.headMap(before, false).keySet(), limit));
  }

  @Override
  public int trim(int newest, int limit) {
    return database.call(() -> {
      Map<Long, Event> all = database.data().journal;
      return erase(all.keySet(), Math.min(limit, Math.max(0, all.size() - newest)));
    });
  }

  @Override
  public int forget(Jid address, int limit) {
    Query of = new Query(address, null, null, Long.MIN_VALUE, Long.MAX_VALUE, 1);
    return database.call(() ->
        erase(
            database.data().journal.keySet(),
            database.data().journal.values().stream()
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
