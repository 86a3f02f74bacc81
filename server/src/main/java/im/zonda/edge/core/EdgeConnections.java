package im.zonda.edge.core;

import im.zonda.edge.EdgeForm;
import im.zonda.edge.EdgeWire;
import im.zonda.stream.client.StreamContext;
import java.time.Duration;
import java.time.InstantSource;
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
  /// @param sessions the homes of sessions
  /// @param start this start of the core
  /// @param maxStreams the most streams of one edge
  public EdgeConnections(
      StreamContext context, EdgeConnection.Sessions sessions, Start start, int maxStreams) {
    EdgeForm form = new EdgeForm(context.limits().client().maxBytes());
    Duration validity = context.limits().resumeTime().plusSeconds(EdgeConnection.RENEWAL_SECONDS);
    Proofs proofs = new Proofs(start.secret(), start.id(), start.clock(), validity);
    this.parts = new EdgeConnection.Parts(context, sessions, form, proofs, maxStreams);
  }

  /// One start of the core.
  ///
  /// @param secret stays the same over restarts
  /// @param id does not
  /// @param clock tells how old proofs are
  @SuppressWarnings("ArrayRecordComponent") // the secret is not compared
  public record Start(byte[] secret, String id, InstantSource clock) {}

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
