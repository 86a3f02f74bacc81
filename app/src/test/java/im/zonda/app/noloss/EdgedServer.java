package im.zonda.app.noloss;

import im.zonda.testkit.database.FreePorts;
import im.zonda.testkit.history.MessageLedger;
import im.zonda.testkit.noloss.NoLossPlan;
import im.zonda.testkit.noloss.ServerLives;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// The packaged server with two packaged edges. Clients connect to one of the edges, and to the
/// other one when that is killed. Used by one thread.
final class EdgedServer implements AutoCloseable {
  private final MessageLedger ledger;
  private final SplittableRandom random;
  private final KilledServer core;
  private final ServerLives front = new ServerLives();
  private EdgeProcess used;
  private EdgeProcess other;
  private @Nullable InetSocketAddress address;
  private int coreKills;
  private int edgeKills;
  private int stops;
  private int rounds;

  /// Processes that do not run yet.
  ///
  /// @param folder an empty folder
  /// @param durable the server's `storage.durable`
  EdgedServer(Path folder, boolean durable, MessageLedger ledger, SplittableRandom random)
      throws IOException {
    this.ledger = ledger;
    this.random = random;
    EdgeCertificates certificates = EdgeCertificates.create(folder);
    int port = FreePorts.next();
    Path home = Files.createDirectory(folder.resolve("core"));
    this.core = new KilledServer(home, NoLossPlan.DOMAIN, durable, "", certificates.section(port));
    this.used = new EdgeProcess(folder, "edge1", certificates, List.of(port));
    this.other = new EdgeProcess(folder, "edge2", certificates, List.of(port));
  }

  KilledServer core() {
    return core;
  }

  /// Where clients connect.
  ServerLives front() {
    return front;
  }

  int coreKills() {
    return coreKills;
  }

  @Override
  public String toString() {
    return "%d kills of the server, %d of an edge, %d clean stops"
        .formatted(coreKills, edgeKills, stops);
  }

  /// Starts the server and the edge for the clients.
  void start() throws IOException {
    core.start();
    startEdge();
  }

  private void startEdge() throws IOException {
    InetSocketAddress started = used.start();
    address = started;
    front.ready(started);
  }

  /// Lets all live that long; one that ends by itself is a violation.
  void live(long millis) throws InterruptedException {
    if (!core.lives(millis) || !used.isAlive()) {
      ledger.violated("a process has died by itself");
    }
  }

  /// One disruption, after which all run. Of ten, six kill the server, two an edge, one kills both,
  /// and one is a clean stop of the server.
  void disrupt() throws IOException, InterruptedException {
    switch (rounds++ % 10) {
      case 1, 6 -> {
        killEdge();
        startEdge();
      }
      case 3 -> stopCore();
      case 8 -> {
        beginKill();
        killEdge();
        core.start();
        startEdge();
        ledger.linkBroken();
      }
      default -> killCore();
    }
  }

  /// Kills the server and starts it again. Sessions whose clients are not connected to the edge at
  /// this time are lost.
  void killCore() throws IOException, InterruptedException {
    beginKill();
    InetSocketAddress edge = address;
    if (edge != null) {
      front.ready(edge);
    }
    if (random.nextInt(4) == 0) {
      killWhileStarting();
    }
    core.start();
    ledger.linkBroken();
  }

  /// Starts the server and kills it before it is ready or soon after; then it may have begun
  /// sessions, because the edge finds it as soon as it listens.
  private void killWhileStarting() throws IOException, InterruptedException {
    core.killWhileStarting(random.nextLong(1, 2_000), front::killing);
    InetSocketAddress edge = address;
    if (edge != null) {
      front.ready(edge);
    }
  }

  private void beginKill() throws InterruptedException {
    coreKills++;
    ledger.linkBreaks();
    front.killing();
    core.kill();
  }

  private void stopCore() throws IOException, InterruptedException {
    stops++;
    ledger.linkBreaks();
    if (!core.stop()) {
      ledger.violated("the server does not stop");
    }
    core.start();
    ledger.linkBroken();
  }

  /// Kills the edge; clients must resume their sessions at the other one.
  private void killEdge() throws InterruptedException {
    edgeKills++;
    front.stopping();
    used.kill();
    EdgeProcess killed = used;
    used = other;
    other = killed;
  }

  /// Reports the errors in the logs.
  void checkLogs() throws IOException {
    core.errors().stream()
        .limit(10)
        .forEach(error -> ledger.violated("the server's log: " + error));
    for (EdgeProcess edge : List.of(used, other)) {
      if (!Files.exists(edge.log())) {
        continue;
      }
      KilledServer.errors(edge.log()).stream()
          .limit(10)
          .forEach(error -> ledger.violated("an edge's log: " + error));
    }
  }

  @Override
  public void close() {
    used.close();
    other.close();
    core.close();
  }
}
