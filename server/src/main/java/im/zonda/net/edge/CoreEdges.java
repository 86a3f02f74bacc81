package im.zonda.net.edge;

import im.zonda.edge.core.EdgeConnections;
import im.zonda.edge.core.EdgeTimes;
import im.zonda.net.Listener;
import im.zonda.net.tls.MutualTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;

/// A core's side of its edges: accepts their connections and ends them in order.
public final class CoreEdges {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final EdgeListener listener;
  private final EdgeConnections edges;

  private CoreEdges(EdgeListener listener, EdgeConnections edges) {
    this.listener = listener;
    this.edges = edges;
  }

  /// Starts to listen.
  ///
  /// @param listeners where to listen; port 0 takes any free one
  /// @param workers runs the expensive steps of handshakes
  /// @throws IOException with a sentence for the administrator if an address cannot be had
  public static CoreEdges start(
      List<Listener> listeners, MutualTls tls, EdgeConnections edges, Executor workers)
      throws IOException {
    EdgeListener listener =
        EdgeListener.start(
            new EdgeListener.Settings(listeners, tls, edges.maxFrameBytes(), workers), edges);
    return new CoreEdges(listener, edges);
  }

  /// Where it listens, with the ports that were taken.
  public List<InetSocketAddress> addresses() {
    return listener.addresses();
  }

  /// Says to the edges whether their streams should go to other cores, as far as there are some.
  /// Returns at once.
  public void leave(boolean now) {
    edges.leave(now);
  }

  /// How many streams of clients the edges have here, about.
  public int streams() {
    return edges.streams();
  }

  /// How long messages take to the clients of the edges.
  public EdgeTimes times() {
    return edges.times();
  }

  /// How many edges are connected.
  public int count() {
    return edges.count();
  }

  /// Detaches the sessions of all edges, so that they can be saved, and closes the connections.
  public void stop() {
    listener.stopAccepting();
    try {
      edges.stop(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    listener.close();
  }
}
