package im.zonda.app.noloss.cluster;

import im.zonda.app.cluster.ClusterCommand;
import im.zonda.app.noloss.FederatedServers;
import im.zonda.app.noloss.KilledServer;
import im.zonda.testkit.noloss.NoLossPlan;
import im.zonda.testkit.noloss.ServerLives;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// The packaged server as several nodes of one cluster, each a process with a data folder and an
/// address of its own. Clients connect to all that run. Used by one thread.
final class ClusterServers implements AutoCloseable {
  private static final long LOOK_MILLIS = 100;

  private final List<KilledServer> nodes = new ArrayList<>();
  private final Map<KilledServer, InetSocketAddress> open = new HashMap<>();
  private final ServerLives front = new ServerLives();
  private final CountDownLatch over = new CountDownLatch(1);

  /// Nodes that do not run yet.
  ///
  /// @param folder an empty folder
  /// @param storage lines for `[storage]`
  ClusterServers(Path folder, int size, String storage, SplittableRandom random)
      throws IOException {
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      addresses.add("127.0.0.1:" + FederatedServers.freePort(random));
    }
    String peers =
        addresses.stream().map(each -> '"' + each + '"').collect(Collectors.joining(","));
    byte[] secret = new byte[32];
    random.nextBytes(secret);
    for (int i = 0; i < size; i++) {
      String section =
          """
          [cluster]
          name = "no-loss"
          node = "n%d"
          bind = "%s"
          peers = [%s]
          """
              .formatted(i, addresses.get(i), peers);
      Path home = Files.createDirectory(folder.resolve("n" + i));
      Files.write(Files.createDirectory(home.resolve("data")).resolve("secret"), secret);
      nodes.add(new KilledServer(home, NoLossPlan.DOMAIN, true, "", storage + section));
    }
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

  /// Starts a node and opens it for clients.
  void start(int index) throws IOException, InterruptedException {
    nodes.get(index).start();
    open(index);
  }

  private InetSocketAddress address(int index) throws InterruptedException {
    return nodes.get(index).lives().await();
  }

  /// New clients connect to this node, too.
  void open(int index) throws InterruptedException {
    open.put(nodes.get(index), address(index));
    front.ready(List.copyOf(open.values()));
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
    KilledServer node = nodes.get(index);
    String answer = node.run(ClusterCommand.DRAIN, "begin");
    while (answer.startsWith("homes") || answer.startsWith("streams")) {
      rest(LOOK_MILLIS);
      answer = node.run(ClusterCommand.DRAIN, "progress");
    }
    return answer.startsWith("drained");
  }

  /// What each node says of the cluster.
  String status() {
    return nodes.stream().map(ClusterServers::status).collect(Collectors.joining());
  }

  private static String status(KilledServer node) {
    try {
      return node.run(ClusterCommand.STATUS, "text");
    } catch (IOException e) {
      return "does not answer: " + e.getMessage() + "\n";
    }
  }

  /// The errors in the logs of all nodes, but for those with one of these events.
  List<String> errors(String... expected) throws IOException {
    List<String> errors = new ArrayList<>();
    for (KilledServer node : nodes) {
      errors.addAll(node.errors());
    }
    errors.removeIf(error -> Arrays.stream(expected).anyMatch(error::contains));
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
  public void close() {
    over.countDown();
    nodes.forEach(KilledServer::close);
  }
}
