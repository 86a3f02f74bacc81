package im.zonda.app;

import im.zonda.app.log.LogSetup;
import im.zonda.app.settings.SettingsReader;
import im.zonda.app.status.Version;
import im.zonda.config.Edges;
import im.zonda.config.ServerConfig;
import im.zonda.config.edge.EdgeConfig;
import im.zonda.host.XmppServer;
import im.zonda.net.Listener;
import im.zonda.net.NetServer;
import im.zonda.net.edge.CoreAddress;
import im.zonda.net.edge.CoreEdges;
import im.zonda.net.edge.EdgeServer;
import im.zonda.net.local.NotifySocket;
import im.zonda.net.tls.CertificateFiles;
import im.zonda.net.tls.Certificates;
import im.zonda.net.tls.MutualTls;
import im.zonda.net.tls.PemFiles;
import im.zonda.runtime.ServerRuntime;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// Runs an edge, and connects a server with its edges.
final class EdgeStart {
  private static final Duration CERTIFICATE_CHECK = Duration.ofMinutes(1);

  private EdgeStart() {}

  /// Runs an edge until the process ends.
  static int run(Path file, PrintWriter out) throws Exception {
    EdgeConfig config = SettingsReader.readEdge(file, Path.of("").toAbsolutePath());
    LogSetup.apply(config.log());
    RunningServer running = new RunningServer();
    try {
      start(config, running);
    } catch (IOException | RuntimeException e) {
      running.close();
      throw e;
    }
    NotifySocket manager = NotifySocket.of(System.getenv());
    Thread stop =
        Thread.ofPlatform()
            .name("zonda-stop")
            .unstarted(() -> {
              manager.send(NotifySocket.State.STOPPING);
              running.close();
              LogSetup.stop();
            });
    Runtime.getRuntime().addShutdownHook(stop);
    Signals.exitCleanlyWhenTerminated();
    out.printf(
        "zonda %s edge is ready%n  core       %s%n  clients    %s%n",
        Version.current(), String.join(", ", config.edge().all()), running.listeners());
    out.flush();
    manager.send(NotifySocket.State.READY);
    new CountDownLatch(1).await(); // the shutdown hook does the rest
    return 0;
  }

  private static void start(EdgeConfig config, RunningServer running) throws IOException {
    ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    running.opened("workers", workers::shutdownNow);
    Timers timers = new Timers();
    running.opened("timers", timers);
    ServerRuntime runtime = SystemRuntime.with(timers, workers);
    Certificates certificates =
        new Certificates(
            new CertificateFiles(List.of(files(config.tls().certificate(), config.tls().key()))),
            runtime.clock());
    certificates.watch(runtime, CERTIFICATE_CHECK);
    running.opened("certificates", certificates::close);
    EdgeConfig.Core core = config.edge();
    MutualTls own = tls(core.certificate(), core.key(), core.ca());
    own.watch(runtime, CERTIFICATE_CHECK);
    List<CoreAddress> cores =
        core.all().stream()
            .map(each -> Objects.requireNonNull(CoreAddress.parse(each), "has been checked"))
            .toList();
    EdgeServer edge =
        EdgeServer.start(
            new EdgeServer.Settings(
                new NetServer.Settings(
                    Listener.ofClients(config.c2s()), config.c2s().eventLoops(), NetServer.Io.AUTO),
                config.http().settings(),
                config.proxyProtocol(),
                certificates,
                config.limits(),
                new EdgeServer.Cores(cores, own, core.patience())),
            runtime);
    running.listening(edge.listeners());
    running.opened("edge", edge);
  }

  /// Has a server accept edges, if the configuration names addresses for them.
  static @Nullable CoreEdges accept(
      ServerConfig config, XmppServer server, byte[] secret, ServerRuntime runtime)
      throws IOException {
    Edges edges = config.edges();
    if (edges.listen().isEmpty()) {
      return null;
    }
    List<Listener> listeners =
        edges.listen().stream().map(each -> Listener.parse(Listener.Kind.EDGE, each)).toList();
    MutualTls own = tls(edges.certificate(), edges.key(), edges.ca());
    own.watch(runtime, CERTIFICATE_CHECK);
    return CoreEdges.start(
        Listener.behindProxies(listeners, config.proxyProtocol()),
        own,
        server.edges(secret, edges.clients()),
        runtime.workers());
  }

  private static MutualTls tls(
      @Nullable Path certificate, @Nullable Path key, @Nullable Path authority) throws IOException {
    if (authority == null) {
      throw new IOException("the file of the authority for edges is not set");
    }
    return MutualTls.load(files(certificate, key), authority);
  }

  private static PemFiles files(@Nullable Path certificate, @Nullable Path key) throws IOException {
    if (certificate == null || key == null) {
      throw new IOException("the files of certificate and key are not set");
    }
    return new PemFiles(certificate, key);
  }
}
