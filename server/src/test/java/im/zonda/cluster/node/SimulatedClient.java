package im.zonda.cluster.node;

import im.zonda.cluster.node.StreamSimulation.Simulated;
import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.SessionVersion;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A client of [StreamSimulation], which comes and goes, with or without an edge.
final class SimulatedClient {
  /// The stream of a client at a node, or at an edge by way of a node.
  static final class ClientStream implements StreamEnd {
    final SimulatedClient client;
    final Simulated at;
    final SessionEnd link;
    boolean ended;

    ClientStream(SimulatedClient client, Simulated at) {
      this.client = client;
      this.at = at;
      this.link = at.node.ports().gate().apply(at.homes).open(this);
    }

    @Override
    public void receive(ToStream value) {
      if (!ended) {
        client.receive(value, this);
      }
    }

    @Override
    public boolean keepsState() {
      return false;
    }

    /// The connection is gone.
    void end(ToSession last) {
      if (!ended) {
        ended = true;
        link.receive(last);
        link.outputEnded();
      }
    }
  }

  private final StreamSimulation in;
  private final Jid account;

  /// What it asks for; null to have one made.
  private final @Nullable String resource;

  private @Nullable ClientStream stream;

  /// The stream that the edge leaves once the session is on the other one.
  private @Nullable ClientStream former;

  /// The streams that it has left without an end.
  private final List<ClientStream> left = new ArrayList<>();

  @Nullable String session;
  private long resumptions;

  /// Whether its edge has asked for the session, on another core, and not the client itself.
  private boolean byEdge;

  /// What it was last told of the count of its stanzas.
  private long count;

  boolean hasSession;

  SimulatedClient(StreamSimulation in, Jid account, @Nullable String resource) {
    this.in = in;
    this.account = account;
    this.resource = resource;
  }

  @Override
  public String toString() {
    return account + "/" + resource;
  }

  /// Connects, or comes back.
  void go() {
    if (stream == null) {
      ask();
    } else if (!in.calm && hasSession && in.random.nextInt(3) == 0) {
      if (in.random.nextBoolean()) {
        leave(stream.at);
      } else {
        lose(stream.at);
      }
    }
  }

  /// Leaves its stream if that is at that node, which does not notice.
  void leave(Simulated node) {
    ClientStream last = stream;
    if (last != null && last.at.equals(node) && hasSession && former == null) {
      left.add(last);
      stream = null;
      hasSession = false;
    }
  }

  /// The nodes notice that the client has left its streams.
  void endLeft() {
    for (ClientStream each : List.copyOf(left)) {
      left.remove(each);
      if (in.nodes.contains(each.at)) {
        each.end(new ToSession.Lost());
      }
    }
  }

  private void ask() {
    ClientStream next = new ClientStream(this, in.any(in.nodes));
    stream = next;
    byEdge = false;
    String id = session;
    next.link.receive(
        id != null
            ? new ToSession.Resume(account, id, 0)
            : new ToSession.Bind(account, resource, null));
  }

  /// The edge of the client takes another core.
  void changeCore() {
    ClientStream from = stream;
    String id = session;
    if (from == null || id == null || !hasSession || former != null) {
      return;
    }
    former = from;
    byEdge = true;
    hasSession = false;
    ClientStream next = new ClientStream(this, in.any(in.nodes));
    stream = next;
    next.link.receive(
        new ToSession.Resume(account, id, 0, true, new SessionVersion(resumptions, 0, 0)));
  }

  /// The client's stream ends if it is at that node.
  void lose(Simulated node) {
    ClientStream left = former;
    if (left != null && left.at.equals(node)) {
      endFormer();
    }
    ClientStream last = stream;
    if (last != null && last.at.equals(node)) {
      endFormer();
      stream = null;
      hasSession = false;
      if (in.nodes.contains(node)) {
        last.end(new ToSession.Lost());
      }
    }
  }

  private void endFormer() {
    ClientStream left = former;
    former = null;
    if (left != null && in.nodes.contains(left.at)) {
      left.end(new ToSession.Lost());
    }
  }

  void receive(ToStream value, ClientStream from) {
    if (!from.equals(stream)) {
      if (value instanceof ToStream.Close && left.remove(from)) {
        from.at.tasks.add(() -> from.end(new ToSession.Lost()));
      }
      return;
    }
    switch (value) {
      case ToStream.Bound bound -> {
        session = Objects.requireNonNull(bound.enabled()).id();
        count = 0;
        has(0);
      }
      case ToStream.Resumed resumed -> {
        long least = byEdge ? count : count + 1;
        if (resumed.handled() < least) {
          in.faults.add(this + " was told " + count + " before " + resumed.handled());
        }
        count = resumed.handled();
        has(resumed.resumptions());
      }
      case ToStream.NotBound _, ToStream.Unsettled _, ToStream.Close _, ToStream.CountTooHigh _ ->
          later(() -> {
            if (from.equals(stream)) {
              lose(from.at);
            }
          });
      case ToStream.SessionNotFound _ -> {
        session = null;
        later(() -> {
          if (from.equals(stream)) {
            lose(from.at);
          }
        });
      }
      default -> {}
    }
  }

  private void has(long newResumptions) {
    in.answered++;
    resumptions = newResumptions;
    hasSession = true;
    later(this::endFormer);
  }

  /// A stream does not call back into its session.
  private void later(Runnable task) {
    ClientStream on = stream;
    if (on != null) {
      on.at.tasks.add(task);
    }
  }

  /// The node has ended, and with it the streams there.
  void died(Simulated node) {
    left.removeIf(each -> each.at.equals(node));
    lose(node);
  }
}
