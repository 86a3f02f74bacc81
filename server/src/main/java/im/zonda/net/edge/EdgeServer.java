package im.zonda.net.edge;

import im.zonda.config.Limits;
import im.zonda.edge.Edge;
import im.zonda.module.IdSource;
import im.zonda.module.Scheduler;
import im.zonda.net.ClientStreams;
import im.zonda.net.Listener;
import im.zonda.net.NetServer;
import im.zonda.net.tls.Certificates;
import im.zonda.net.tls.MutualTls;
import im.zonda.throttle.LoginThrottle;
import im.zonda.timer.PeriodicTask;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/// An edge: accepts clients and keeps the connection to the core.
public final class EdgeServer implements AutoCloseable {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Edge edge;
  private final NetServer net;
  private final CoreConnector core;
  private final Scheduler.Cancellable ticking;
  private final List<Listener> listeners;

  /// What an edge is made with.
  ///
  /// @param net where clients connect
  /// @param certificates certificates of the virtual hosts
  /// @param limits limits for clients
  /// @param core where the core is
  public record Settings(
      NetServer.Settings net, Certificates certificates, Limits limits, CoreAddress core) {}

  /// Where the core is, and how long clients wait for it.
  ///
  /// @param host its name or address, which its certificate must name
  /// @param port its port for edges
  /// @param tls certificates
  /// @param patience how long clients are kept while the core is away
  public record CoreAddress(String host, int port, MutualTls tls, Duration patience) {}

  /// What it runs on.
  ///
  /// @param workers runs what may block: virtual threads
  public record Environment(
      InstantSource clock, Scheduler scheduler, IdSource ids, Executor workers) {}

  private EdgeServer(
      Edge edge,
      NetServer net,
      CoreConnector core,
      Scheduler.Cancellable ticking,
      List<Listener> listeners) {
    this.edge = edge;
    this.net = net;
    this.core = core;
    this.ticking = ticking;
    this.listeners = listeners;
  }

  /// Starts to listen and to connect; does not wait for the core.
  ///
  /// @throws IOException with a sentence for the administrator if an address cannot be had
  public static EdgeServer start(Settings settings, Environment environment) throws IOException {
    Limits limits = settings.limits();
    CoreAddress address = settings.core();
    Edge edge =
        new Edge(
            new Edge.Settings(
                limits,
                address.patience(),
                environment.ids(),
                environment.workers(),
                () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime())));
    ClientStreams streams =
        new ClientStreams(
            limits,
            edge.profile(),
            new LoginThrottle(
                limits.login(),
                limits.negotiationTime(),
                environment.clock(),
                environment.ids().next()),
            environment.ids(),
            environment.scheduler());
    NetServer net =
        new NetServer(settings.net(), settings.certificates(), streams, environment.workers());
    List<Listener> listeners = net.start();
    CoreConnector core =
        CoreConnector.start(
            new CoreConnector.Settings(
                address.host(),
                address.port(),
                address.tls(),
                edge.maxFrameBytes(),
                environment.workers()),
            edge,
            net.dialingOnOneLoop());
    return new EdgeServer(
        edge,
        net,
        core,
        PeriodicTask.start(environment.scheduler(), SECOND, edge::tick),
        listeners);
  }

  /// Where clients connect, with the ports that were taken.
  public List<Listener> listeners() {
    return listeners;
  }

  /// How many clients' streams there are.
  public int streams() {
    return edge.size();
  }

  /// Ends the connection to the core as a failure of the network would; another one follows.
  public void cutCore() {
    core.cut();
  }

  /// Ends the clients' streams, waits at most `drain` for what they are sent, and stops.
  public void stop(Duration drain) {
    core.close();
    net.stop(drain);
    ticking.cancel();
  }

  @Override
  public void close() {
    stop(SECOND);
  }
}
