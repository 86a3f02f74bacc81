package im.zonda.storage.memory;

import im.zonda.jid.Jid;
import im.zonda.trace.TraceStore;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;

/// The messages that were traced, and their steps.
record MemoryTraces(MemoryStores stores) implements TraceStore {
  @Override
  public void append(List<Traced> messages, List<Step> steps) {
    int _ =
        stores.call(() -> {
          messages.forEach(each -> stores.data().traced.put(each.id(), each));
          steps.forEach(each -> stores.data().steps.put(each.id(), each));
          return steps.size();
        });
  }

  @Override
  public List<Traced> find(Query query) {
    return stores.call(() ->
        stores.data().traced.headMap(query.before(), false).descendingMap().values().stream()
            .filter(query::finds)
            .limit(query.limit())
            .toList());
  }

  @Override
  public List<Traced> messages(long trace) {
    return stores.call(() ->
        stores.data().traced.values().stream().filter(each -> each.trace() == trace).toList());
  }

  @Override
  public List<Step> steps(long trace) {
    return stores.call(() ->
        stores.data().steps.values().stream()
            .filter(each -> each.trace() == trace)
            .limit(MAX_PAGE)
            .sorted(Comparator.comparingLong(Step::time).thenComparingLong(Step::id))
            .toList());
  }

  @Override
  public int erase(long before, int limit) {
    return stores.call(() -> eraseBefore(before, limit));
  }

  private int eraseBefore(long before, int limit) {
    return Math.max(
        erase(stores.data().traced.headMap(before, false).keySet(), limit),
        erase(stores.data().steps.headMap(before, false).keySet(), limit));
  }

  @Override
  public int trim(int newest, int limit) {
    return stores.call(() -> {
      NavigableMap<Long, Step> all = stores.data().steps;
      int over = all.size() - newest;
      return over <= 0
          ? 0
          : eraseBefore(all.keySet().stream().skip(over).findFirst().orElse(Long.MAX_VALUE), limit);
    });
  }

  @Override
  public int forget(Jid address, int limit) {
    return stores.call(() -> {
      List<Traced> found =
          stores.data().traced.values().stream()
              .filter(new Query(address, null, Long.MIN_VALUE, Long.MAX_VALUE, 1)::finds)
              .limit(limit)
              .toList();
      for (Traced each : found) {
        stores.data().traced.remove(each.id());
        stores.data().steps.values().removeIf(step -> step.trace() == each.trace());
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
