package im.zonda.app.cluster;

import im.zonda.cluster.Member;
import im.zonda.cluster.engine.ClusterEngine;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.infinispan.EngineSettings;
import im.zonda.cluster.infinispan.InfinispanEngine;
import im.zonda.cluster.membership.Membership;
import im.zonda.cluster.membership.MembershipListener;
import im.zonda.cluster.membership.MembershipStatus;
import im.zonda.cluster.placement.Placement;
import im.zonda.config.Cluster;
import im.zonda.config.ServerConfig;
import im.zonda.module.Scheduler;
import im.zonda.net.tls.MutualTls;
import im.zonda.net.tls.PemFiles;
import im.zonda.node.Incarnations;
import im.zonda.node.LocalHomes;
import im.zonda.node.Node;
import im.zonda.node.Nodes;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.server.SqlClusterRows;
import im.zonda.store.StoreException;
import im.zonda.timer.PeriodicTask;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// This server as a node of its cluster: membership, engine and the row of the database. The only
/// class of the program that names the engine, so that a server without a cluster loads no class of
/// it.
public final class ClusterNode implements AutoCloseable {
  /// The time between two ticks of the links between nodes.
  private static final Duration TICK = Duration.ofMillis(200);

  private final ServerConfig config;
  private final Cluster cluster;
  private final Incarnations incarnations;
  private final Scheduler timers;
  private volatile @Nullable Membership membership;
  private @Nullable SqlClusterRows rows;
  private @Nullable PeriodicTask ticks;

  /// A node of the cluster that the configuration names, which has not joined.
  ///
  /// @param workers runs what may block, each task on a thread of its own
  public ClusterNode(ServerConfig config, Scheduler timers, Executor workers) {
    this.config = config;
    this.cluster = config.cluster();
    this.timers = timers;
    this.incarnations = new Incarnations(self -> node(self, workers));
  }

  private Membership membership() {
    return Objects.requireNonNull(membership, "not joined");
  }

  /// The name of the node.
  public String name() {
    return Objects.requireNonNull(cluster.node());
  }

  private Node node(Member self, Executor workers) {
    return new Node(
        new Node.Setup(
            self,
            InfinispanEngine.SEGMENTS,
            ClusterEngine.MAX_FRAME,
            (to, frame) -> membership().send(to, frame),
            workers));
  }

  /// The nodes, for the homes of this server.
  public Nodes nodes() {
    return incarnations;
  }

  /// Joins the cluster.
  ///
  /// @param homes the homes of this server
  /// @throws IOException with a message for the administrator if that is not possible
  public void join(LocalHomes homes, InstantSource clock) throws IOException {
    incarnations.start(homes);
    EngineSettings settings = settings(cluster);
    SqlClusterRows opened = SqlStores.clusterRows(config.storage(), settings.cluster());
    rows = opened;
    Membership joining =
        new Membership(
            name(),
            Membership.Parts.withThreads(
                self -> new InfinispanEngine(self, settings), opened, timers, clock),
            Membership.PATIENCE,
            new Listener());
    membership = joining;
    try {
      joining.start();
    } catch (StoreException | IOException e) {
      close();
      throw new IOException("cannot join cluster " + cluster.name() + ": " + e.getMessage(), e);
    }
    ticks = PeriodicTask.start(timers, TICK, incarnations::tick);
  }

  /// What this node knows of the cluster.
  public MembershipStatus status() {
    return membership().status();
  }

  @Override
  public void close() {
    PeriodicTask running = ticks;
    if (running != null) {
      running.cancel();
    }
    Membership joined = membership;
    if (joined != null) {
      joined.close();
    }
    SqlClusterRows opened = rows;
    if (opened != null) {
      opened.close();
    }
  }

  private static EngineSettings settings(Cluster cluster) throws IOException {
    EngineSettings.Peer bind = peer(Objects.requireNonNull(cluster.bind()));
    return new EngineSettings(
        Objects.requireNonNull(cluster.name()),
        new InetSocketAddress(address(bind.host()), bind.port()),
        cluster.peers().stream().map(ClusterNode::peer).toList(),
        tls(cluster.tls()),
        EngineSettings.Times.DEFAULTS);
  }

  private static InetAddress address(String host) throws IOException {
    return List.of(InetAddress.getAllByName(host)).getFirst();
  }

  private static EngineSettings.Peer peer(String text) {
    int colon = text.lastIndexOf(':');
    String host = text.substring(0, colon).replaceAll("[\\[\\]]", "");
    return new EngineSettings.Peer(host, Integer.parseInt(text.substring(colon + 1)));
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
      incarnations.installed(membership().self(), placement);
    }

    /// What needs a lost member waits anyway, and each stream has few stanzas on their way.
    @Override
    public void suspended(boolean suspended) {}

    @Override
    public void excluded() {
      incarnations.excluded();
    }

    @Override
    public void left() {
      incarnations.excluded();
    }

    @Override
    public void received(Frame frame) {
      incarnations.received(frame);
    }
  }
}
