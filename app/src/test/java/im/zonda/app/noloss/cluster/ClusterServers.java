package im.zonda.app.noloss.cluster;

import im.zonda.app.cluster.ClusterOperations;
import im.zonda.app.cluster.ClusterText;
import im.zonda.app.federation.RealPeer;
import im.zonda.app.noloss.EdgeCertificates;
import im.zonda.app.noloss.EdgeProcess;
import im.zonda.app.noloss.KilledServer;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.testkit.database.FreePorts;
import im.zonda.testkit.database.TestAuthority;
import im.zonda.testkit.noloss.NoLossPlan;
import im.zonda.testkit.noloss.ServerLives;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The packaged server as several nodes of one cluster, each a process with a data folder and an
/// address of its own, and packaged edges before them if the run has some. Clients connect to all
/// edges that run, or else to all nodes. Used by one thread.
final class ClusterServers implements AutoCloseable {
  private static final long LOOK_MILLIS = 100;

  private final List<KilledServer> nodes = new ArrayList<>();
  private final Map<KilledServer, InetSocketAddress> open = new HashMap<>();
  private final List<EdgeProcess> edges = new ArrayList<>();
  private final Map<EdgeProcess, InetSocketAddress> openEdges = new HashMap<>();
  private final ServerLives front = new ServerLives();
  private final CountDownLatch over = new CountDownLatch(1);
  private final NodeNetwork network;
  private final @Nullable Path previous;
  private final List<Integer> componentPorts = new ArrayList<>();
  private final @Nullable RealPeer peer;

  /// Nodes that do not run yet. They have nothing in common but the database, where they find the
  /// secret of their cluster and each other.
  ///
  /// @param folder an empty folder
  /// @param storage lines for `[storage]`
  ClusterServers(Path folder, ClusterOptions options, String storage) throws IOException {
    int size = options.nodes();
    previous = options.previous();
    EdgeCertificates certificates = options.edges() == 0 ? null : EdgeCertificates.create(folder);
    List<Integer> ports = new ArrayList<>();
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      InetAddress host = InetAddress.ofLiteral("127.0.0." + (i + 2));
      addresses.add(new InetSocketAddress(host, FreePorts.next()));
    }
    network = new NodeNetwork(addresses);
    List<Integer> serverPorts = new ArrayList<>();
    for (int i = 0; options.outside() && i < size; i++) {
      componentPorts.add(FreePorts.next());
      serverPorts.add(FreePorts.next());
    }
    TestAuthority host = options.outside() ? host(folder, certificates) : null;
    peer = host == null ? null : peer(folder, serverPorts.getFirst());
    for (int i = 0; i < size; i++) {
      String section =
          """
          [cluster]
          name = "no-loss"
          node = "n%d"
          bind = "%s"
          advertise = "%s"
          mirror-sessions = %b
          """
              .formatted(i, text(addresses.get(i)), text(network.address(i)), options.isLong());
      Path home = Files.createDirectory(folder.resolve("n" + i));
      int port = FreePorts.next();
      ports.add(port);
      String accepting = certificates == null ? "" : certificates.section(port);
      if (host != null) {
        accepting += outside(host, peer, serverPorts.get(i), componentPorts.get(i));
      }
      nodes.add(new KilledServer(home, NoLossPlan.DOMAIN, true, "", storage + section + accepting));
    }
    for (int i = 0; i < options.edges(); i++) {
      edges.add(new EdgeProcess(folder, "edge" + i, Objects.requireNonNull(certificates), ports));
    }
    if (previous != null) {
      for (KilledServer node : nodes) {
        node.runs(previous);
      }
      if (!edges.isEmpty()) {
        edges.getFirst().runs(previous);
      }
    }
  }

  private static TestAuthority host(Path folder, @Nullable EdgeCertificates certificates) {
    if (certificates != null) {
      return certificates.host();
    }
    TestAuthority.create(folder);
    return TestAuthority.issue(folder, "host", List.of(NoLossPlan.DOMAIN));
  }

  /// A Prosody that has started, if it is installed.
  ///
  /// @param port where it connects to a node
  private static @Nullable RealPeer peer(Path folder, int port) throws IOException {
    RealPeer.Kind kind = RealPeer.Kind.PROSODY;
    if (!kind.isInstalled()) {
      return null;
    }
    TestAuthority.issueWithRsaKey(folder, kind.domain(), List.of(kind.domain()));
    return new RealPeer(
        kind,
        Files.createDirectory(folder.resolve(kind.domain())),
        folder,
        Map.of(NoLossPlan.DOMAIN, port));
  }

  private static String outside(
      TestAuthority host, @Nullable RealPeer peer, int serverPort, int componentPort) {
    String route =
        peer == null
            ? ""
            : "[s2s.route]\n\"%s\" = \"127.0.0.1:%d\"\n"
                .formatted(peer.kind().domain(), peer.serverAddress().getPort());
    return """
    [component]
    listen = ["127.0.0.1:%d"]
    [component.secret]
    "%s" = "%s"
    [tls]
    certificate = "%s"
    key = "%s"
    [s2s]
    enabled = true
    listen = ["127.0.0.1:%d"]
    listen-tls = []
    ca = "%s"
    stanza-rate = 0
    %s
    """
        .formatted(
            componentPort,
            OutsidePeers.COMPONENT,
            OutsidePeers.SECRET,
            host.certificate(),
            host.key(),
            serverPort,
            host.authority(),
            route);
  }

  /// Where components connect, one port of each node; empty if the run has none.
  List<Integer> componentPorts() {
    return componentPorts;
  }

  /// The server of another domain; null if there is none.
  @Nullable RealPeer peer() {
    return peer;
  }

  private static String text(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }

  /// The network between the nodes.
  NodeNetwork network() {
    return network;
  }

  int size() {
    return nodes.size();
  }

  KilledServer node(int index) {
    return nodes.get(index);
  }

  /// Where clients connect.
  ServerLives front() {
    return front;
  }

  int edges() {
    return edges.size();
  }

  /// Starts all edges, if there are some, and opens them for clients.
  void startEdges() throws IOException {
    for (int edge = 0; edge < edges.size(); edge++) {
      startEdge(edge);
    }
  }

  /// Starts an edge and opens it for clients.
  void startEdge(int index) throws IOException {
    EdgeProcess edge = edges.get(index);
    openEdges.put(edge, edge.start());
    front.ready(List.copyOf(openEdges.values()));
  }

  /// Kills an edge; none of its sessions may be lost.
  void killEdge(int index) throws InterruptedException {
    EdgeProcess edge = edges.get(index);
    front.stopping(Objects.requireNonNull(openEdges.remove(edge)));
    edge.kill();
  }

  /// Starts a node and opens it for clients.
  void start(int index) throws IOException, InterruptedException {
    nodes.get(index).start();
    open(index);
  }

  /// Whether a node runs the build of the other version.
  boolean isPrevious(int index) {
    return nodes.get(index).product().equals(previous);
  }

  /// Has a node run the other build from its next start on.
  void changeBuild(int index) throws IOException {
    nodes
        .get(index)
        .runs(isPrevious(index) ? KilledServer.PRODUCT : Objects.requireNonNull(previous));
  }

  private InetSocketAddress address(int index) throws InterruptedException {
    return nodes.get(index).lives().await();
  }

  /// New clients connect to this node, too.
  void open(int index) throws InterruptedException {
    open.put(nodes.get(index), address(index));
    if (edges.isEmpty()) {
      front.ready(List.copyOf(open.values()));
    }
  }

  /// New clients do not connect to this node.
  ///
  /// @param crash whether sessions may be lost
  void shut(int index, boolean crash) {
    InetSocketAddress address = Objects.requireNonNull(open.remove(nodes.get(index)));
    if (crash) {
      front.killing(address);
    } else {
      front.stopping(address);
    }
  }

  /// Lets time pass.
  void rest(long millis) throws InterruptedException {
    over.await(millis, TimeUnit.MILLISECONDS);
  }

  /// Waits until all nodes are members of one placement.
  ///
  /// @return false after a timeout
  boolean awaitTogether(long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    while (!isTogether()) {
      if (System.nanoTime() > end) {
        return false;
      }
      rest(LOOK_MILLIS);
    }
    return true;
  }

  private boolean isTogether() {
    Set<String> placements = new HashSet<>();
    for (KilledServer node : nodes) {
      String status = status(node);
      boolean isDrained = status.contains("draining") || status.contains("not in sight");
      if (isDrained
          || status.lines().filter(line -> line.contains(": home of ")).count() != size()) {
        return false;
      }
      placements.add(status.replaceAll("(?s).*placement ([0-9/]+).*", "$1"));
    }
    return placements.size() == 1;
  }

  /// Drains a node.
  ///
  /// @return whether that succeeds
  boolean drain(int index) throws IOException, InterruptedException {
    try (OperationRunner node = nodes.get(index).operations()) {
      node.run(ClusterOperations.DRAIN, Map.of(), _ -> {});
      String phase = node.ask(ClusterOperations.STATUS, Map.of()).phase();
      while (phase.equals("homes") || phase.equals("streams")) {
        rest(LOOK_MILLIS);
        phase = node.ask(ClusterOperations.STATUS, Map.of()).phase();
      }
      return phase.equals("drained");
    }
  }

  /// What each node says of the cluster.
  String status() {
    return nodes.stream().map(ClusterServers::status).collect(Collectors.joining());
  }

  private static String status(KilledServer node) {
    try (OperationRunner operations = node.operations()) {
      return ClusterText.of(operations.ask(ClusterOperations.STATUS, Map.of()));
    } catch (IOException e) {
      return "does not answer: " + e.getMessage() + "\n";
    }
  }

  /// The errors in the logs of all nodes and edges.
  List<String> errors() throws IOException {
    List<String> errors = new ArrayList<>();
    for (KilledServer node : nodes) {
      errors.addAll(node.errors());
    }
    for (EdgeProcess edge : edges) {
      errors.addAll(KilledServer.errors(edge.log()));
    }
    return errors;
  }

  /// How often an event is in the logs of all nodes.
  long count(String event) throws IOException {
    long count = 0;
    for (KilledServer node : nodes) {
      count += node.count(event);
    }
    return count;
  }

  @Override
  public void close() throws IOException {
    over.countDown();
    edges.forEach(EdgeProcess::close);
    nodes.forEach(KilledServer::close);
    network.close();
  }
}
