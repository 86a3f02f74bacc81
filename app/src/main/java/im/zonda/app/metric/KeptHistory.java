package im.zonda.app.metric;

import im.zonda.app.metric.MeterHistory.Point;
import im.zonda.app.metric.MeterHistory.Step;
import im.zonda.metric.HistoryStore;
import im.zonda.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the history of a node in the store: what has steps of minutes in one part for each hour,
/// what has steps of 15 minutes in one for each day. Reads it at the start, and that of other
/// nodes. A store that fails costs the history and nothing else. Its methods block.
final class KeptHistory {
  /// How often it is stored: what is newer is lost if the process is killed.
  static final Duration PERIOD = Duration.ofMinutes(5);

  private static final Logger LOG = LoggerFactory.getLogger(KeptHistory.class);
  private static final int PORTION = 500;
  private static final int BIT_STEPS = 2;

  private final MeterHistory history;
  private final HistoryStore store;
  private final String node;
  private final InstantSource clock;

  // Guarded by this object's monitor.
  private boolean loaded;
  private boolean failing;
  private long saved;

  /// @param node the name of this node of a cluster; empty without one
  KeptHistory(MeterHistory history, HistoryStore store, String node, InstantSource clock) {
    this.history = history;
    this.store = store;
    this.node = node;
    this.clock = clock;
    this.saved = clock.instant().getEpochSecond();
  }

  /// The name of this node.
  String node() {
    return node;
  }

  /// Reads what was measured before the start, if it was not read yet, then stores what was
  /// measured since the last time, and erases what is old.
  synchronized void save() {
    try {
      if (!loaded) {
        load();
        loaded = true;
      }
      long now = clock.instant().getEpochSecond();
      for (Step step : List.of(Step.MINUTES, Step.QUARTERS)) {
        save(step, Math.min(saved, now), now);
        store.erase(step.seconds(), begin(step, now - length(step)), PORTION);
      }
      saved = now;
      failing = false;
    } catch (StoreException e) {
      if (!failing) {
        LOG.atWarn().addKeyValue("reason", e.getMessage()).log("history_not_stored");
      }
      failing = true;
    }
  }

  /// Stores the rest at the end, unless the store has failed.
  synchronized void close() {
    if (loaded && !failing) {
      save();
    }
  }

  private void load() {
    long now = clock.instant().getEpochSecond();
    for (Step step : List.of(Step.MINUTES, Step.QUARTERS)) {
      read(node, step, now).forEach((begin, values) -> history.fill(step, begin, values));
    }
  }

  private void save(Step step, long since, long now) {
    // A step that was not over when it was stored is stored again.
    long first = since - (long) BIT_STEPS * step.seconds();
    for (long begin = begin(step, first); begin <= now; begin += part(step)) {
      Map<MeterHistory.Key, float[]> values =
          history.values(step, begin, Math.toIntExact(part(step) / step.seconds()));
      if (!values.isEmpty()) {
        store.put(new HistoryStore.Part(node, step.seconds(), begin, encode(values)));
      }
    }
  }

  /// What is stored of a node, by the beginnings of the parts.
  private Map<Long, Map<MeterHistory.Key, float[]>> read(String of, Step step, long now) {
    Map<Long, Map<MeterHistory.Key, float[]>> parts = new LinkedHashMap<>();
    long since = begin(step, now - length(step));
    for (HistoryStore.Part each : store.read(of, step.seconds(), since, now + 1)) {
      parts.put(each.begin(), decode(each, step));
    }
    return parts;
  }

  /// The points of the series of a meter at another node, the oldest first.
  ///
  /// @param step not seconds, which are not stored
  Map<MeterHistory.Key, List<Point>> points(
      String other, List<String> meters, Step step, Instant since) {
    Map<MeterHistory.Key, List<Point>> all = new LinkedHashMap<>();
    read(other, step, clock.instant().getEpochSecond())
        .forEach((begin, values) ->
            values.forEach((key, each) -> {
              if (meters.contains(key.meter())) {
                List<Point> points = all.computeIfAbsent(key, _ -> new ArrayList<>());
                for (int i = 0; i < each.length; i++) {
                  Instant time = Instant.ofEpochSecond(begin + (long) i * step.seconds());
                  if (!Float.isNaN(each[i]) && !time.isBefore(since)) {
                    points.add(new Point(time, MeterHistory.precise(each[i])));
                  }
                }
              }
            }));
    return all;
  }

  private static byte[] encode(Map<MeterHistory.Key, float[]> values) {
    try {
      return HistoryCode.encode(values);
    } catch (IOException e) {
      throw new IllegalStateException("a name is too long", e); // they are declared
    }
  }

  private static Map<MeterHistory.Key, float[]> decode(HistoryStore.Part part, Step step) {
    try {
      return HistoryCode.decode(part.data(), Math.toIntExact(part(step) / step.seconds()));
    } catch (IOException e) {
      LOG.atWarn().addKeyValue("begin", part.begin()).setCause(e).log("history_damaged");
      return Map.of();
    }
  }

  /// The beginning of the part in which a second is.
  private static long begin(Step step, long second) {
    return Math.floorDiv(second, part(step)) * part(step);
  }

  /// The time that the history has, in seconds.
  private static long length(Step step) {
    return (long) step.seconds() * step.count();
  }

  /// The length of a part, in seconds.
  private static long part(Step step) {
    return switch (step) {
      case SECONDS -> length(step);
      case MINUTES -> Duration.ofHours(1).toSeconds();
      case QUARTERS -> Duration.ofDays(1).toSeconds();
    };
  }
}
