package im.zonda.cluster.forward;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.NodeValue;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Repeated stanzas that a member which is gone may have handled: each waits until the message log
/// says whether it has an entry of it. Later stanzas of the same source and of other sources to the
/// same home wait behind it, to keep the order. Confined to the node's inbox; a worker asks the
/// log.
///
/// Bounded by the sources, like the values that wait for a segment to open.
public final class ResentStanzas {
  /// A stanza that waits.
  ///
  /// @param origin the identity to look up in the log; 0 if it need not be looked up
  /// @param toRoom whether it is a message to a room
  public record Waiting(Member from, NodeValue.Route route, long origin, boolean toRoom) {}

  /// A query to the log.
  ///
  /// @param number grows with each
  /// @param age of the oldest of the stanzas
  public record Question(long number, Set<Long> origins, Duration age) {}

  private final Deque<Waiting> waiting = new ArrayDeque<>();

  /// How many wait of each source, and for each home.
  private final Map<Member, Integer> sources = new HashMap<>();

  private final Map<String, Integer> owners = new HashMap<>();

  /// The query that is being answered.
  private @Nullable Question asked;

  private long last;

  /// Whether a stanza has to wait for one of the same source, or for the same home.
  public boolean isBehind(Member from, String owner) {
    return sources.containsKey(from) || owners.containsKey(owner);
  }

  /// Adds a stanza.
  public void add(Waiting stanza) {
    waiting.add(stanza);
    sources.merge(stanza.from(), 1, Integer::sum);
    owners.merge(stanza.route().owner(), 1, Integer::sum);
  }

  private void removed(Waiting stanza) {
    sources.computeIfPresent(stanza.from(), (_, count) -> count == 1 ? null : count - 1);
    owners.computeIfPresent(stanza.route().owner(), (_, count) -> count == 1 ? null : count - 1);
  }

  /// Removes those that need not wait, unless the log is being asked.
  public List<Waiting> removeIf(Predicate<Waiting> needless) {
    if (asked != null) {
      return List.of();
    }
    List<Waiting> found = new ArrayList<>(0);
    waiting.removeIf(each -> needless.test(each) && found.add(each));
    found.forEach(this::removed);
    return found;
  }

  /// The next query to the log; null if there is none, or while one is being answered.
  public @Nullable Question ask() {
    if (asked != null) {
      return null; // one is being answered
    }
    Set<Long> origins = new HashSet<>();
    long age = 1; // another node may have repeated a stanza of age 0 just now
    for (Waiting each : waiting) {
      if (each.origin() != 0) {
        origins.add(each.origin());
        age = Math.max(age, each.route().age());
      }
    }
    asked = origins.isEmpty() ? null : new Question(++last, origins, Duration.ofMillis(age));
    return asked;
  }

  /// The log has answered.
  ///
  /// @return the stanzas that can be delivered now, in order; none if the question is obsolete
  public List<Waiting> answered(Question question) {
    if (!question.equals(asked)) {
      return List.of();
    }
    asked = null;
    return first(question.origins());
  }

  /// The stanzas that need not wait, unless the log is being asked.
  public List<Waiting> unasked() {
    return asked == null ? first(Set.of()) : List.of();
  }

  private List<Waiting> first(Set<Long> origins) {
    List<Waiting> ready = new ArrayList<>();
    Waiting first = waiting.peek();
    while (first != null && (first.origin() == 0 || origins.contains(first.origin()))) {
      waiting.remove();
      removed(first);
      ready.add(first);
      first = waiting.peek();
    }
    return ready;
  }

  /// Sorts the messages that a room has stored before other stanzas to the room, in the order in
  /// which it has stored them, as several sources repeat them.
  ///
  /// @param ids those of the log, by origin
  public static List<Waiting> inOrderOfRooms(List<Waiting> stanzas, Map<Long, Long> ids) {
    Map<String, List<Waiting>> rooms = new HashMap<>();
    for (Waiting each : stanzas) {
      if (each.toRoom() && ids.containsKey(each.origin())) {
        rooms.computeIfAbsent(each.route().owner(), _ -> new ArrayList<>()).add(each);
      }
    }
    if (rooms.isEmpty()) {
      return stanzas;
    }
    List<Waiting> ordered = new ArrayList<>(stanzas.size());
    Set<Waiting> done = new HashSet<>();
    for (Waiting each : stanzas) {
      List<Waiting> stored = rooms.remove(each.route().owner());
      if (stored != null) {
        stored.sort(Comparator.comparing(one -> ids.getOrDefault(one.origin(), 0L)));
        ordered.addAll(stored);
        done.addAll(stored);
      }
      if (!done.contains(each)) {
        ordered.add(each);
      }
    }
    return ordered;
  }

  /// The log could not be asked; [#ask] asks again.
  public void failed(Question question) {
    if (question.equals(asked)) {
      asked = null;
    }
  }

  /// Discards all, in another placement: their sources send them again.
  public List<Waiting> clear() {
    List<Waiting> left = List.copyOf(waiting);
    waiting.clear();
    sources.clear();
    owners.clear();
    asked = null;
    return left;
  }
}
