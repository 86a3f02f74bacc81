package im.zonda.app.alarm;

import im.zonda.app.metric.Figure;
import im.zonda.config.monitoring.Alarms;
import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import im.zonda.store.StoreException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Compares measurements with thresholds, and keeps active and past alarms in the store. A failure
/// of the store delays nothing: the write is repeated later. Any thread may call.
public final class AlarmWatch {
  /// The key-value store.
  public static final String STORE = "alarms";

  /// The most alarms that are kept: the oldest past ones go first.
  static final int MOST = 500;

  /// To whom the values belong: the server as a whole.
  private static final Jid OWNER = Jid.of(null, "zonda.invalid", null);

  /// In how many checks, one after the other, nothing must be wrong before an alarm ends.
  private static final int CALM = 12;

  /// How many checks wait for the database to say which alarms were active.
  private static final int PATIENCE = 3;

  private static final Logger LOG = LoggerFactory.getLogger(AlarmWatch.class);
  private static final Comparator<Alarm> NEWEST =
      Comparator.comparing(Alarm::since).thenComparing(Alarm::id).reversed();

  private record Key(Condition.Kind kind, String subject) {}

  private final Supplier<Alarms> thresholds;
  private final KeyValueStore store;
  private final String node;
  private final InstantSource clock;
  private final Executor workers;
  private final AlarmSources sources;

  // Guarded by this object's monitor.
  private final Map<Key, Alarm> active = new HashMap<>();
  private final Map<Key, Integer> holding = new HashMap<>();
  private final Map<Key, Integer> calm = new HashMap<>();
  private final Map<String, Alarm> unsaved = new LinkedHashMap<>();
  private boolean loaded;
  private int waited;
  private boolean saving;

  /// @param node the name of this node of a cluster; empty without one
  /// @param sources what alarms are about beside the meters
  public AlarmWatch(
      Supplier<Alarms> thresholds,
      KeyValueStore store,
      String node,
      InstantSource clock,
      Executor workers,
      AlarmSources sources) {
    this.sources = sources;
    this.thresholds = thresholds;
    this.store = store;
    this.node = node;
    this.clock = clock;
    this.workers = workers;
  }

  /// Takes what was measured; to be called every few seconds. Does not block.
  public synchronized void check(List<Figure> figures) {
    if (!loaded) {
      startSaving();
      waited++;
    }
    if (!loaded && waited <= PATIENCE) {
      return; // what was active before the start is not raised again
    }
    Instant now = clock.instant();
    List<Condition> conditions = new ArrayList<>(Condition.of(figures, thresholds.get(), now));
    conditions.addAll(sources.conditions(thresholds.get(), now, workers));
    Set<Key> gone = new HashSet<>(active.keySet());
    gone.removeIf(each -> each.subject().isEmpty());
    for (Condition each : conditions) {
      Key key = new Key(each.kind(), each.subject());
      gone.remove(key);
      if (each.holds()) {
        calm.remove(key);
        if (holding.merge(key, 1, Integer::sum) >= each.kind().checks()
            && !active.containsKey(key)) {
          begin(key, Alarm.of(node, each, now));
        }
      } else {
        rest(key, now);
      }
    }
    gone.forEach(each -> rest(each, now)); // such as a host that is served no longer
    if (!unsaved.isEmpty()) {
      startSaving();
    }
  }

  private void rest(Key key, Instant now) {
    holding.remove(key);
    if (active.containsKey(key) && calm.merge(key, 1, Integer::sum) >= CALM) {
      end(key, now);
    }
  }

  private void startSaving() {
    if (!saving) {
      saving = true;
      workers.execute(this::save);
    }
  }

  private void begin(Key key, Alarm alarm) {
    active.put(key, alarm);
    unsaved.put(alarm.id(), alarm);
    LOG.atWarn()
        .addKeyValue("alarm", alarm.id())
        .addKeyValue("text", alarm.text())
        .log("alarm_raised");
  }

  private void end(Key key, Instant now) {
    calm.remove(key);
    Alarm alarm = active.remove(key);
    if (alarm != null) {
      unsaved.put(alarm.id(), alarm.end(now));
      LOG.atInfo().addKeyValue("alarm", alarm.id()).log("alarm_ended");
    }
  }

  private void save() {
    try {
      load();
      for (Alarm each : taken()) {
        store.put(OWNER, each.id(), each.write());
        saved(each);
      }
      trim();
    } catch (StoreException e) {
      LOG.atDebug().setCause(e).log("alarms_not_stored"); // is tried again; the store has an alarm
    } finally {
      synchronized (this) {
        saving = false;
      }
    }
  }

  private synchronized List<Alarm> taken() {
    return List.copyOf(unsaved.values());
  }

  private synchronized void saved(Alarm alarm) {
    unsaved.remove(alarm.id(), alarm);
  }

  /// Goes on with the alarms that were active when this node stopped.
  private void load() {
    synchronized (this) {
      if (loaded) {
        return;
      }
    }
    List<Alarm> stored = stored();
    synchronized (this) {
      loaded = true;
      for (Alarm each : stored) {
        Key key = new Key(each.kind(), each.subject());
        if (each.ended() == null && each.node().equals(node) && !each.equals(active.get(key))) {
          Alarm newer = active.put(key, each);
          if (newer != null) {
            unsaved.remove(newer.id()); // it is the same
          }
        }
      }
    }
  }

  private void trim() {
    List<Alarm> all = stored();
    for (int i = MOST; i < all.size(); i++) {
      if (all.get(i).ended() != null) {
        store.remove(OWNER, all.get(i).id());
      }
    }
  }

  private List<Alarm> stored() {
    List<Alarm> all = new ArrayList<>();
    store
        .all(OWNER)
        .forEach((id, value) -> {
          try {
            all.add(Alarm.read(id, value));
          } catch (IllegalArgumentException e) {
            LOG.atWarn().addKeyValue("alarm", id).setCause(e).log("alarm_damaged");
          }
        });
    all.sort(NEWEST);
    return all;
  }

  /// The alarms of all nodes, the newest first; those of this node alone if the store cannot be
  /// read. Blocks.
  List<Alarm> all() {
    Map<String, Alarm> all = new LinkedHashMap<>();
    try {
      stored().forEach(each -> all.put(each.id(), each));
    } catch (StoreException e) {
      LOG.atDebug().setCause(e).log("alarms_not_read");
    }
    synchronized (this) {
      active.values().forEach(each -> all.putIfAbsent(each.id(), each));
      all.putAll(unsaved);
    }
    List<Alarm> sorted = new ArrayList<>(all.values());
    sorted.sort(NEWEST);
    return sorted;
  }

  /// Notes that someone has seen an alarm. Blocks.
  ///
  /// @return the alarm; null if there is none of that id
  @Nullable Alarm acknowledge(String id, String by) {
    for (Alarm each : all()) {
      if (each.id().equals(id)) {
        Alarm seen = each.acknowledge(by, clock.instant());
        store.put(OWNER, id, seen.write());
        synchronized (this) {
          active.replace(new Key(seen.kind(), seen.subject()), each, seen);
          unsaved.remove(id, each);
        }
        return seen;
      }
    }
    return null;
  }
}
