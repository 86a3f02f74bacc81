package im.zonda.app.noloss;

import im.zonda.testkit.database.FreePorts;
import im.zonda.testkit.database.TestAuthority;
import im.zonda.testkit.history.MessageLedger;
import im.zonda.testkit.noloss.NoLossPlan;
import im.zonda.testkit.relay.RelayedConnection;
import im.zonda.testkit.relay.TcpRelay;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/// The packaged servers of `a.test` and `b.test`, which trust certificates of one authority and
/// find each other by static routes through relays. Streams opened by the first one use STARTTLS,
/// those of the other direct TLS. Used by one thread.
public final class FederatedServers implements AutoCloseable {
  static final NoLossPlan.Direction A_TO_B = new NoLossPlan.Direction("a", "a.test", "b.test");
  static final NoLossPlan.Direction B_TO_A = new NoLossPlan.Direction("b", "b.test", "a.test");

  private final MessageLedger ledger;
  private final SplittableRandom random;
  private final KilledServer a;
  private final KilledServer b;
  private final List<TcpRelay> relays;
  private int kills;
  private int stops;
  private int cuts;
  private int rounds;

  private FederatedServers(
      MessageLedger ledger,
      SplittableRandom random,
      KilledServer a,
      KilledServer b,
      List<TcpRelay> relays) {
    this.ledger = ledger;
    this.random = random;
    this.a = a;
    this.b = b;
    this.relays = relays;
  }

  /// Servers that do not run yet.
  ///
  /// @param folder an empty folder
  /// @param durable the `storage.durable` of both
  static FederatedServers create(
      Path folder, boolean durable, MessageLedger ledger, SplittableRandom random)
      throws IOException {
    int portOfA = FreePorts.next();
    int portOfB = FreePorts.next();
    TcpRelay toA = relayTo(portOfA);
    TcpRelay toB = relayTo(portOfB);
    TestAuthority.create(folder);
    String aToB = "listen-tls = [\"127.0.0.1:%d\"]\nlisten = []".formatted(portOfA);
    String bToA = "listen = [\"127.0.0.1:%d\"]\nlisten-tls = []".formatted(portOfB);
    String routeToA = "\"a.test\" = \"tls://127.0.0.1:%d\"".formatted(toA.address().getPort());
    String routeToB = "\"b.test\" = \"127.0.0.1:%d\"".formatted(toB.address().getPort());
    return new FederatedServers(
        ledger,
        random,
        server(folder, "a", durable, aToB, routeToB),
        server(folder, "b", durable, bToA, routeToA),
        List.of(toA, toB));
  }

  private static KilledServer server(
      Path folder, String name, boolean durable, String listeners, String route)
      throws IOException {
    String domain = name + ".test";
    TestAuthority own = TestAuthority.issue(folder, domain, List.of(domain, "*." + domain));
    String sections =
        """
        [tls]
        certificate = "%s"
        key = "%s"
        [s2s]
        enabled = true
        %s
        ca = "%s"
        stanza-rate = 0
        [s2s.limits]
        queue-bytes = "256MiB"
        [s2s.route]
        %s
        """
            .formatted(own.certificate(), own.key(), listeners, own.authority(), route);
    Path data = Files.createDirectory(folder.resolve(name));
    // The usual queues of clients: when two servers meet again, much comes at once.
    return new KilledServer(data, domain, durable, "", sections);
  }

  private static TcpRelay relayTo(int port) throws IOException {
    return new TcpRelay(() -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  KilledServer a() {
    return a;
  }

  KilledServer b() {
    return b;
  }

  int kills() {
    return kills;
  }

  @Override
  public String toString() {
    return "%d kills, %d clean stops, %d cuts of the link".formatted(kills, stops, cuts);
  }

  /// Starts both.
  void start() throws IOException {
    a.start();
    b.start();
  }

  /// Lets both live that long; one that ends by itself is a violation.
  void live(long millis) throws InterruptedException {
    if (!a.lives(millis) || !b.lives(0)) {
      ledger.violated("a server has died by itself");
    }
  }

  /// One disruption, after which both run. Of ten, four kill one server, one kills both, one kills
  /// one that has been killed while it starts, one kills one during a clean stop, one is a clean
  /// stop, and two break the link.
  void disrupt() throws IOException, InterruptedException {
    KilledServer one = random.nextBoolean() ? a : b;
    KilledServer other = one.equals(a) ? b : a;
    ledger.linkBreaks();
    switch (rounds++ % 10) {
      case 1 -> killBoth();
      case 3 -> {
        stops++;
        if (!one.stop()) {
          ledger.violated("a server does not stop");
        }
        one.start();
      }
      case 4, 9 -> cut();
      case 6 -> {
        kills++;
        one.killWhileStopping(random.nextLong(1, 300));
        one.start();
      }
      case 8 -> {
        kills += 2;
        one.kill();
        one.killWhileStarting(random.nextLong(1, 900));
        one.start();
      }
      default -> {
        kills++;
        one.kill();
        if (!other.lives(random.nextLong(1, 400))) {
          ledger.violated("a server has died by itself");
        }
        one.start();
      }
    }
    ledger.linkBroken();
  }

  /// Kills both, in any order, and starts them in any order.
  void killBoth() throws IOException, InterruptedException {
    List<KilledServer> order = random.nextBoolean() ? List.of(a, b) : List.of(b, a);
    kills += 2;
    order.get(0).kill();
    order.get(1).kill();
    order.get(random.nextInt(2)).start();
    (a.lives().now() == null ? a : b).start();
  }

  /// Breaks the connections between the servers: at once, or after they have been silent for a
  /// while.
  private void cut() throws InterruptedException {
    cuts++;
    List<RelayedConnection> open =
        relays.stream().flatMap(relay -> relay.connections().stream()).toList();
    if (random.nextBoolean()) {
      open.forEach(RelayedConnection::freeze);
      live(random.nextLong(1, 3_000));
    }
    open.forEach(RelayedConnection::cut);
  }

  /// Kills both if they run.
  @Override
  public void close() throws IOException {
    a.close();
    b.close();
    for (TcpRelay relay : relays) {
      relay.close();
    }
  }
}
