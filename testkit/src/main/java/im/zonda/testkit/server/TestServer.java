package im.zonda.testkit.server;

import im.zonda.auth.Passwords;
import im.zonda.cluster.node.Nodes;
import im.zonda.config.ServerConfig;
import im.zonda.config.Storage;
import im.zonda.config.copy.RecordCopy;
import im.zonda.dns.ServerAddresses;
import im.zonda.edge.core.EdgeTimes;
import im.zonda.host.XmppServer;
import im.zonda.jid.Jid;
import im.zonda.json.JsonText;
import im.zonda.link.SessionGate;
import im.zonda.metric.TimingCounts;
import im.zonda.module.Scheduler;
import im.zonda.net.DomainConnector;
import im.zonda.net.bosh.SessionIds;
import im.zonda.net.edge.CoreEdges;
import im.zonda.operation.execution.Jobs;
import im.zonda.operation.execution.OperationExecutor;
import im.zonda.runtime.ServerRuntime;
import im.zonda.storage.cache.CachedStores;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.Account;
import im.zonda.store.ScramKeys;
import im.zonda.store.Stores;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.SeededIds;
import im.zonda.testkit.client.Inbox;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.scenario.Stage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A complete server in the test's process, assembled like the program. The password of all
/// accounts is [#PASSWORD].
public final class TestServer implements Stage, AutoCloseable {
  /// The password of every account.
  public static final String PASSWORD = "secret";

  /// The file system in memory that Linux has, and what must be free there, in bytes.
  private static final Path MEMORY = Path.of("/dev/shm");

  private static final long ROOM = 2L << 30;

  /// The minimum of RFC 7677, because tests should be fast.
  private static final int ITERATIONS = 4_096;

  private static final List<ScramKeys> KEYS =
      Passwords.HASHES.stream()
          .map(hash -> Passwords.derive(PASSWORD, hash, ascii("salt-of-the-test"), ITERATIONS))
          .toList();

  private final ServerPlan plan;
  private final Path data;
  private volatile ServerConfig config;
  private final InstantSource clock;
  private final @Nullable RealTimers realTimers;
  private final @Nullable ExecutorService threads;
  private final CachedStores stores;

  /// Whether another server of the test has opened the stores and closes them.
  private final boolean shared;

  private final ServerRuntime runtime;
  private final XmppServer server;
  private final OperationExecutor operations;
  private final Endpoint endpoint;
  private @Nullable CoreEdges edges;
  private volatile boolean killed;

  /// A folder in memory where the machine has room there: on a disk, each commit of SQLite waits.
  private static Path newFolder() throws IOException {
    boolean hasRoom =
        Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= ROOM;
    return hasRoom
        ? Files.createTempDirectory(MEMORY, "zonda-test")
        : Files.createTempDirectory("zonda-test");
  }

  /// @param others the stores of another server of the test; null to open its own
  private TestServer(
      ServerPlan plan, @Nullable Pump pump, @Nullable CachedStores others, Nodes nodes)
      throws IOException {
    this.plan = plan;
    FakeClock fake = plan.clock();
    data = plan.data() == null ? newFolder() : plan.data();
    ServerConfig defaults = ServerConfig.defaults(plan.hosts(), data);
    config = plan.tweaks().apply(pump == null ? defaults : inMemory(defaults));
    realTimers = fake == null ? new RealTimers() : null;
    threads = pump == null ? Executors.newVirtualThreadPerTaskExecutor() : null;
    clock = fake == null ? InstantSource.system() : fake;
    shared = others != null;
    stores = others == null ? open() : others;
    Executor workers = threads == null ? Objects.requireNonNull(pump) : threads;
    Scheduler timers = realTimers == null ? Objects.requireNonNull(fake) : realTimers;
    runtime =
        new ServerRuntime(
            clock, timers, new SeededIds(data.hashCode()), new SecureRandom(), workers);
    server =
        new XmppServer(
            config,
            stores,
            new XmppServer.Environment(runtime, link(plan), nodes, true, plan.providers()),
            ascii(plan.secret()),
            plan.modules());
    operations = operations(pump, runtime);
    server.administerBy(operations);
    endpoint =
        pump == null
            ? onSockets(runtime, nodes)
            : new MemoryEndpoint(
                pump,
                Objects.requireNonNull(fake),
                server.streams().profile(),
                server.components().profile());
  }

  /// What runs operations: beside the pump, for which they wait.
  private OperationExecutor operations(@Nullable Pump pump, ServerRuntime runtime) {
    Executor workers =
        pump == null
            ? runtime.workers()
            : task -> pump.executeBeside(each -> Thread.ofVirtual().start(each), task);
    return new OperationExecutor(
        new OperationExecutor.Parts(
            server.catalogue(),
            _ -> {},
            JsonText::of,
            clock,
            workers,
            new Jobs(clock, runtime.ids()::next, workers)));
  }

  private static UnaryOperator<SessionGate> link(ServerPlan plan) {
    UnaryOperator<SessionGate> link =
        plan.writingLink() ? WritingLink::over : UnaryOperator.identity();
    Crossings crossings = plan.crossings();
    return crossings == null ? link : gate -> crossings.over(link.apply(gate));
  }

  private Endpoint onSockets(ServerRuntime runtime, Nodes nodes) throws IOException {
    Executor workers = runtime.workers();
    SocketEndpoint sockets = new SocketEndpoint(config, server, workers, federate(workers));
    return switch (plan.access()) {
      case DIRECT -> sockets;
      case EDGE, EDGE_WEBSOCKET, EDGE_BOSH -> new EdgeEndpoint(sockets, plan, config, server);
      case WEBSOCKET -> HttpEndpoint.webSockets(sockets, config, server, runtime);
      case BOSH ->
          HttpEndpoint.bosh(
              sockets, config, server, runtime, SessionIds.of(nodes, ascii(plan.secret())));
    };
  }

  private CachedStores open() {
    Stores database =
        config.storage().url().equals(Storage.DEFAULT_URL)
            ? SqlStores.openWithoutSync(
                data.resolve("zonda.db"), config.storage(), config.limits(), clock)
            : SqlStores.open(data, config.storage(), config.limits(), clock);
    return CachedStores.over(plan.wrapping().apply(database), config.limits(), clock);
  }

  private @Nullable SocketFederation federate(Executor workers) {
    ServerAddresses addresses = plan.addresses();
    return addresses == null
        ? null
        : SocketFederation.start(
            server, config, stores, new DomainConnector(addresses, workers), plan.secret());
  }

  /// In memory there is no TLS, and timeouts of idle clients are disabled, because a test that
  /// advances the clock by an hour does so for the modules.
  private static ServerConfig inMemory(ServerConfig config) {
    ServerConfig plain = RecordCopy.with(config, "c2s.plaintext", ServerConfig.Plaintext.LOOPBACK);
    return RecordCopy.with(plain, "limits.idleTime", Duration.ofDays(36_500));
  }

  static TestServer inMemory(ServerPlan plan) throws IOException {
    return new TestServer(plan, new Pump(), null, Nodes.NONE);
  }

  static TestServer onSockets(ServerPlan plan) throws IOException {
    return new TestServer(plan, null, null, Nodes.NONE);
  }

  /// A node of a cluster.
  ///
  /// @param others the stores of the first node; null for that one
  static TestServer node(ServerPlan plan, @Nullable CachedStores others, Nodes nodes)
      throws IOException {
    return new TestServer(plan, null, others, nodes);
  }

  /// Starts the server again on the same data; this one must be closed. Only for plans with a data
  /// folder of their own.
  ///
  /// @throws IOException if it cannot start
  public TestServer restart() throws IOException {
    if (plan.data() == null) {
      throw new IllegalStateException("the data went with the server");
    }
    Pump pump = endpoint instanceof MemoryEndpoint ? new Pump() : null;
    return new TestServer(plan, pump, null, Nodes.NONE);
  }

  /// Creates accounts; existing ones are not changed.
  @Override
  public void accounts(Collection<String> addresses) {
    List<Account> accounts =
        addresses.stream()
            .map(address -> Jid.of(address).bare())
            .distinct()
            .map(jid -> new Account(jid, KEYS, clock.instant()))
            .toList();
    stores.accounts().create(accounts);
  }

  /// Creates a bound client with the server's default security; creates the account if needed.
  @Override
  public ScriptedClient connect(String address) {
    accounts(List.of(address));
    return login(Login.of(address, PASSWORD).withSecurity(endpoint.usualSecurity()));
  }

  @Override
  public ScriptedClient open(String address) {
    Login login = Login.of(address, PASSWORD).withSecurity(endpoint.usualSecurity());
    ScriptedClient client = connected(login.security(), login.domain()).open(login.domain());
    return login.security() == Login.Security.STARTTLS ? client.startTls(login.domain()) : client;
  }

  /// Creates a client that has logged in and bound.
  public ScriptedClient login(Login login) {
    return connected(login.security(), login.domain()).login(login);
  }

  /// Creates a client that is connected and has sent nothing.
  public ScriptedClient connected(Login.Security security, String domain) {
    try {
      Crossings crossings = plan.crossings();
      Inbox inbox = endpoint.inbox();
      return new ScriptedClient(
          endpoint.connect(security, domain), crossings == null ? inbox : crossings.over(inbox));
    } catch (IOException e) {
      throw new UncheckedIOException("no connection", e);
    }
  }

  @Override
  public ScriptedClient component(String domain) {
    String secret = config.component().secretOf(domain);
    if (secret == null) {
      throw new IllegalStateException("no component may have the domain " + domain);
    }
    return component(domain, secret);
  }

  /// Creates an external component that has authenticated.
  public ScriptedClient component(String domain, String secret) {
    return connectedComponent().openAsComponent(domain, secret);
  }

  /// Creates an external component that is connected and has sent nothing.
  public ScriptedClient connectedComponent() {
    try {
      return new ScriptedClient(endpoint.connectComponent(), endpoint.inbox());
    } catch (IOException e) {
      throw new UncheckedIOException("no connection", e);
    }
  }

  /// Advances the clock of the test.
  @Override
  public void advance(Duration step) {
    FakeClock fake = plan.clock();
    if (fake == null) {
      throw new IllegalStateException("this server lives in real time");
    }
    endpoint.settle();
    fake.advance(step);
    endpoint.settle();
  }

  /// The endpoint for clients.
  public InetSocketAddress address(Login.Security security) {
    return endpoint.address(security);
  }

  /// The endpoint for other servers.
  ///
  /// @param directTls whether connections begin with TLS
  public InetSocketAddress serverAddress(boolean directTls) {
    return endpoint.serverAddress(directTls);
  }

  /// Accepts edges; returns the port. To be called once.
  ///
  /// @param port where; 0 for any free one
  public int acceptEdges(int port) throws IOException {
    return acceptEdges(port, data);
  }

  /// The same with the certificates of that folder.
  public int acceptEdges(int port, Path certificates) throws IOException {
    CoreEdges accepting = TestEdge.accept(server, certificates, plan.secret(), port);
    edges = accepting;
    return accepting.addresses().getFirst().getPort();
  }

  /// Says to the edges whether their streams should go to other cores.
  public void leaveEdges(boolean now) {
    Objects.requireNonNull(edges).leave(now);
  }

  /// How many edges are connected.
  public int edges() {
    return Objects.requireNonNull(edges).count();
  }

  /// How many streams edges have here.
  public int edgeStreams() {
    return Objects.requireNonNull(edges).streams();
  }

  /// How long messages take to the clients of the edges.
  public EdgeTimes edgeTimes() {
    return Objects.requireNonNull(edges).times();
  }

  /// How long messages take from their arrival to their write on streams with that content
  /// namespace, by whatever transport.
  public TimingCounts written(String namespace) {
    return endpoint.written(namespace);
  }

  /// An edge of this server, which must accept edges at that port.
  public TestEdge newEdge(int port) throws IOException {
    return newEdge(List.of(port), data);
  }

  /// An edge of this server and others, with the certificates of that folder.
  ///
  /// @param ports where they accept edges
  public TestEdge newEdge(List<Integer> ports, Path certificates) throws IOException {
    return new TestEdge(certificates, ports, SocketEndpoint.certificate(config), config.limits());
  }

  /// The configuration.
  public ServerConfig config() {
    return config;
  }

  /// Takes over another configuration, as `zonda config reload` does. Only for servers on sockets:
  /// it waits for what a server in memory does on this thread.
  ///
  /// @return what could not be done
  public List<String> reload(UnaryOperator<ServerConfig> change) {
    config = change.apply(config);
    return server.reload(config);
  }

  /// The server behind the sockets.
  public XmppServer server() {
    return server;
  }

  /// Time and threads of the server.
  public ServerRuntime runtime() {
    return runtime;
  }

  /// Runs operations.
  public OperationExecutor operations() {
    return operations;
  }

  /// The stores, with their caches.
  public CachedStores stores() {
    return stores;
  }

  /// Whether this server has opened the stores and closes them.
  boolean ownsStores() {
    return !shared;
  }

  /// Ends the server as if its process had died: its connections are cut and nothing is saved. Then
  /// [#close] only closes what it has opened.
  void kill() {
    killed = true;
    endpoint.cut();
    CoreEdges accepting = edges;
    if (accepting != null) {
      accepting.stop();
    }
    if (threads != null) {
      threads.shutdownNow();
    }
    if (realTimers != null) {
      realTimers.close();
    }
  }

  /// Stops the server in order; deletes its data unless the plan names a data folder.
  @Override
  public void close() {
    if (!killed) {
      stop();
    }
    if (!shared) {
      stores.close();
    }
    if (plan.data() == null) {
      delete(data);
    }
  }

  private void stop() {
    endpoint.close();
    CoreEdges accepting = edges;
    if (accepting != null) {
      accepting.stop();
    }
    server.close();
    if (threads != null) {
      threads.close();
    }
    if (realTimers != null) {
      realTimers.close();
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the data of a test is left in " + folder, e);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
