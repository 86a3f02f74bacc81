package im.zonda.net.socks;

import im.zonda.config.limits.Limits.ProxyLimits;
import im.zonda.session.ClientNetwork;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/// The connections that are not activated, within the bounds of the proxy. Safe for use by several
/// threads. Closes what it removes to make room; never blocks.
final class Halves {
  private final ProxyLimits limits;

  /// By network, the oldest first.
  private final Map<ClientNetwork, SequencedSet<Half>> waiting = new HashMap<>();

  /// Those that have asked for an address, one or two each.
  private final Map<String, List<Half>> requested = new HashMap<>();

  private int size;
  private int active;

  /// Two connections of one stream.
  record Pair(Half first, Half second) {}

  Halves(ProxyLimits limits) {
    this.limits = limits;
  }

  /// Adds a connection that was accepted.
  ///
  /// @return false if it is to be closed, because its network has too many or there is no room
  synchronized boolean add(Half half) {
    SequencedSet<Half> own = waiting.get(half.network);
    if (own != null && own.size() >= limits.waitingPerAddress()) {
      return false;
    }
    if (size + active >= limits.connections()) {
      Half victim = oldestOfMost();
      if (victim == null) {
        return false;
      }
      remove(victim);
      victim.close();
    }
    waiting.computeIfAbsent(half.network, network -> new LinkedHashSet<>()).add(half);
    size++;
    return true;
  }

  private @Nullable Half oldestOfMost() {
    SequencedSet<Half> most = null;
    for (SequencedSet<Half> each : waiting.values()) {
      if (most == null || each.size() > most.size()) {
        most = each;
      }
    }
    return most == null ? null : most.getFirst();
  }

  /// Has a connection wait for the activation of an address.
  ///
  /// @return false if it has left, or two other connections wait for that address
  synchronized boolean request(Half half, String address) {
    SequencedSet<Half> own = waiting.get(half.network);
    if (own == null || !own.contains(half)) {
      return false;
    }
    List<Half> both = requested.computeIfAbsent(address, key -> new ArrayList<>());
    if (both.size() == 2) {
      return false;
    }
    half.address = address;
    both.add(half);
    return true;
  }

  /// The number of connections that wait for an address.
  synchronized int count(String address) {
    List<Half> both = requested.get(address);
    return both == null ? 0 : both.size();
  }

  /// Takes the two connections of an address out, to be counted as active until [#ended]; null if
  /// there are not two.
  synchronized @Nullable Pair take(String address) {
    List<Half> both = requested.get(address);
    if (both == null || both.size() < 2) {
      return null;
    }
    Pair pair = new Pair(both.getFirst(), both.getLast());
    remove(pair.first());
    remove(pair.second());
    active += 2;
    return pair;
  }

  /// A stream has ended.
  synchronized void ended() {
    active -= 2;
  }

  /// Removes a connection; does nothing if it is not here.
  synchronized void remove(Half half) {
    SequencedSet<Half> own = waiting.get(half.network);
    if (own == null || !own.remove(half)) {
      return;
    }
    size--;
    if (own.isEmpty()) {
      waiting.remove(half.network);
    }
    String address = half.address;
    List<Half> both = address == null ? null : requested.get(address);
    if (both != null && both.remove(half) && both.isEmpty()) {
      requested.remove(address);
    }
  }

  /// Removes and closes those whose time is over.
  synchronized void expire(Instant now) {
    all().stream()
        .filter(half -> !half.deadline.isAfter(now))
        .forEach(half -> {
          remove(half);
          half.close();
        });
  }

  /// All of them, in no order.
  synchronized List<Half> all() {
    return waiting.values().stream().flatMap(SequencedSet::stream).toList();
  }
}
