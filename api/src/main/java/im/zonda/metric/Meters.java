package im.zonda.metric;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/// The readings that there are at present: of the server, and of the modules of its hosts. Any
/// thread may call. The cost of reading does not depend on how many accounts or sessions there are.
public final class Meters {
  /// The most hosts that are told apart.
  public static final int MOST_HOSTS = 50;

  /// The value of the label `host` if there are more.
  public static final String ALL_HOSTS = "all";

  private final List<Reading> own = new CopyOnWriteArrayList<>();
  private final Supplier<Map<String, List<Reading>>> hosts;
  private final BiConsumer<Meter, RuntimeException> failed;

  /// A meter and its samples at one moment.
  ///
  /// @param samples one for each series, each with other labels
  public record Family(Meter meter, List<Sample> samples) {
    /// Copies the list.
    public Family {
      samples = List.copyOf(samples);
    }
  }

  /// @param hosts the readings that the modules of each host have declared
  /// @param failed called for a reading that fails; the others are read
  public Meters(
      Supplier<Map<String, List<Reading>>> hosts, BiConsumer<Meter, RuntimeException> failed) {
    this.hosts = hosts;
    this.failed = failed;
  }

  /// Adds readings of the server.
  ///
  /// @throws IllegalStateException if one has a meter of another
  public synchronized void add(List<Reading> readings) {
    for (Reading each : readings) {
      if (own.stream().anyMatch(other -> other.meter().name().equals(each.meter().name()))) {
        throw new IllegalStateException("two readings of " + each.meter());
      }
      own.add(each);
    }
  }

  /// Removes readings that were added.
  public synchronized void remove(List<Reading> readings) {
    boolean _ = own.removeAll(readings);
  }

  /// The values at present, in the order of the names.
  public List<Family> read() {
    Map<String, Family> families = new TreeMap<>();
    for (Reading each : own) {
      families.put(each.meter().name(), new Family(each.meter(), samples(each)));
    }
    Map<Meter, Map<List<String>, Sample>> ofHosts = new LinkedHashMap<>();
    Map<String, List<Reading>> declared = hosts.get();
    boolean together = declared.size() > MOST_HOSTS;
    declared.forEach((host, readings) -> {
      for (Reading each : readings) {
        Map<List<String>, Sample> series =
            ofHosts.computeIfAbsent(each.meter(), _ -> new LinkedHashMap<>());
        for (Sample sample : samples(each)) {
          Sample labelled = sample.withLabel(together ? ALL_HOSTS : host);
          series.merge(labelled.labels(), labelled, Sample::plus);
        }
      }
    });
    ofHosts.forEach((meter, series) ->
        families.putIfAbsent(meter.name(), new Family(meter, new ArrayList<>(series.values()))));
    return List.copyOf(families.values());
  }

  private List<Sample> samples(Reading reading) {
    try {
      return reading.samples().get();
    } catch (RuntimeException e) {
      failed.accept(reading.meter(), e);
      return List.of();
    }
  }
}
