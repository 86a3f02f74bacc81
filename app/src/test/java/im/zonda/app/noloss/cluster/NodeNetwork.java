package im.zonda.app.noloss.cluster;

import im.zonda.testkit.relay.RelayedConnection;
import im.zonda.testkit.relay.TcpRelay;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The network between the nodes of a cluster, which can be cut. Before each node is a relay, whose
/// address it tells the others (`cluster.advertise`). A node connects from an address of its own,
/// so a relay knows who that is. What is cut off waits, and arrives when the network is whole
/// again, as with TCP. Any thread may call.
final class NodeNetwork implements AutoCloseable {
  /// From one node to another.
  private record Way(int from, int to) {
    Way back() {
      return new Way(/* from= */ to, /* to= */ from);
    }
  }

  private final List<InetSocketAddress> nodes;
  private final List<TcpRelay> relays = new ArrayList<>();

  // Guarded by this object's monitor.
  private final Set<Way> lost = new HashSet<>();

  /// @param nodes where they listen, each at an address of its own
  NodeNetwork(List<InetSocketAddress> nodes) throws IOException {
    this.nodes = List.copyOf(nodes);
    for (int i = 0; i < nodes.size(); i++) {
      int to = i;
      relays.add(
          new TcpRelay(
              () -> this.nodes.get(to),
              (connection, up, bytes, count) -> forwarding(to, connection, up)));
    }
  }

  /// Where the others reach a node.
  InetSocketAddress address(int node) {
    return relays.get(node).address();
  }

  private int nodeAt(InetAddress address) {
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i).getAddress().equals(address)) {
        return i;
      }
    }
    throw new IllegalStateException("a connection from " + address + ", which is no node's");
  }

  /// A connection that was opened while the network is cut, or a direction of it.
  private synchronized void forwarding(int to, RelayedConnection connection, boolean up) {
    int from = nodeAt(connection.clientAddress());
    Way there = new Way(from, to);
    if (lost.contains(there) && lost.contains(there.back())) {
      connection.freeze();
    }
    Way way = up ? there : there.back();
    try {
      while (lost.contains(way) && !lost.contains(way.back())) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Drops all traffic between a node and the other nodes.
  synchronized void isolate(int node) {
    for (int other = 0; other < nodes.size(); other++) {
      if (other != node) {
        lost.add(new Way(node, other));
        lost.add(new Way(other, node));
      }
    }
    for (int to = 0; to < relays.size(); to++) {
      for (RelayedConnection each : relays.get(to).connections()) {
        if (to == node || nodeAt(each.clientAddress()) == node) {
          each.freeze();
        }
      }
    }
  }

  /// Drops the output of a node; its input arrives.
  synchronized void mute(int node) {
    for (int other = 0; other < nodes.size(); other++) {
      if (other != node) {
        lost.add(new Way(node, other));
      }
    }
  }

  /// Drops the input of a node; its output arrives.
  synchronized void deafen(int node) {
    for (int other = 0; other < nodes.size(); other++) {
      if (other != node) {
        lost.add(new Way(other, node));
      }
    }
  }

  /// The network is whole again.
  synchronized void heal() {
    lost.clear();
    notifyAll();
    relays.forEach(relay -> relay.connections().forEach(RelayedConnection::thaw));
  }

  @Override
  public void close() throws IOException {
    heal();
    for (TcpRelay relay : relays) {
      relay.close();
    }
  }
}
