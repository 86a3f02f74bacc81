package im.zonda.testkit.noloss;

import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Addresses and state of the server over its restarts, set by the code that starts and kills it.
/// If it has several addresses, each connection is made to another one.
public final class ServerLives {
  private List<InetSocketAddress> addresses = List.of();
  private int turn;
  private int kills;
  private boolean cutOff;

  /// Sets the address of a server that is ready.
  public void ready(InetSocketAddress where) {
    ready(List.of(where));
  }

  /// Sets the addresses of the nodes that are ready.
  public synchronized void ready(List<InetSocketAddress> nodes) {
    addresses = List.copyOf(nodes);
    notifyAll();
  }

  /// Announces a kill; must be called before it.
  public synchronized void killing() {
    kills++;
    addresses = List.of();
  }

  /// Announces the kill of one of the nodes.
  public synchronized void killing(InetSocketAddress node) {
    kills++;
    addresses = addresses.stream().filter(each -> !each.equals(node)).toList();
  }

  /// Says that a kill has happened that was announced: sessions that have begun or were resumed
  /// between the two may be lost, too.
  public synchronized void killed() {
    kills++;
  }

  /// Announces a clean stop.
  public synchronized void stopping() {
    addresses = List.of();
  }

  /// Announces that one of the nodes accepts no clients for a while; none of its sessions may be
  /// lost.
  public synchronized void stopping(InetSocketAddress node) {
    addresses = addresses.stream().filter(each -> !each.equals(node)).toList();
  }

  /// Sets whether a node may be cut off from the other nodes: sessions that begin at it may be lost
  /// when it is evicted.
  public synchronized void cutOff(boolean may) {
    cutOff = may;
  }

  /// Whether sessions may be lost that have begun since the last kill.
  synchronized boolean mayLoseNewSessions() {
    return cutOff;
  }

  /// The number of kills.
  public synchronized int kills() {
    return kills;
  }

  /// An address of the server; waits while it is not ready.
  public synchronized InetSocketAddress await() throws InterruptedException {
    while (addresses.isEmpty()) {
      wait();
    }
    return next();
  }

  private InetSocketAddress next() {
    turn++;
    return addresses.get(Math.floorMod(turn, addresses.size()));
  }

  /// An address of the server, or null while it is not ready.
  public synchronized @Nullable InetSocketAddress now() {
    return addresses.isEmpty() ? null : next();
  }

  /// Whether the server is ready at that address.
  synchronized boolean isReady(InetSocketAddress address) {
    return addresses.contains(address);
  }
}
