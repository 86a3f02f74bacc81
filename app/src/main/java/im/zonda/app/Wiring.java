package im.zonda.app;

import im.zonda.app.accounts.AccountSources;
import im.zonda.app.backup.BackupSchedule;
import im.zonda.app.backup.Restore;
import im.zonda.app.ban.BanOperations;
import im.zonda.app.cluster.ClusterNode;
import im.zonda.app.cluster.Drain;
import im.zonda.app.control.ControlSocket;
import im.zonda.app.control.DataFolder;
import im.zonda.app.control.FolderTakenException;
import im.zonda.app.federation.DomainCheck;
import im.zonda.app.hosts.ConfigReload;
import im.zonda.app.hosts.ConfigSource;
import im.zonda.app.jmx.JmxServer;
import im.zonda.app.log.LogSetup;
import im.zonda.app.metric.Measurement;
import im.zonda.app.operation.AdminConsole;
import im.zonda.app.operation.ServerOperations;
import im.zonda.app.plugin.PluginStart;
import im.zonda.app.settings.toml.SettingsException;
import im.zonda.app.status.CommitRate;
import im.zonda.app.status.Readiness;
import im.zonda.app.status.ServerControl;
import im.zonda.app.status.Standing;
import im.zonda.app.trace.TraceOperations;
import im.zonda.app.users.ImportOperation;
import im.zonda.cluster.node.Nodes;
import im.zonda.config.ServerConfig;
import im.zonda.host.HostCatalogue;
import im.zonda.host.XmppServer;
import im.zonda.http.HttpHosts;
import im.zonda.module.XmppModule;
import im.zonda.net.ClientStreams;
import im.zonda.net.Listener;
import im.zonda.net.NetServer;
import im.zonda.net.bosh.BoshSessions;
import im.zonda.net.bosh.SessionIds;
import im.zonda.net.edge.CoreEdges;
import im.zonda.net.http.HttpServer;
import im.zonda.net.local.NotifySocket;
import im.zonda.net.socks.SocksProxy;
import im.zonda.net.tls.CertificateFiles;
import im.zonda.net.tls.Certificates;
import im.zonda.net.tls.PemFiles;
import im.zonda.net.tls.SelfSigned;
import im.zonda.runtime.ServerRuntime;
import im.zonda.storage.cache.CachedStores;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.Stores;
import im.zonda.timer.PeriodicTask;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// Creates and connects the parts of a server.
final class Wiring {
  /// Time for clients to read what was written to them when the server stops.
  private static final Duration DRAIN = Duration.ofSeconds(1);

  private static final Duration CERTIFICATE_CHECK = Duration.ofMinutes(1);
  private static final long WORKERS_STOP_MILLIS = 300;

  private Wiring() {}

  /// Where a server comes from.
  ///
  /// @param source where the configuration is read again
  /// @param process stops the process, or starts the server in it again
  /// @param modules creates the modules of one host
  record Origin(ConfigSource source, ServerControl process, Supplier<List<XmppModule>> modules) {}

  /// Starts a server.
  ///
  /// @throws IOException if it cannot start, with a message for the administrator; nothing is left
  ///   running
  static RunningServer start(ServerConfig config, Origin origin) throws IOException {
    RunningServer running = new RunningServer();
    try {
      start(config, origin, running);
      return running;
    } catch (IOException | RuntimeException e) {
      running.close();
      throw e;
    }
  }

  /// Opens what a check of a remote domain uses.
  ///
  /// @param running whether a server runs that confirms dialback keys
  static DomainCheck.Parts openCheck(ServerConfig config, boolean running) throws IOException {
    ServerRuntime runtime =
        SystemRuntime.with(new Timers(), Executors.newVirtualThreadPerTaskExecutor());
    return new DomainCheck.Parts(
        config.s2s(),
        ServerListeners.addresses(config.s2s(), runtime),
        certificates(config, runtime),
        running ? ServerListeners.keys(ServerSecret.in(config.data(), runtime.random())) : null,
        runtime.clock());
  }

  private static void start(ServerConfig config, Origin origin, RunningServer running)
      throws IOException {
    takeFolder(config, running);
    ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    Timers timers = new Timers();
    ServerRuntime runtime = SystemRuntime.with(timers, workers);
    // Loading the certificates takes about as long as opening the stores, so both are done at once.
    Future<Certificates> loading = workers.submit(() -> certificates(config, runtime));
    ClusterNode cluster = config.cluster().name() == null ? null : new ClusterNode(config, runtime);
    Nodes nodes = cluster == null ? Nodes.NONE : cluster.nodes();
    SqlStores database = ServerStores.open(config, cluster, runtime.random());
    running.opened("stores", database);
    CachedStores stores = ServerStores.caches(database, config, cluster);
    opened(workers, timers, running);
    byte[] secret = ServerSecret.in(config.data(), runtime.random());
    AccountSources sources = new AccountSources(runtime.clock());
    var server = server(config, stores, environment(runtime, nodes, sources), secret, origin);
    ServerOperations administration = administer(server, stores, running, runtime);
    running.opened("server", server::close);
    PluginStart plugins = plugins(config, administration, sources, running);
    Certificates certificates = loaded(loading);
    serve(certificates, server, runtime, running);
    ServerListeners servers = ServerListeners.start(config, stores, server, runtime, secret);
    join(cluster, server, database, running);
    BoshSessions bosh = bosh(config, server, SessionIds.of(nodes, secret));
    AdminConsole console = AdminConsole.of(config, administration, running::listeners);
    HttpServer http = http(server, bosh, console, runtime);
    List<Listener> web = console.withThoseOf(http, administration);
    NetServer net = network(config, servers, web, certificates, server, workers);
    answerBalancers(http, server, database, cluster, net);
    open(net, bosh, servers, console, running);
    SocksProxy proxy = forwardBytes(config, server, runtime, running);
    CoreEdges edges = acceptEdges(config, server, secret, runtime, running);
    ConfigReload.CertificateSource files = wanted -> certificateFiles(wanted, runtime);
    var parts = parts(server, certificates, files, proxy, plugins);
    ConfigReload reload = new ConfigReload(origin.source(), parts, config);
    plugins.configuredBy(reload::running);
    var forAcme = new AcmeCertificates.Parts(http, certificates, files, nodes.view(), runtime);
    AcmeCertificates acme = AcmeCertificates.start(reload::running, forAcme, running);
    reloadBySignal(reload, workers, running);
    repeat(administration, reload, nodes, running);
    Drain drain = cluster == null ? null : new Drain(cluster, net, bosh, edges);
    StatusSource status =
        new StatusSource(
            config.data(),
            database,
            stores,
            server,
            net,
            bosh,
            commitRate(database, timers, running),
            drain,
            acme,
            certificates,
            running::listeners);
    ServerControl process = origin.process();
    var offers = new ServerOffers(status, edges, reload, origin.source(), process, runtime);
    openControl(offers, administration, running);
    drainFirst(drain, running);
  }

  private static void opened(ExecutorService workers, Timers timers, RunningServer running) {
    running.opened("workers", () -> stop(workers));
    running.opened("timers", timers);
  }

  private static XmppServer.Environment environment(
      ServerRuntime runtime, Nodes nodes, AccountSources sources) {
    return new XmppServer.Environment(runtime, UnaryOperator.identity(), nodes, true, sources);
  }

  private static XmppServer server(
      ServerConfig config,
      Stores stores,
      XmppServer.Environment environment,
      byte[] secret,
      Origin origin) {
    return new XmppServer(config, stores, environment, secret, origin.modules());
  }

  private static PluginStart plugins(
      ServerConfig config,
      ServerOperations administration,
      AccountSources sources,
      RunningServer running) {
    PluginStart plugins =
        PluginStart.over(
            administration.server(), administration.stores(), administration.runtime(), config);
    running.opened("plugins", plugins);
    sources.pluginsFrom(plugins.running()::provider);
    return plugins;
  }

  private static ConfigReload.Parts parts(
      XmppServer server,
      Certificates certificates,
      ConfigReload.CertificateSource files,
      SocksProxy proxy,
      PluginStart plugins) {
    return new ConfigReload.Parts(
        server, certificates, files, proxy, LogSetup::apply, plugins::reload);
  }

  private static void openControl(
      ServerOffers offers, ServerOperations administration, RunningServer running)
      throws IOException {
    StatusSource status = offers.status();
    HostCatalogue catalogue = status.server().catalogue();
    Measurement measurement = offers.measure(administration.trips());
    running.opened("measurement", measurement);
    running.opened("sizes of hosts", offers.measureSizes()::cancel);
    running.opened("export of traces", offers.exportTraces());
    catalogue.offer(offers.all(administration.others()));
    catalogue.offer(offers.nodes(administration.trips()));
    catalogue.offer(administration.support(status.data()));
    catalogue.offer(measurement.offers());
    ServerConfig config = offers.reload().running();
    if (config.jmx().listen() != null) {
      running.opened("JMX", JmxServer.start(config, administration, status.certificates()));
    }
    running.opened(
        "control socket",
        ControlSocket.open(status.data(), administration.operations(), offers.runtime()));
  }

  /// Begins what administration does by itself.
  private static void repeat(
      ServerOperations administration, ConfigReload reload, Nodes nodes, RunningServer running) {
    running.opened(
        "audit retention", administration.eraseOld(reload::running, nodes.view())::cancel);
    BackupSchedule schedule =
        new BackupSchedule(
            reload::running,
            administration.operations(),
            nodes.view()::isHere,
            administration.runtime());
    running.opened("backup schedule", schedule.start()::cancel);
  }

  /// Creates what runs operations, and enforces what administrators have decided.
  private static ServerOperations administer(
      XmppServer server, CachedStores stores, RunningServer running, ServerRuntime runtime) {
    ServerOperations administration = ServerOperations.over(server, stores, runtime);
    server.administerBy(administration.operations());
    ImportOperation.offerAt(server, stores, runtime);
    running.opened("bans", BanOperations.enforce(server, stores::keyValues, runtime)::cancel);
    running.opened(
        "traces",
        TraceOperations.offerAt(server, stores::keyValues, stores.messages(), runtime)::cancel);
    return administration;
  }

  private static Certificates certificates(ServerConfig config, ServerRuntime runtime)
      throws IOException {
    return new Certificates(certificateFiles(config, runtime), runtime.clock(), config.s2s().ca());
  }

  private static void reloadBySignal(ConfigReload reload, Executor workers, RunningServer running) {
    running.opened(
        "hangup signal", Signals.handle("HUP", () -> workers.execute(() -> reload(reload))));
  }

  /// A node of a cluster is drained before anything else is closed.
  private static void drainFirst(@Nullable Drain drain, RunningServer running) {
    if (drain != null) {
      running.opened("drain", drain::stop);
    }
  }

  private static void serve(
      Certificates certificates, XmppServer server, ServerRuntime runtime, RunningServer running) {
    certificates.serve(server.serviceDomains());
    certificates.watch(runtime, CERTIFICATE_CHECK);
    running.opened("certificates", certificates::close);
  }

  private static void answerBalancers(
      HttpServer http,
      XmppServer server,
      SqlStores database,
      @Nullable ClusterNode cluster,
      NetServer net) {
    http.answerBalancers(
        new Readiness(
                () -> !server.hosts().isEmpty(),
                () -> database.health().ok(),
                () -> cluster == null ? Standing.MEMBER : cluster.standing(),
                net::isListening)
            ::missing);
  }

  private static void open(
      NetServer net,
      @Nullable BoshSessions bosh,
      ServerListeners servers,
      AdminConsole console,
      RunningServer running)
      throws IOException {
    running.listening(net.start());
    running.consoleLinksFrom(console::newLink);
    servers.started(net);
    running.opened("network", () -> net.stop(DRAIN));
    if (bosh != null) {
      running.opened("BOSH", bosh::stop);
    }
  }

  private static SocksProxy forwardBytes(
      ServerConfig config, XmppServer server, ServerRuntime runtime, RunningServer running)
      throws IOException {
    SocksProxy proxy =
        SocksProxy.start(
            config.proxy(), config.limits().proxy(), new SocksProxy.Environment(runtime));
    running.opened("bytestreams proxy", proxy);
    server.forwardBytesBy(proxy);
    return proxy;
  }

  private static @Nullable CoreEdges acceptEdges(
      ServerConfig config,
      XmppServer server,
      byte[] secret,
      ServerRuntime runtime,
      RunningServer running)
      throws IOException {
    CoreEdges edges = EdgeStart.accept(config, server, secret, runtime);
    if (edges != null) {
      running.opened("edges", edges::stop);
      running.listening(
          edges.addresses().stream()
              .map(address -> new Listener(Listener.Kind.EDGE, address))
              .toList());
    }
    return edges;
  }

  private static CommitRate commitRate(SqlStores database, Timers timers, RunningServer running) {
    CommitRate commits =
        new CommitRate(() -> database.health().counters().commits(), InstantSource.system());
    running.opened(
        "commit rate", PeriodicTask.start(timers, CommitRate.PERIOD, commits::sample)::cancel);
    return commits;
  }

  static void takeFolder(ServerConfig config, RunningServer running) throws IOException {
    DataFolder folder = DataFolder.take(config.data());
    if (folder == null) {
      throw new FolderTakenException(config.data(), DataFolder.owner(config.data()));
    }
    running.opened("data folder", folder);
    Restore.checkEnded(config.data());
  }

  private static void join(
      @Nullable ClusterNode cluster, XmppServer server, SqlStores database, RunningServer running)
      throws IOException {
    if (cluster != null) {
      running.opened("cluster", cluster);
      cluster.join(server.localHomes(), database);
    }
  }

  private static NetServer network(
      ServerConfig config,
      ServerListeners servers,
      List<Listener> web,
      Certificates certificates,
      XmppServer server,
      Executor workers) {
    List<Listener> listeners = Listener.ofClients(config.c2s());
    for (String address : config.component().listen()) {
      listeners.add(
          Listener.parse(Listener.Kind.COMPONENT, address)
              .withProfile(server.components().profile(), null));
    }
    listeners.addAll(servers.listeners());
    listeners.addAll(web);
    NetServer.Settings settings =
        new NetServer.Settings(
            Listener.behindProxies(listeners, config.proxyProtocol()),
            config.c2s().eventLoops(),
            NetServer.Io.AUTO);
    return new NetServer(settings, certificates, server.streams(), workers);
  }

  /// The sessions of BOSH; null if it is off.
  private static @Nullable BoshSessions bosh(
      ServerConfig config, XmppServer server, SessionIds ids) {
    if (!config.http().bosh() || !config.http().isOn()) {
      return null;
    }
    BoshSessions sessions =
        new BoshSessions(
            ClientStreams.of(server.streams()),
            config.limits().http().bosh(),
            () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
            ids);
    server.receivePostsBy(sessions.posts());
    return sessions;
  }

  private static HttpServer http(
      XmppServer server, @Nullable BoshSessions bosh, AdminConsole console, ServerRuntime runtime) {
    ServerConfig config = console.config();
    HttpHosts hosts = bosh == null ? server.http() : bosh.servedAt(server.http());
    HttpServer http =
        new HttpServer(
            config.http(), config.limits().http(), console.besidePagesOf(hosts), runtime);
    server.catalogue().meters().add(List.of(http.responses().reading()));
    return http;
  }

  private static void reload(ConfigReload config) {
    NotifySocket manager = NotifySocket.of(System.getenv());
    manager.send(NotifySocket.State.RELOADING);
    try {
      config.reload();
    } catch (SettingsException | IOException e) {
      // Has been logged, as everything that the reload does.
      LoggerFactory.getLogger(Wiring.class).atDebug().setCause(e).log("hangup_without_reload");
    } finally {
      manager.send(NotifySocket.State.READY);
    }
  }

  private static Certificates loaded(Future<Certificates> loading) throws IOException {
    try {
      return loading.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while starting", e);
    }
  }

  /// The certificate of each host; a self-signed one for hosts that have none, which names their
  /// services too.
  private static CertificateFiles certificateFiles(ServerConfig config, ServerRuntime runtime)
      throws IOException {
    List<PemFiles> files = new ArrayList<>();
    Map<String, PemFiles> own = new LinkedHashMap<>();
    List<String> without = new ArrayList<>();
    for (String host : config.hosts()) {
      ServerConfig.Tls tls = config.at(host).tls();
      Path certificate = tls.certificate();
      Path key = tls.key();
      PemFiles issued = AcmeCertificates.find(config, host);
      if (certificate == null && issued != null) {
        files.add(issued);
        own.put(host, issued);
      } else if (certificate == null || key == null) {
        without.add(host);
        without.addAll(config.serviceDomains(host));
      } else {
        PemFiles pair = new PemFiles(certificate, key);
        if (!files.contains(pair)) {
          files.add(pair);
        }
        if (!tls.equals(config.tls())) {
          own.put(host, pair);
        }
      }
    }
    if (!without.isEmpty()) {
      files.add(SelfSigned.ensure(config.data(), without, runtime.clock(), runtime.random()));
    }
    return new CertificateFiles(files, own);
  }

  static void stop(ExecutorService workers) throws InterruptedException {
    workers.shutdown();
    // Tasks that still run find the store closed, and report that.
    if (!workers.awaitTermination(WORKERS_STOP_MILLIS, TimeUnit.MILLISECONDS)) {
      workers.shutdownNow();
    }
  }
}
