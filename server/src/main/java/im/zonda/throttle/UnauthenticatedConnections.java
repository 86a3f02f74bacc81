package im.zonda.throttle;

import im.zonda.session.ClientNetwork;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The connections whose peers have not authenticated. When there are too many, the address with
/// the most of them loses its newest; among addresses with equally many, the one that reached this
/// number first. So silent connections exclude only their own address.
///
/// Safe for use by several threads.
///
/// @param <C> a connection
public final class UnauthenticatedConnections<C> {
  private final int most;
  private final Map<ClientNetwork, SequencedSet<C>> connections = new HashMap<>();

  /// The addresses by their number of connections; those with equally many in the order in which
  /// they came to it.
  private final TreeMap<Integer, SequencedSet<ClientNetwork>> byNumber = new TreeMap<>();

  private int size;

  /// @param most how many there may be
  public UnauthenticatedConnections(int most) {
    this.most = most;
  }

  /// Adds a connection; returns the one to close for it, which may be the same, or null.
  public synchronized @Nullable C enter(InetAddress address, C connection) {
    ClientNetwork network = ClientNetwork.of(address);
    SequencedSet<C> own = connections.computeIfAbsent(network, key -> new LinkedHashSet<>());
    own.addLast(connection);
    size++;
    move(network, own.size() - 1, own.size());
    if (size <= most) {
      return null;
    }
    ClientNetwork largest = byNumber.lastEntry().getValue().getFirst();
    C newest = Objects.requireNonNull(connections.get(largest)).getLast();
    remove(largest, newest);
    return newest;
  }

  /// Removes a connection whose peer has authenticated, or that is gone. More calls do nothing.
  public synchronized void leave(InetAddress address, C connection) {
    remove(ClientNetwork.of(address), connection);
  }

  /// All of them.
  public synchronized List<C> all() {
    return connections.values().stream().flatMap(SequencedSet::stream).toList();
  }

  /// How many there are.
  public synchronized int size() {
    return size;
  }

  private void remove(ClientNetwork network, C connection) {
    SequencedSet<C> own = connections.get(network);
    if (own == null || !own.remove(connection)) {
      return;
    }
    size--;
    move(network, own.size() + 1, own.size());
    if (own.isEmpty()) {
      connections.remove(network);
    }
  }

  private void move(ClientNetwork network, int from, int to) {
    SequencedSet<ClientNetwork> before = byNumber.get(from);
    if (before != null) {
      before.remove(network);
      if (before.isEmpty()) {
        byNumber.remove(from);
      }
    }
    if (to > 0) {
      byNumber.computeIfAbsent(to, key -> new LinkedHashSet<>()).addLast(network);
    }
  }
}
