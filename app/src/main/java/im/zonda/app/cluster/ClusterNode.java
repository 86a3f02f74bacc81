package im.zonda.app.cluster;

import im.zonda.app.status.Standing;
import im.zonda.cluster.Member;
import im.zonda.cluster.engine.ClusterEngine;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.infinispan.EngineSettings;
import im.zonda.cluster.infinispan.EngineSettings.Peer;
import im.zonda.cluster.infinispan.InfinispanEngine;
import im.zonda.cluster.membership.FrameTraffic;
import im.zonda.cluster.membership.Membership;
import im.zonda.cluster.membership.MembershipListener;
import im.zonda.cluster.membership.MembershipStatus;
import im.zonda.cluster.node.Node;
import im.zonda.cluster.node.NodeStatus;
import im.zonda.cluster.node.Nodes;
import im.zonda.cluster.node.ServerNode;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.port.LocalHomes;
import im.zonda.cluster.port.NodeSetup;
import im.zonda.config.Cluster;
import im.zonda.config.ServerConfig;
import im.zonda.metric.TimingCounts;
import im.zonda.net.tls.MutualTls;
import im.zonda.net.tls.PemFiles;
import im.zonda.runtime.ServerRuntime;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.server.SqlClusterRows;
import im.zonda.store.StoreException;
import im.zonda.timer.PeriodicTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// This server as a node of its cluster: membership, engine and the row of the database. It and
/// [RecordedPeers] are the only classes of the program that name the engine, so that a server
/// without a cluster loads no class of it.
public final class ClusterNode implements AutoCloseable {
  /// The time between two ticks of the links between nodes.
  private static final Duration TICK = Duration.ofMillis(200);

  /// The longest time to leave.
  private static final Duration LEAVE = Duration.ofSeconds(3);

  private static final Duration ANSWER = Duration.ofSeconds(5);
  private static final Logger LOG = LoggerFactory.getLogger(ClusterNode.class);

  private final AtomicLong placements = new AtomicLong();
  private final CountDownLatch left = new CountDownLatch(1);
  private final ServerConfig config;
  private final Cluster cluster;
  private final ServerNode incarnations;
  private final ServerRuntime runtime;
  private volatile @Nullable Membership membership;
  private volatile @Nullable DatabaseFence fence;
  private @Nullable SqlClusterRows rows;
  private @Nullable PeriodicTask ticks;

  /// A node of the cluster that the configuration names, which has not joined.
  public ClusterNode(ServerConfig config, ServerRuntime runtime) {
    this.config = config;
    this.cluster = config.cluster();
    this.runtime = runtime;
    this.incarnations = new ServerNode(this::node);
  }

  private Membership membership() {
    return Objects.requireNonNull(membership, "not joined");
  }

  private DatabaseFence fence() {
    return Objects.requireNonNull(fence, "not joined");
  }

  /// The name of the node.
  public String name() {
    return Objects.requireNonNull(cluster.node());
  }

  private Node node(Member self) {
    return new Node(
        new NodeSetup(
            self,
            InfinispanEngine.SEGMENTS,
            ClusterEngine.MAX_VALUE,
            (to, frames, allArrived) -> membership().send(to, frames, allArrived),
            runtime.workers(),
            () -> System.nanoTime() / 1_000_000,
            (joined, placement) -> fence().raise(joined, placement)));
  }

  /// The nodes, for the homes of this server.
  public Nodes nodes() {
    return incarnations.nodes();
  }

  /// Joins the cluster.
  ///
  /// @param homes the homes of this server
  /// @param stores its database
  /// @throws IOException with a message for the administrator if that is not possible
  public void join(LocalHomes homes, SqlStores stores) throws IOException {
    incarnations.start(homes);
    SqlClusterRows opened =
        SqlStores.clusterRows(config.storage(), Objects.requireNonNull(cluster.name()));
    rows = opened;
    EngineSettings settings = settings(cluster, opened);
    fence = new DatabaseFence(stores, opened);
    Membership joining =
        new Membership(
            name(),
            Membership.Parts.withThreads(
                self -> new InfinispanEngine(self, settings),
                opened,
                runtime.scheduler(),
                runtime.clock()),
            Membership.PATIENCE,
            new Listener());
    membership = joining;
    try {
      opened.announce(name(), address());
      joining.start();
    } catch (StoreException | IOException e) {
      close();
      throw new IOException("cannot join cluster " + cluster.name() + ": " + e.getMessage(), e);
    }
    ticks = PeriodicTask.start(runtime.scheduler(), TICK, incarnations::tick);
  }

  /// What this node knows of the cluster.
  public MembershipStatus status() {
    return membership().status();
  }

  /// Whether this node takes part in the cluster. Quick.
  public Standing standing() {
    return Standing.of(status());
  }

  /// The number of placements in which this node has acted.
  public long placements() {
    return placements.get();
  }

  /// From the forwarding of stanzas until another node has confirmed that they are handled. Quick.
  TimingCounts hops() {
    return incarnations.hops();
  }

  /// The frames between this node and the others since the process started. Quick.
  FrameTraffic.Counts traffic() {
    return membership().traffic();
  }

  /// What this node does in the cluster. Blocks for a moment.
  ///
  /// @throws UncheckedIOException if the node has too much to do to answer
  public NodeStatus activity() {
    try {
      return incarnations.status().get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new UncheckedIOException(new IOException("the node does not answer at present", e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /// Whether a member could take the homes of this one.
  boolean hasOthers() {
    Placement placement = status().placement();
    Member self = status().self();
    return placement != null
        && placement.members().stream()
            .anyMatch(each -> !each.equals(self) && !placement.isDraining(each));
  }

  /// Whether this node acts in a placement that gives it no homes.
  boolean isDraining() {
    Placement placement = status().placement();
    return placement != null && placement.isDraining(status().self());
  }

  /// Whether this node is the only member: what it has waits for it in its data folder.
  private boolean isAlone() {
    Placement placement = status().placement();
    return placement != null && placement.members().size() == 1;
  }

  /// The names of the nodes that have not left the cluster and are no members. Blocks.
  ///
  /// @throws StoreException if the database does not answer
  List<String> missing() {
    SqlClusterRows opened = Objects.requireNonNull(rows, "not joined");
    Placement placement = status().placement();
    if (placement == null) {
      return List.of();
    }
    Set<String> members =
        placement.members().stream().map(Member::name).collect(Collectors.toSet());
    return opened.nodes().stream().filter(each -> !members.contains(each)).toList();
  }

  /// A node that is no member is not expected to come back. Blocks.
  ///
  /// @return false if it is not missing
  boolean forget(String name) {
    if (!missing().contains(name)) {
      return false;
    }
    Objects.requireNonNull(rows, "not joined").withdraw(name);
    return true;
  }

  /// Gives the homes of this node to the others, or takes its part of them again. Returns at once.
  void drain(boolean wanted) {
    membership().drain(wanted);
  }

  /// Leaves the cluster, so that the other members need not wait; blocks for some seconds at most.
  private void leave(Membership joined, @Nullable SqlClusterRows opened) {
    fence().leave();
    try {
      if (opened != null) {
        opened.withdraw(name());
      }
    } catch (StoreException e) {
      LOG.atWarn().setCause(e).log("cluster_address_left_behind"); // others find no one there
    }
    joined.leave();
    try {
      if (!left.await(LEAVE.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.atWarn().log("cluster_not_left");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    PeriodicTask running = ticks;
    if (running != null) {
      running.cancel();
    }
    Membership joined = membership;
    SqlClusterRows opened = rows;
    if (joined != null) {
      if (joined.isJoined() && (isDraining() || isAlone())) {
        leave(joined, opened);
      }
      joined.close();
    }
    if (opened != null) {
      opened.close();
    }
  }

  private EngineSettings settings(Cluster cluster, SqlClusterRows opened) throws IOException {
    List<Peer> peers = cluster.peers().stream().map(Peer::parse).toList();
    return new EngineSettings(
        Objects.requireNonNull(cluster.name()),
        Peer.parse(Objects.requireNonNull(cluster.bind())).resolve(),
        Peer.parse(address()).resolve(),
        peers.isEmpty() ? new RecordedPeers(opened) : () -> peers,
        tls(cluster.tls()),
        EngineSettings.Times.DEFAULTS);
  }

  /// Where the other nodes reach this one.
  private String address() {
    String advertised = cluster.advertise();
    return advertised != null ? advertised : Objects.requireNonNull(cluster.bind());
  }

  private static @Nullable SSLContext tls(Cluster.Tls tls) throws IOException {
    Path certificate = tls.certificate();
    Path key = tls.key();
    Path trust = tls.trust();
    return certificate == null || key == null || trust == null
        ? null
        : MutualTls.load(new PemFiles(certificate, key), trust).context();
  }

  private final class Listener implements MembershipListener {
    @Override
    public void installed(Placement placement) {
      placements.incrementAndGet();
      incarnations.installed(membership().self(), placement);
    }

    @Override
    public void confirmed() {
      incarnations.confirmed();
    }

    /// What needs a lost member waits anyway, and each stream has few stanzas on their way.
    @Override
    public void suspended(boolean suspended) {
      if (suspended) {
        incarnations.memberMissed();
      }
    }

    @Override
    public void evicted() {
      incarnations.evicted();
    }

    /// Called before the server ends.
    @Override
    public void left() {
      left.countDown();
    }

    @Override
    public void received(List<Frame> frames) {
      incarnations.received(frames);
    }
  }
}
