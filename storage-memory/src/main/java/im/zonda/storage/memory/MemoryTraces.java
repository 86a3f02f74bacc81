package im.zonda.storage.memory;

import im.zonda.jid.Jid;
import im.zonda.trace.TraceStore;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;

/// The messages that were traced, and their steps.
record MemoryTraces(MemoryDatabase database) implements TraceStore {
  @Override
  public void append(List<Traced> messages, List<Step> steps) {
    int _ =
        database.call(() -> {
          messages.forEach(each -> database.data().traced.put(each.id(), each));
          steps.forEach(each -> database.data().steps.put(each.id(), each));
          return steps.size();
        });
  }

  @Override
  public List<Traced> find(Query query) {
    return database.call(() ->
        database.data().traced.headMap(query.before(), false).descendingMap().values().stream()
            .filter(query::finds)
            .limit(query.limit())
            .toList());
  }

  @Override
  public List<Traced> messages(long trace) {
    return database.call(() ->
        database.data().traced.values().stream().filter(each -> each.trace() == trace).toList());
  }

  @Override
  public List<Step> steps(long trace) {
    return database.call(() ->
        database.data().steps.values().stream()
            .filter(each -> each.trace() == trace)
            .limit(MAX_PAGE)
            .sorted(Comparator.comparingLong(Step::time).thenComparingLong(Step::id))
            .toList());
  }

  @Override
  public int erase(long before, int limit) {
    return database.call(() -> eraseBefore(before, limit));
  }

  private int eraseBefore(long before, int limit) {
    return Math.max(
        erase(database.data().traced.headMap(before, false).keySet(), limit),
        erase(database.data().steps.headMap(before, false).keySet(), limit));
  }

  @Override
  public int trim(int newest, int limit) {
    return database.call(() -> {
      NavigableMap<Long, Step> all = database.data().steps;
      int over = all.size() - newest;
      return over <= 0
          ? 0
          : eraseBefore(all.keySet().stream().skip(over).findFirst().orElse(Long.MAX_VALUE), limit);
    });
  }

  @Override
  public int forget(Jid address, int limit) {
    return database.call(() -> {
      List<Traced> found =
          database.data().traced.values().stream()
              .filter(new Query(address, null, Long.MIN_VALUE, Long.MAX_VALUE, 1)::finds)
              .limit(limit)
              .toList();
      for (Traced each : found) {
        database.data().traced.remove(each.id());
        database.data().steps.values().removeIf(step -> step.trace() == each.trace());
      }
      return found.size();
    });
  }

  private static int erase(Collection<Long> ids, int limit) {
    List<Long> erased = ids.stream().limit(limit).toList();
    ids.removeAll(erased);
    return erased.size();
  }
}
