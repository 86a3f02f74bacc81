package im.zonda.cluster.node;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.port.LocalHomes;
import im.zonda.link.SessionEnd;
import im.zonda.link.SessionGate;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.metric.TimingCounts;
import im.zonda.module.Envelope;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.StanzaError;
import im.zonda.store.StoreException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// This server in its cluster, over all incarnations of its node. When the process is evicted, its
/// sessions end and its homes are unloaded; it rejoins with a new [Node].
///
/// The methods are called by one thread, the ports of [#nodes] by any.
public final class ServerNode {
  private static final Logger LOG = LoggerFactory.getLogger(ServerNode.class);

  private final Function<Member, Node> makeNode;
  private final CurrentNode current = new CurrentNode();
  private final Nodes nodes;
  private @Nullable LocalHomes homes;

  /// Those of former incarnations.
  private volatile TimingCounts hopsBefore = TimingCounts.NONE;

  /// @param makeNode makes the node of an incarnation
  public ServerNode(Function<Member, Node> makeNode) {
    this.makeNode = makeNode;
    this.nodes = current.ports(this::reject, local -> stream -> new Link(stream, local));
  }

  /// The ports for this server.
  public Nodes nodes() {
    return nodes;
  }

  /// Connects the nodes with their homes; to be called once, before the first placement.
  public void start(LocalHomes local) {
    homes = local;
  }

  private LocalHomes homes() {
    LocalHomes started = homes;
    if (started == null) {
      throw new IllegalStateException("not started");
    }
    return started;
  }

  /// A placement is legal.
  ///
  /// @param self the incarnation that this process has in it
  public void installed(Member self, Placement placement) {
    Node node = current.find();
    if (node == null) {
      node = makeNode.apply(self);
      node.start(homes());
      current.set(node);
    }
    node.installed(placement);
  }

  /// The database has confirmed that this process is a member.
  public void confirmed() {
    Node node = current.find();
    if (node != null) {
      node.confirmed();
    }
  }

  /// Members are missed and not yet evicted.
  public void memberMissed() {
    homes().memberMissed();
  }

  /// Frames have arrived. A frame before the first placement is discarded; its sender repeats it.
  public void received(List<Frame> frames) {
    Node node = current.find();
    if (node != null) {
      node.received(frames);
    }
  }

  /// To be called a few times a second.
  public void tick() {
    Node node = current.find();
    if (node != null) {
      node.tick();
    }
  }

  /// What this server does in its cluster; completed later.
  public CompletableFuture<NodeStatus> status() {
    Node node = current.find();
    if (node == null) {
      return CompletableFuture.completedFuture(NodeStatus.NONE);
    }
    CompletableFuture<NodeStatus> answer = new CompletableFuture<>();
    node.status(answer::complete);
    return answer;
  }

  /// From the forwarding of stanzas until another node has confirmed that they are handled. Any
  /// thread may call.
  public TimingCounts hops() {
    Node node = current.find();
    return node == null ? hopsBefore : hopsBefore.plus(node.hops());
  }

  /// The process was evicted. Blocks until all its homes are unloaded, for some seconds at most.
  public void evicted() {
    Node node = current.find();
    current.set(null);
    if (node != null) {
      hopsBefore = hopsBefore.plus(node.hops());
      node.evict();
    }
    try {
      int forgotten = homes().unload(home -> true).size();
      homes().flush();
      LOG.atWarn().addKeyValue("homes", forgotten).log("node_evicted");
    } catch (StoreException e) {
      // The fence was raised before the row was read: writes that had not reached the database are
      // lost, as they must be.
      LOG.atWarn().setCause(e).log("node_evicted");
    }
  }

  private void reject(Envelope envelope) {
    homes().reject(envelope, StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT));
  }

  /// The end of a link at a stream, for the incarnation in which the stream binds or resumes.
  private final class Link implements SessionEnd {
    private final StreamEnd stream;
    private final SessionGate local;
    private @Nullable SessionEnd end;

    Link(StreamEnd stream, SessionGate local) {
      this.stream = stream;
      this.local = local;
    }

    @Override
    public void receive(ToSession value) {
      if (end == null) {
        Node node = current.find();
        if (node == null) {
          refuse(value);
          return;
        }
        end = node.open(stream, local);
      }
      end.receive(value);
    }

    @Override
    public void outputEnded() {
      SessionEnd opened = end;
      if (opened != null) {
        opened.outputEnded();
      }
    }

    private void refuse(ToSession value) {
      if (value instanceof ToSession.Resume || value instanceof ToSession.Recover) {
        stream.receive(new ToStream.Unsettled());
      } else if (value instanceof ToSession.Bind) {
        stream.receive(new ToStream.NotBound(ErrorCondition.RESOURCE_CONSTRAINT));
      }
    }
  }
}
