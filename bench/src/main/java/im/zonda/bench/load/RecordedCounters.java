package im.zonda.bench.load;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// Counts events, and keeps the first problems.
public final class RecordedCounters implements Counters {
  /// How many different problems are kept.
  public static final int MOST_PROBLEMS = 20;

  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
  private final Map<String, Integer> problems = new LinkedHashMap<>();

  @Override
  public void add(String name, long count) {
    LongAdder adder = counts.get(name);
    if (adder == null) {
      adder = counts.computeIfAbsent(name, _ -> new LongAdder());
    }
    adder.add(count);
  }

  @Override
  public void problem(String sentence) {
    synchronized (problems) {
      if (problems.size() < MOST_PROBLEMS || problems.containsKey(sentence)) {
        problems.merge(sentence, 1, Integer::sum);
      }
    }
  }

  /// The counts up to now, by name.
  public Map<String, Long> totals() {
    Map<String, Long> now = new TreeMap<>();
    counts.forEach((name, adder) -> now.put(name, adder.sum()));
    return now;
  }

  /// The problems in the order in which they occurred first, with how often they did.
  public Map<String, Integer> problems() {
    synchronized (problems) {
      return new LinkedHashMap<>(problems);
    }
  }
}
