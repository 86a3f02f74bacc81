package im.zonda.storage.memory;

import im.zonda.metric.HistoryStore;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/// Store of what was measured.
record MemoryHistory(MemoryDatabase database) implements HistoryStore {
  private static final Comparator<Part> OLDEST = Comparator.comparingLong(Part::begin);

  @Override
  public void put(Part part) {
    int _ =
        database.call(() -> {
          List<Part> all = database.data().history;
          all.removeIf(each ->
              each.begin() == part.begin()
                  && each.step() == part.step()
                  && each.node().equals(part.node()));
          all.add(new Part(part.node(), part.step(), part.begin(), part.data().clone()));
          return all.size();
        });
  }

  private List<Part> find(Predicate<Part> wanted, int limit) {
    return database.data().history.stream().filter(wanted).sorted(OLDEST).limit(limit).toList();
  }

  @Override
  public List<Part> read(String node, int step, long since, long until) {
    return database.call(() ->
        find(
            each ->
                each.node().equals(node)
                    && each.step() == step
                    && each.begin() >= since
                    && each.begin() < until,
            MAX_PARTS));
  }

  @Override
  public List<String> nodes() {
    return database.call(() ->
        database.data().history.stream()
            .map(Part::node)
            .distinct()
            .sorted(MemoryData.TEXT_ORDER)
            .toList());
  }

  @Override
  public int erase(int step, long before, int limit) {
    return database.call(() -> {
      List<Part> erased = find(each -> each.step() == step && each.begin() < before, limit);
      database.data().history.removeAll(erased);
      return erased.size();
    });
  }
}
