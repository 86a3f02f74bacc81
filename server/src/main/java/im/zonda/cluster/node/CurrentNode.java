package im.zonda.cluster.node;

import im.zonda.cluster.Member;
import im.zonda.cluster.forward.StanzaForwarder;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.cluster.placement.ClusterView;
import im.zonda.cluster.replica.ReplicaListener;
import im.zonda.cluster.replica.Replication;
import im.zonda.jid.Jid;
import im.zonda.link.SessionGate;
import im.zonda.module.Envelope;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The [Node] that this process is at present, and ports that always lead to it. Any thread may
/// call.
final class CurrentNode {
  private volatile @Nullable Node node;

  /// The node; null while this process is no member.
  @Nullable Node find() {
    return node;
  }

  /// Replaces the node.
  void set(@Nullable Node next) {
    node = next;
  }

  /// The ports.
  ///
  /// @param rejects answers stanzas for homes on other nodes while there is no node
  Nodes ports(Consumer<Envelope> rejects, UnaryOperator<SessionGate> gate) {
    return new Nodes(new View(), new Forwarder(rejects), new Copying(), new Sender(), gate);
  }

  private final class View implements ClusterView {
    @Override
    public boolean isHere(Jid home) {
      Node current = node;
      return current != null && current.isHere(home);
    }

    @Override
    public @Nullable Member homeOf(Jid home) {
      Node current = node;
      return current == null ? null : current.homeOf(home);
    }

    @Override
    public @Nullable Member self() {
      Node current = node;
      return current == null ? null : current.self();
    }

    @Override
    public long epoch() {
      Node current = node;
      return current == null ? 0 : current.epoch();
    }

    @Override
    public Set<Member> members() {
      Node current = node;
      return current == null ? Set.of() : current.members();
    }
  }

  private final class Forwarder implements StanzaForwarder {
    private final Consumer<Envelope> rejects;

    Forwarder(Consumer<Envelope> rejects) {
      this.rejects = rejects;
    }

    @Override
    public boolean isDirect(Jid home, Envelope envelope) {
      Node current = node;
      return current != null && current.isDirect(home, envelope);
    }

    @Override
    public void forward(Jid home, Envelope envelope) {
      Node current = node;
      if (current != null) {
        current.forward(home, envelope);
      } else {
        rejects.accept(envelope);
      }
    }

    @Override
    public void inBatch(Jid sender, Runnable forwards) {
      Node current = node;
      if (current != null) {
        current.inBatch(sender, forwards);
      } else {
        forwards.run();
      }
    }

    @Override
    public void find(Jid address, Consumer<Boolean> answer) {
      Node current = node;
      if (current != null) {
        current.find(address, answer);
      } else {
        answer.accept(true);
      }
    }

    @Override
    public void handled(Jid account, String session, long number) {
      Node current = node;
      if (current != null) {
        current.handled(account, session, number);
      }
    }

    @Override
    public void forget(Jid account) {
      Node current = node;
      if (current != null) {
        current.forget(account);
      }
    }
  }

  private final class Copying implements Replication {
    @Override
    public boolean hasStandby(Jid home) {
      Node current = node;
      return current != null && current.hasStandby(home);
    }

    @Override
    public void copy(
        Jid home, Map<String, byte @Nullable []> parts, @Nullable ReplicaListener listener) {
      Node current = node;
      if (current != null) {
        current.copy(home, parts, listener);
      }
    }

    @Override
    public long awaitsSessions(Jid home) {
      Node current = node;
      return current == null ? 0 : current.awaitsSessions(home);
    }
  }

  private final class Sender implements NodeMessage.Sender {
    @Override
    public void post(Member to, NodeMessage value) {
      Node current = node;
      if (current != null) {
        current.post(to, value);
      }
    }

    @Override
    public void postToOthers(NodeMessage value) {
      Node current = node;
      if (current != null) {
        current.postToOthers(value);
      }
    }
  }
}
