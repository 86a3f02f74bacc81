package im.zonda.bench.target;

import im.zonda.bench.load.Load;
import im.zonda.bench.load.Plan;
import im.zonda.bench.process.ChildProcess;
import im.zonda.bench.process.TemporaryFolder;
import im.zonda.bench.result.Result;
import im.zonda.bench.xmpp.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A Zonda that the bench starts: one server, several hosts, the nodes of a cluster, or servers
/// that are connected to each other; with edges before it if that is wanted.
final class ZondaTarget implements Target {
  private final String name;
  private final TargetOptions options;
  private final Product product;
  private final List<TargetProcess> processes = new ArrayList<>();
  private final List<ZondaProcess> servers = new ArrayList<>();
  private final List<ZondaProcess> edges = new ArrayList<>();
  private List<ZondaLayout.Client> clients = List.of();
  private final List<Endpoint> endpoints = new ArrayList<>();
  private final @Nullable Standstill standstill;
  private @Nullable Path gcLog;
  private @Nullable TemporaryFolder folder;
  private @Nullable Database database;
  private @Nullable NodeTraffic trafficBefore;
  private String version = "";
  private String commit = "";

  /// @param name `zonda`, or `zonda-volatile` for one without archive and durable messages
  ZondaTarget(String name, TargetOptions options) throws IOException {
    this.name = name;
    this.options = options;
    options.refuse("a server that is started", "pid", "register", "openfire");
    String launcher = options.text("zonda");
    product = launcher.isEmpty() ? Product.own() : Product.of(Path.of(launcher));
    int nodes = options.count("nodes", 1);
    if (nodes > 1 && List.of("", "sqlite").contains(options.text("storage"))) {
      throw new IllegalArgumentException(
          "--nodes " + nodes + " needs --storage postgresql or mariadb");
    }
    if ((nodes > 1 ? 1 : 0)
            + (options.count("servers", 1) > 1 ? 1 : 0)
            + (options.count("hosts", 1) > 1 ? 1 : 0)
        > 1) {
      throw new IllegalArgumentException("give one of --nodes, --servers and --hosts");
    }
    standstill = Standstill.parse(options.text("stop"), nodes);
    if (options.count("servers", 1) > 1 && options.count("edges", 0) > 0) {
      throw new IllegalArgumentException("--edges are for one server or cluster");
    }
    if (options.count("edges", 0) > 0 && options.security() == Endpoint.Security.NONE) {
      throw new IllegalArgumentException(
          "--edges need --security tls or starttls: an edge accepts no plain connections");
    }
  }

  @Override
  public void start(Plan plan) throws IOException {
    TemporaryFolder made = new TemporaryFolder();
    folder = made;
    Path log = made.path().resolve("gc.log");
    gcLog = log;
    version = product.version(made.path());
    commit = product.commit(made.path());
    ZondaLayout layout = new ZondaLayout(options, made, name.equals("zonda-volatile"));
    Database started = Database.start(options.text("storage"), made, layout.databaseAddress());
    database = started;
    layout.prepare(started, layout.certificates());
    for (ZondaLayout.Node node : layout.nodes()) {
      ZondaProcess process =
          ZondaProcess.start(
              product,
              node.name(),
              node.settings(),
              javaOptions(servers.isEmpty() ? log : null),
              false);
      servers.add(process);
      processes.add(new TargetProcess(node.name(), process.pid()));
    }
    for (int i = 0; i < options.count("servers", 1); i++) {
      for (String domain : layout.domainsOf(i)) {
        servers.get(i).createAccounts(domain, plan);
      }
    }
    if (options.count("nodes", 1) > 1 && NodeTraffic.isCounted(servers.getFirst().metrics())) {
      trafficBefore = NodeTraffic.read(servers);
    }
    for (ZondaLayout.Node edge : layout.edges()) {
      ZondaProcess process = ZondaProcess.start(product, edge.name(), edge.settings(), "", true);
      edges.add(process);
      processes.add(new TargetProcess(edge.name(), process.pid()));
    }
    ChildProcess databaseProcess = started.process();
    if (databaseProcess != null) {
      processes.add(new TargetProcess("database", databaseProcess.pid()));
    }
    clients = layout.clients();
    clients.forEach(each -> endpoints.add(endpoint(each)));
  }

  /// The option of a virtual machine that writes the log of its collections. The log has the time
  /// of the day for people, and the clock of [System#nanoTime].
  private static String gcLogOption(Path file) {
    return "-Xlog:gc*,safepoint:file=" + file + ":timemillis,uptime,timenanos:filecount=0";
  }

  @Override
  public List<Endpoint> endpoints(Endpoint.Transport transport) {
    boolean tcp = transport == Endpoint.Transport.TCP;
    return clients.stream()
        .map(each ->
            new Endpoint(
                tcp ? each.tcp() : each.web(), each.domain(), transport, Endpoint.Security.NONE))
        .toList();
  }

  private Endpoint endpoint(ZondaLayout.Client client) {
    InetSocketAddress address =
        switch (options.transport()) {
          case TCP -> options.security() == Endpoint.Security.TLS ? client.tcpTls() : client.tcp();
          case WEBSOCKET, BOSH ->
              options.security() == Endpoint.Security.TLS ? client.webTls() : client.web();
        };
    return options.endpoint(address, client.domain());
  }

  /// The first server writes a log of its collections.
  private String javaOptions(@Nullable Path log) {
    String given = options.text("server-jvm");
    return log == null ? given : (gcLogOption(log) + " " + given).strip();
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.copyOf(endpoints);
  }

  @Override
  public String service(String kind) {
    return kind + "." + options.domain();
  }

  @Override
  public List<TargetProcess> processes() {
    return List.copyOf(processes);
  }

  @Override
  public @Nullable Path gcLog() {
    return gcLog;
  }

  @Override
  public Result.Subject subject() {
    return new Result.Subject(name, version, commit, options.unusual());
  }

  @Override
  public void phaseBegins(String phase, long nanos) {
    if (standstill != null && phase.equals(Load.MEASURE)) {
      standstill.begin(servers.get(standstill.node() - 1).process(), nanos);
    }
  }

  @Override
  public List<Result.Figure> figures() throws IOException {
    NodeTraffic before = trafficBefore;
    return before == null ? List.of() : NodeTraffic.read(servers).since(before).figures();
  }

  /// Ends edges first, so that their clients are not told of a server that is away.
  @Override
  public void close() {
    edges.forEach(ZondaProcess::close);
    servers.forEach(ZondaProcess::close);
    if (database != null) {
      database.close();
    }
    if (folder != null) {
      folder.close();
    }
  }
}
