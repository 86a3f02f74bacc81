package im.zonda.home.service;

import im.zonda.jid.Jid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// State that homes had on another node and have not been given here yet, because they have not
/// been loaded since or the database fails. Any thread may call.
///
/// All of it together is bounded. If there is more, the largest states are discarded: a home with
/// many or large parts pays, not the one that comes last.
final class ArrivingStates {
  /// The share of the heap that the states of one service may take; the copies of all homes of a
  /// node may take as much.
  private static final int HEAP_PART = 64;

  /// What a part costs besides its key and its bytes.
  private static final int PART_BYTES = 100;

  /// The state of one home.
  ///
  /// @param parts the parts by their keys
  record State(Jid home, Map<String, byte[]> parts) {
    long bytes() {
      return parts.entrySet().stream()
          .mapToLong(part -> PART_BYTES + part.getKey().length() + part.getValue().length)
          .sum();
    }
  }

  private final Map<Jid, State> states = new ConcurrentHashMap<>();
  private final long most;

  // Guarded by this object's monitor.
  private long bytes;

  ArrivingStates() {
    this(Runtime.getRuntime().maxMemory() / HEAP_PART);
  }

  /// @param most the most bytes
  ArrivingStates(long most) {
    this.most = most;
  }

  boolean isEmpty() {
    return states.isEmpty();
  }

  boolean contains(@Nullable Jid home) {
    return home != null && states.containsKey(home);
  }

  /// The homes that have not got their states.
  Collection<Jid> homes() {
    return List.copyOf(states.keySet());
  }

  /// Keeps the state of a home.
  ///
  /// @return the states that are discarded for it, which may be this one
  synchronized List<State> add(Jid home, Map<String, byte[]> parts) {
    State added = new State(home, parts);
    State before = states.put(home, added);
    bytes += added.bytes() - (before == null ? 0 : before.bytes());
    List<State> discarded = new ArrayList<>(0);
    while (bytes > most) {
      State largest =
          states.values().stream().max(Comparator.comparingLong(State::bytes)).orElseThrow();
      states.remove(largest.home());
      bytes -= largest.bytes();
      discarded.add(largest);
    }
    return discarded;
  }

  /// Takes the state of a home; null if there is none.
  @Nullable Map<String, byte[]> take(Jid home) {
    if (states.isEmpty()) {
      return null;
    }
    synchronized (this) {
      State taken = states.remove(home);
      if (taken == null) {
        return null;
      }
      bytes -= taken.bytes();
      return taken.parts();
    }
  }
}
