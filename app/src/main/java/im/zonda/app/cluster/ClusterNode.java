package im.zonda.app.cluster;

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
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.server.SqlClusterRows;
import im.zonda.store.StoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// This server as a node of its cluster: membership, engine and the row of the database. The only
/// class of the program that names the engine, so that a server without a cluster loads no class of
/// it.
///
/// Nothing is routed over it yet: it joins, and logs its placements.
public final class ClusterNode implements AutoCloseable {
  private final Membership membership;
  private final SqlClusterRows rows;

  private ClusterNode(Membership membership, SqlClusterRows rows) {
    this.membership = membership;
    this.rows = rows;
  }

  /// Joins the cluster that the configuration names.
  ///
  /// @throws IOException with a message for the administrator if that is not possible
  public static ClusterNode join(ServerConfig config, Scheduler timers, InstantSource clock)
      throws IOException {
    Cluster cluster = config.cluster();
    EngineSettings settings = settings(cluster);
    SqlClusterRows rows = SqlStores.clusterRows(config.storage(), settings.cluster());
    Membership membership =
        new Membership(
            Objects.requireNonNull(cluster.node()),
            Membership.Parts.withThreads(
                self -> new InfinispanEngine(self, settings), rows, timers, clock),
            Membership.PATIENCE,
            new NothingToRoute());
    ClusterNode node = new ClusterNode(membership, rows);
    try {
      membership.start();
      return node;
    } catch (StoreException | IOException e) {
      node.close();
      throw new IOException("cannot join cluster " + cluster.name() + ": " + e.getMessage(), e);
    }
  }

  /// What this node knows of the cluster.
  public MembershipStatus status() {
    return membership.status();
  }

  @Override
  public void close() {
    membership.close();
    rows.close();
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
        : MutualTls.context(new PemFiles(certificate, key), trust);
  }

  /// A listener that has no sessions. The membership logs what it decides.
  private static final class NothingToRoute implements MembershipListener {
    @Override
    public void installed(Placement placement) {}

    @Override
    public void suspended(boolean suspended) {}

    @Override
    public void excluded() {}

    @Override
    public void left() {}

    @Override
    public void received(Frame frame) {}
  }
}
