package im.zonda.edge.core;

import im.zonda.edge.EdgeCodec;
import im.zonda.edge.EdgeWire;
import im.zonda.edge.ToEdge;
import im.zonda.link.SessionGate;
import im.zonda.stream.client.StreamContext;
import im.zonda.throttle.BannedNetworks;
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
  private final BannedNetworks banned;
  private volatile boolean leaving;

  /// @param context what client streams share
  /// @param gate opens links of streams to sessions, on whatever node they are
  /// @param basis the basis of proofs
  /// @param maxStreams the most streams of one edge
  public EdgeConnections(StreamContext context, SessionGate gate, Basis basis, int maxStreams) {
    EdgeCodec form = new EdgeCodec();
    Duration validity = context.limits().resumeTime().plusSeconds(EdgeConnection.RENEWAL_SECONDS);
    Proofs proofs = new Proofs(basis.secret(), basis.processes(), basis.clock(), validity);
    this.parts = new EdgeConnection.Parts(context, gate, form, proofs, maxStreams, new EdgeTimes());
    this.banned = context.sasl().throttle().banned();
    banned.onChange(() -> all.forEach(this::sendBans));
  }

  /// The basis of proofs, which edges give back to this core or another one.
  ///
  /// @param secret the same for all nodes of a cluster, and over restarts
  /// @param processes where sessions are
  /// @param clock the time, for the age of proofs
  @SuppressWarnings("ArrayRecordComponent") // the secret is not compared
  public record Basis(byte[] secret, HomeProcesses processes, InstantSource clock) {}

  @Override
  public EdgeWire.Handler accept(EdgeWire wire, String peer) {
    EdgeConnection connection = new EdgeConnection(parts, wire, peer);
    all.add(connection);
    if (leaving) {
      connection.send(new ToEdge.Leaving(true));
    }
    if (!banned.networks().isEmpty()) {
      sendBans(connection);
    }
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
      public void written(long nanos) {
        connection.written(nanos);
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

  /// One at a time: no edge gets an older list after a newer one.
  private synchronized void sendBans(EdgeConnection connection) {
    connection.send(new ToEdge.Banned(banned.networks()));
  }

  /// How long a frame may be.
  public int maxFrameBytes() {
    return parts.form().maxBytes();
  }

  /// Notifies all edges, also those that connect later, whether their streams should move to other
  /// cores. Returns at once.
  public void leave(boolean now) {
    leaving = now;
    all.forEach(each -> each.send(new ToEdge.Leaving(now)));
  }

  /// How many streams of clients there are, about.
  public int streams() {
    return all.stream().mapToInt(EdgeConnection::size).sum();
  }

  /// How long messages take to the clients of the edges.
  public EdgeTimes times() {
    return parts.times();
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
