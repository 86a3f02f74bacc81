package im.zonda.bench.trace;

import im.zonda.bench.trace.Trace.Session;
import im.zonda.bench.trace.Trace.Stay;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Intervals of time by key, in the order in which the keys came; those of one key that touch or
/// overlap become one.
///
/// @param <K> such as a player
final class Intervals<K> {
  /// A player in a room.
  record Place(int player, int room) {}

  private final SequencedMap<K, List<long[]>> parts = new LinkedHashMap<>();

  /// Adds an interval.
  void add(K key, long from, long until) {
    parts.computeIfAbsent(key, any -> new ArrayList<>()).add(new long[] {from, until});
  }

  /// Adds an interval of which the part after the end of the trace is at its beginning.
  void addWrapped(K key, long from, long until, long end) {
    if (from >= end) {
      add(key, from - end, until - end);
    } else if (until > end) {
      add(key, from, end);
      add(key, 0, until - end);
    } else {
      add(key, from, until);
    }
  }

  /// Whether there is an interval of the key.
  boolean has(K key) {
    return parts.containsKey(key);
  }

  /// Gets merged intervals, those of a key sorted.
  interface Sink<K> {
    /// Takes an interval.
    void take(K key, long from, long until);
  }

  /// Gives all intervals.
  void forEach(Sink<K> sink) {
    parts.forEach((key, own) -> {
      own.sort(Comparator.comparingLong(part -> part[0]));
      long from = own.getFirst()[0];
      long until = own.getFirst()[1];
      for (long[] part : own) {
        if (part[0] > until) {
          sink.take(key, from, until);
          from = part[0];
        }
        until = Math.max(until, part[1]);
      }
      sink.take(key, from, until);
    });
  }

  /// The intervals as sessions of players.
  static List<Session> sessions(Intervals<Integer> online) {
    List<Session> sessions = new ArrayList<>();
    online.forEach((player, from, until) -> sessions.add(new Session(player, from, until)));
    return sessions;
  }

  /// The intervals as stays.
  static List<Stay> stays(Intervals<Place> inRooms) {
    List<Stay> stays = new ArrayList<>();
    inRooms.forEach(
        (place, from, until) -> stays.add(new Stay(place.player(), place.room(), from, until)));
    return stays;
  }
}
