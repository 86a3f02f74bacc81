package im.zonda.edge.core;

import im.zonda.edge.EdgeForm;
import im.zonda.edge.EdgeWire;
import im.zonda.link.SessionGate;
import im.zonda.stream.client.StreamContext;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// The edges that are connected to this core. Any thread may call.
public final class EdgeConnections implements EdgeWire.Acceptor {
  private final EdgeConnection.Parts parts;
  private final Set<EdgeConnection> all = ConcurrentHashMap.newKeySet();

  /// @param context what client streams share
  /// @param gate opens links of streams to sessions
  /// @param secret stays the same over restarts
  /// @param maxStreams the most streams of one edge
  public EdgeConnections(StreamContext context, SessionGate gate, byte[] secret, int maxStreams) {
    EdgeForm form = new EdgeForm(context.limits().client().maxBytes());
    this.parts = new EdgeConnection.Parts(context, gate, form, new Tickets(secret), maxStreams);
  }

  @Override
  public EdgeWire.Handler accept(EdgeWire wire, String peer) {
    EdgeConnection connection = new EdgeConnection(parts, wire, peer);
    all.add(connection);
    return new EdgeWire.Handler() {
      @Override
      public void received(byte[] frame) {
        connection.received(frame);
      }

      @Override
      public void tick() {
        connection.tick();
      }

      @Override
      public void drained() {
        connection.drained();
      }

      @Override
      public void ended() {
        all.remove(connection);
        connection.ended();
      }
    };
  }

  /// How long a frame may be.
  public int maxFrameBytes() {
    return parts.form().maxBytes();
  }

  /// How many edges are connected.
  public int count() {
    return all.size();
  }

  /// The core stops: detaches the sessions of all edges. Waits for that, but not for longer than
  /// `patience`.
  public void stop(Duration patience) throws InterruptedException {
    List<EdgeConnection> connections = List.copyOf(all);
    CountDownLatch stopped = new CountDownLatch(connections.size());
    connections.forEach(each -> each.stop(stopped::countDown));
    stopped.await(patience.toMillis(), TimeUnit.MILLISECONDS);
  }
}
