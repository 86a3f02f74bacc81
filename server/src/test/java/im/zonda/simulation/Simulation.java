package im.zonda.simulation;

import im.zonda.config.ServerConfig;
import im.zonda.host.XmppServer;
import im.zonda.jid.Jid;
import im.zonda.runtime.ServerRuntime;
import im.zonda.simulation.SimulatedClient.Kind;
import im.zonda.simulation.SimulatedClient.Step;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// A whole server but for its sockets and its database, with clients, a network and a disk, all in
/// one thread and in an order that follows from a seed. The same seed is the same run.
///
/// Whatever happens on the way - connections that break, seen by both sides or by one; sessions
/// resumed in time, too late, or while the old stream lives; new logins; clients that do not read
/// or answer; time that passes; a log that commits late, finds entries at fault, is full or away;
/// clean restarts and crashes - this must hold. It is checked whenever something happens
/// ([Ledger]), and where it says so at the end, when all clients have come back:
///
/// - **P1.** No acknowledgement (`<a/>`, `<resumed/>`, `<failed/>`) covers a message that is
///   neither durable nor at its receiver nor refused. At the end every acknowledged message has
///   been read by a client of its receiver, or was refused with an error, or has left on a stream
///   without stream management.
/// - **Counts.** The server never acknowledges more than was sent. At the end it has acknowledged
///   everything.
/// - **The cursor.** An entry is marked delivered only when a client has read the message, or it
///   has left on a stream without stream management. At the end nothing waits in the log.
/// - **Order.** A client that is its account's only one sees the messages of each sender for the
///   first time in the order in which they were sent to one address; except for what was refused,
///   or was delivered without the log because that was full. Without stream management this holds
///   within each session.
/// - **No second delivery.** No message comes twice in one session, unless the server was stopped
///   while it could not write. It comes to one client with as many stanza-ids at most as its sender
///   has sent it times; sending again in a resumed session what the server says it does not have is
///   not another time, unless it was stopped while it could not write.
/// - **Threads.** The thread of a connection never waits for the log.
/// - **Requests.** Each has one answer; at the end those of managed sessions that still live have
///   got it, unless the server has crashed, there was no room, or the one who was asked has read it
///   and gone or is without stream management. It may be answered by the server too if the one who
///   has read it lost its session before it acknowledged.
/// - **Bounds.** What is unacknowledged stays near its budget, and at the end, when all sessions
///   have ended, nothing of the budget is taken and no stream is kept from reading.
/// - The server comes to rest when nobody wants anything of it, and never fails to stop or start.
final class Simulation {
  private static final int STEPS = 300;
  private static final byte[] SECRET = "not a secret in tests".getBytes(StandardCharsets.US_ASCII);
  private static final List<Jid> ACCOUNTS =
      List.of(
          Jid.of("romeo@example.org"), Jid.of("juliet@example.org"), Jid.of("nurse@example.org"));

  private final SplittableRandom random;
  private final Turns turns;
  private final SimulatedClock clock = new SimulatedClock();
  private final Ledger ledger;
  private final SimulatedLog.Disk disk = new SimulatedLog.Disk();
  private final ServerConfig config;
  private final List<SimulatedClient> clients = new ArrayList<>();
  private final List<SimulatedConnection> connections = new ArrayList<>();
  private SimulatedLog log;
  private SimulatedStores stores;
  private XmppServer server;
  private long ids;
  private int step;

  /// Whether a thread of the server stands still now.
  private boolean blocked;

  /// @param data a folder for the sessions of a server that was stopped
  /// @param trace whether every step is printed
  Simulation(long seed, Path data, boolean trace) {
    this.random = new SplittableRandom(seed);
    this.turns = new Turns(random.split());
    this.ledger = new Ledger(trace);
    this.config = SimulatedConfig.choose(data, random);
    this.log = new SimulatedLog(disk, clock, turns, ledger, this::waits);
    this.stores = new SimulatedStores(ACCOUNTS, log, clock);
    this.server = start();
    client("romeo@example.org/orchard", 0, true);
    client("juliet@example.org/balcony", 0, true);
    client("nurse@example.org/hall", 0, false);
    client("nurse@example.org/phone", random.nextInt(-1, 2), false);
  }

  private void client(String jid, int priority, boolean alone) {
    Kind kind =
        switch (random.nextInt(8)) {
          case 0, 1 -> Kind.UNMANAGED;
          case 2 -> Kind.MANAGED;
          default -> Kind.RESUMABLE;
        };
    clients.add(new SimulatedClient(ledger, Jid.of(jid), kind, priority, alone));
  }

  private XmppServer start() {
    return new XmppServer(
        config,
        stores,
        new XmppServer.Environment(
            new ServerRuntime(clock, clock, () -> "id" + ++ids, random, turns)),
        SECRET,
        () -> List.of(new SimulatedModule(ledger, this::preempted)));
  }

  /// Runs it; an [AssertionError] says what went wrong and in which step.
  void run() {
    try {
      for (step = 1; step <= STEPS; step++) {
        step();
        ledger.check();
        checkBudget();
        ledger.checkVersions(server.router().sessions().all());
      }
      end();
      ledger.check();
    } catch (AssertionError | RuntimeException e) {
      Throwable first = ledger.first(e);
      throw new AssertionError("step " + step + ": " + first.getMessage(), first);
    }
  }

  Ledger ledger() {
    return ledger;
  }

  private void note(String what, @Nullable Object whom) {
    ledger.trace(step + " " + what + (whom == null ? "" : " " + whom));
  }

  private void checkBudget() {
    long taken = server.router().sessions().unacknowledgedBytes();
    long total = config.limits().allUnacknowledgedBytes();
    // An eighth more is taken while room is made, and an equal share even then.
    if (taken < 0 || taken > 2 * (total + total / 8)) {
      throw new AssertionError("unacknowledged bytes: " + taken);
    }
  }

  // ---- what may happen

  /// A thread of the server waits for the log.
  private void waits() {
    if (turns.isOnLoop()) {
      ledger.wrong("the thread of a connection waits for the log");
    }
    othersRun();
  }

  /// A thread of the server is stopped. That of a connection could be only if what others do did
  /// not concern the connection.
  private void preempted() {
    if (!turns.isOnLoop()) {
      othersRun();
    }
  }

  /// One thread stands still, and others run meanwhile. They are a thread of their own: the server
  /// may look at which one it is on.
  private void othersRun() {
    if (blocked || random.nextInt(4) == 0) {
      return;
    }
    blocked = true;
    Thread others =
        Thread.ofVirtual()
            .start(() -> {
              try {
                for (int i = random.nextInt(6); i >= 0; i--) {
                  network(random.nextInt(1, 10));
                  turns.runOne();
                }
              } catch (AssertionError | RuntimeException e) {
                ledger.wrong(String.valueOf(e.getMessage()));
              }
            });
    try {
      others.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      blocked = false;
    }
  }

  private void step() {
    int choice = random.nextInt(1_000);
    if (choice < 200) {
      for (int i = random.nextInt(24); i >= 0; i--) {
        turns.runOne();
      }
    } else if (choice < 480) {
      network(random.nextInt(1, 40));
    } else if (choice < 900) {
      clientDoes(clients.get(random.nextInt(clients.size())));
    } else if (choice < 950) {
      logDoes();
    } else if (choice < 990) {
      Duration time = time();
      note("time passes:", time);
      pass(time);
    } else if (choice < 996) {
      restart();
    } else {
      crash();
    }
  }

  private Duration time() {
    return switch (random.nextInt(10)) {
      case 0 -> Duration.ofSeconds(random.nextInt(60, 800));
      case 1, 2 -> Duration.ofSeconds(random.nextInt(4, 70));
      default -> Duration.ofMillis(random.nextInt(20, 3_000));
    };
  }

  private void pass(Duration time) {
    Duration part = time.dividedBy(8);
    for (int i = 0; i < 8; i++) {
      clock.advance(part);
      connections.forEach(SimulatedConnection::tick);
      turns.runOne();
      turns.runOne();
    }
  }

  /// Something of what is on its way arrives.
  private void network(int times) {
    for (int i = 0; i < times && !connections.isEmpty(); i++) {
      SimulatedConnection connection = connections.get(random.nextInt(connections.size()));
      if (random.nextBoolean() && connection.canReachServer()) {
        turns.runOnLoop(connection::reachServer);
      } else if (connection.canReachClient()) {
        byte[] bytes = connection.reachClient();
        for (SimulatedClient client : clients) {
          if (client.connection() == connection) {
            client.read(bytes);
          }
        }
      }
    }
    connections.removeIf(c -> c.isGone() && !c.canReachClient());
  }

  private void connect(SimulatedClient client) {
    SimulatedConnection connection =
        new SimulatedConnection(
            ledger, clock, turns.lane(), server.streams(), config.limits().outboundBytes());
    connections.add(connection);
    client.connect(connection);
  }

  private void clientDoes(SimulatedClient client) {
    SimulatedConnection connection = client.connection();
    if (connection == null) {
      comeBack(client);
    } else if (random.nextInt(16) == 0) {
      breakConnection(client, connection);
    } else if (client.isReady()) {
      act(client, connection);
    }
  }

  private void comeBack(SimulatedClient client) {
    if (client.canResume() && random.nextInt(6) == 0) {
      note("gives up its session:", client.name());
      client.forgetSession();
    }
    note("connects:", client.name());
    connect(client);
  }

  private void breakConnection(SimulatedClient client, SimulatedConnection connection) {
    switch (random.nextInt(3)) {
      case 0 -> {
        note("both lose the connection:", client.name());
        connection.broken();
        connection.lose();
        client.offline();
      }
      case 1 -> {
        note("only the server loses the connection:", client.name());
        connection.broken();
      }
      default -> {
        note("only the client loses the connection:", client.name());
        client.offline();
      }
    }
  }

  private void act(SimulatedClient client, SimulatedConnection connection) {
    SimulatedClient other = clients.get(random.nextInt(clients.size()));
    Jid to = random.nextInt(3) == 0 ? other.jid() : other.jid().bare();
    int choice = random.nextInt(20);
    if (choice < 9) {
      note(client.name() + " writes to", to);
      client.say(to, "chat", random.nextInt(8) != 0);
    } else if (choice < 11) {
      client.request();
    } else if (choice < 12) {
      client.acknowledge();
    } else if (choice < 14) {
      note(client.name() + " asks", other.jid());
      client.ask(random.nextInt(4) == 0 ? null : other);
    } else if (choice < 15) {
      client.presence(random.nextBoolean() ? null : other.jid());
    } else if (choice < 17) {
      client.clientState(random.nextBoolean());
    } else if (choice < 18) {
      client.lazy(random.nextBoolean());
    } else if (choice < 19) {
      connection.clogged(!connection.isClogged());
    } else if (random.nextInt(3) == 0) {
      note("logs out:", client.name());
      client.logOut();
    }
  }

  private void logDoes() {
    switch (random.nextInt(8)) {
      case 0 -> log.full(random.nextInt(3) == 0);
      case 1 -> log.away(random.nextInt(3) == 0);
      case 2 -> log.congestedAbove(random.nextInt(3) == 0 ? 2 : Integer.MAX_VALUE);
      default -> {
        int count = random.nextInt(1, 12);
        int fault = random.nextInt(20) == 0 ? random.nextInt(count) : -1;
        note("commits:", count + (fault < 0 ? "" : " with a fault"));
        log.commit(count, fault);
      }
    }
  }

  private void restart() {
    note("restart", null);
    connections.forEach(SimulatedConnection::shutdown);
    turns.runAll();
    connections.forEach(c -> c.clogged(false));
    turns.runAll();
    connections.forEach(SimulatedConnection::broken);
    turns.runAll();
    server.close();
    if (random.nextBoolean()) {
      turns.runAll();
    }
    stores.close();
    // If it could not write, the record of deliveries is lost: messages come again, with the same
    // stanza-id.
    if (log.isAway()) {
      clients.forEach(SimulatedClient::couldNotBeStored);
    }
    startAgain();
  }

  private void crash() {
    note("crash", null);
    turns.clear();
    ledger.crashed();
    connections.forEach(c -> {
      c.broken();
      if (random.nextBoolean()) {
        c.lose();
        c.broken();
      }
    });
    startAgain();
  }

  private void startAgain() {
    turns.clear();
    clock.clear();
    for (SimulatedClient client : clients) {
      SimulatedConnection connection = client.connection();
      if (connection != null && !connection.canReachClient()) {
        client.offline();
      }
    }
    log = new SimulatedLog(disk, clock, turns, ledger, this::waits);
    stores = new SimulatedStores(ACCOUNTS, log, clock);
    server = start();
  }

  // ---- the end

  private void end() {
    note("the end", null);
    log.full(false);
    log.away(false);
    log.congestedAbove(Integer.MAX_VALUE);
    for (int round = 0; round < 4; round++) {
      settle();
    }
    everyoneHasEverything();
    ledger.allAnswered(
        config.limits().unacknowledgedBytes() > 20_000
            && config.limits().unacknowledgedStanzas() > 100
            && config.limits().allUnacknowledgedBytes() > 1_000_000);
    logOut();
    // Those whose session had got all it wanted, but not what others left unread, read it now.
    for (int round = 0; round < 3; round++) {
      settle();
    }
    everyoneHasEverything();
    ledger.close();
    logOut();
    pass(config.limits().resumeTime().plusSeconds(1));
    quiet();
    long taken = server.router().sessions().unacknowledgedBytes();
    if (taken != 0) {
      throw new AssertionError(taken + " bytes of the budget are taken by nobody");
    }
    for (Jid account : ACCOUNTS) {
      int waiting = log.waitingCount(account);
      if (waiting != 0) {
        throw new AssertionError(waiting + " messages still wait for " + account);
      }
    }
  }

  /// Everyone comes online, says that it is there, and reads all there is.
  private void settle() {
    for (SimulatedClient client : clients) {
      client.lazy(false);
      client.priority(0);
      SimulatedConnection connection = client.connection();
      if (connection != null && (connection.isGone() || client.step() != Step.READY)) {
        connection.clogged(false);
        connection.broken();
        client.offline();
        connection = null;
      }
      if (connection == null) {
        connect(client);
      } else {
        connection.clogged(false);
      }
    }
    quiet();
    for (SimulatedClient client : clients) {
      if (client.isReady()) {
        client.clientState(true);
        client.presence(null);
        client.request();
        client.acknowledge();
      }
    }
    quiet();
    pass(Duration.ofSeconds(3));
    quiet();
  }

  private void quiet() {
    for (boolean busy = true; busy; ) {
      turns.runAll();
      log.commit(log.uncommitted(), -1);
      busy = turns.runOne();
      for (SimulatedConnection connection : connections) {
        busy |= connection.canReachServer() || connection.canReachClient();
      }
      network(100);
    }
  }

  private void logOut() {
    for (SimulatedClient client : clients) {
      if (client.isReady()) {
        client.logOut();
      }
    }
    quiet();
  }

  private void everyoneHasEverything() {
    for (SimulatedClient client : clients) {
      if (!client.isReady()) {
        throw new AssertionError(client.name() + " cannot come back: " + client.step());
      }
      if (client.waitsForServer()) {
        throw new AssertionError(client.name() + " is never acknowledged what it sent");
      }
    }
    for (SimulatedConnection connection : connections) {
      if (connection.isPaused()) {
        throw new AssertionError("a stream is kept from reading for ever");
      }
    }
  }
}
