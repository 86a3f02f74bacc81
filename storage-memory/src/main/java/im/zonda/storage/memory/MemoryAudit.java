package im.zonda.storage.memory;

import im.zonda.store.AuditStore;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// The record of what administrators have done.
record MemoryAudit(MemoryDatabase database) implements AuditStore {
  private static final Comparator<Recorded> NEWEST =
      Comparator.<Recorded, Instant>comparing(each -> each.event().time())
          .thenComparingLong(Recorded::id)
          .reversed();

  @Override
  public long append(Event event) {
    return database.call(() -> {
      long id = database.nextId();
      database.data().audit.put(id, event);
      return id;
    });
  }

  @Override
  public List<Recorded> find(Query query) {
    return database.call(() -> {
      Event last = database.data().audit.get(query.before());
      if (last == null && query.before() != Long.MAX_VALUE) {
        return List.of();
      }
      return database.data().audit.entrySet().stream()
          .map(each -> new Recorded(each.getKey(), each.getValue()))
          .filter(each -> isFound(query, each.event()))
          .filter(
              each -> last == null || NEWEST.compare(new Recorded(query.before(), last), each) < 0)
          .sorted(NEWEST)
          .limit(query.limit())
          .toList();
    });
  }

  private static boolean isFound(Query query, Event event) {
    String operation = query.operation();
    Instant since = query.since();
    Instant until = query.until();
    return (query.caller() == null || query.caller().equals(event.caller()))
        && (query.host() == null || query.host().equals(event.host()))
        && (query.subject() == null || query.subject().equals(event.subject()))
        && (operation == null
            || event.operation().equals(operation)
            || event.operation().startsWith(operation + "."))
        && (since == null || !event.time().isBefore(since))
        && (until == null || event.time().isBefore(until));
  }

  @Override
  public int erase(Instant before, int limit) {
    return database.call(() -> {
      List<Long> erased =
          database.data().audit.entrySet().stream()
              .filter(each -> each.getValue().time().isBefore(before))
              .map(Map.Entry::getKey)
              .limit(limit)
              .toList();
      erased.forEach(database.data().audit::remove);
      return erased.size();
    });
  }

  @Override
  public long count() {
    return database.call(() -> (long) database.data().audit.size());
  }
}
