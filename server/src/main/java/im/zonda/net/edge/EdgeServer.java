package im.zonda.net.edge;

import im.zonda.config.Http;
import im.zonda.config.ProxyProtocol;
import im.zonda.config.limits.Limits;
import im.zonda.edge.Edge;
import im.zonda.http.HttpHosts;
import im.zonda.http.HttpRoute;
import im.zonda.metric.TimingCounts;
import im.zonda.module.Scheduler;
import im.zonda.net.ClientStreams;
import im.zonda.net.Listener;
import im.zonda.net.NetServer;
import im.zonda.net.bosh.BoshSessions;
import im.zonda.net.bosh.SessionIds;
import im.zonda.net.http.HttpServer;
import im.zonda.net.proxy.AddressRanges;
import im.zonda.net.tls.Certificates;
import im.zonda.net.tls.MutualTls;
import im.zonda.runtime.ServerRuntime;
import im.zonda.stanza.Namespaces;
import im.zonda.throttle.LoginThrottle;
import im.zonda.timer.PeriodicTask;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// An edge: accepts clients, by TCP, on WebSockets and by BOSH, and keeps connections to one or
/// several cores.
public final class EdgeServer implements AutoCloseable {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Edge edge;
  private final NetServer net;
  private final @Nullable BoshSessions bosh;
  private final List<CoreConnector> cores;
  private final Scheduler.Cancellable ticking;
  private final List<Listener> listeners;

  /// What an edge is made with.
  ///
  /// @param net where clients connect by TCP
  /// @param http where they connect on WebSockets and by BOSH, and balancers ask; no other routes
  ///   are served
  /// @param proxies which of these listeners are behind proxies
  /// @param certificates certificates of the virtual hosts
  /// @param limits limits for clients
  /// @param cores where the cores are
  public record Settings(
      NetServer.Settings net,
      Http http,
      ProxyProtocol proxies,
      Certificates certificates,
      Limits limits,
      Cores cores) {}

  /// An edge does not know the hosts, so the same pages may connect to all of them.
  private record UnknownHosts(Http http) implements HttpHosts {
    @Override
    public List<String> domains() {
      return List.of();
    }

    @Override
    public List<HttpRoute> routes(String domain) {
      return List.of();
    }

    @Override
    public List<String> origins(String domain) {
      return http.origins();
    }
  }

  /// The cores, and how long clients wait for one.
  ///
  /// @param addresses at least one
  /// @param tls certificates
  /// @param patience how long clients are kept while no core is there
  public record Cores(List<CoreAddress> addresses, MutualTls tls, Duration patience) {
    /// Copies the list.
    public Cores {
      addresses = List.copyOf(addresses);
    }
  }

  private EdgeServer(
      Edge edge,
      NetServer net,
      @Nullable BoshSessions bosh,
      List<CoreConnector> cores,
      Scheduler.Cancellable ticking,
      List<Listener> listeners) {
    this.edge = edge;
    this.net = net;
    this.bosh = bosh;
    this.cores = cores;
    this.ticking = ticking;
    this.listeners = listeners;
  }

  /// Starts to listen and to connect; does not wait for a core.
  ///
  /// @throws IOException with a sentence for the administrator if an address cannot be had
  public static EdgeServer start(Settings settings, ServerRuntime runtime) throws IOException {
    Limits limits = settings.limits();
    Cores wanted = settings.cores();
    Edge edge =
        new Edge(
            new Edge.Settings(
                limits,
                wanted.patience(),
                runtime,
                () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime())));
    LoginThrottle throttle =
        new LoginThrottle(
            limits.login(), limits.negotiationTime(), runtime.clock(), runtime.ids().next());
    edge.banBy(networks -> throttle.banned().set(networks, new AddressRanges(networks)::contains));
    ClientStreams streams = new ClientStreams(limits, edge.profile(), throttle, runtime);
    BoshSessions bosh = bosh(settings, streams);
    NetServer net =
        new NetServer(
            withHttp(settings, edge, bosh, runtime),
            settings.certificates(),
            streams,
            runtime.workers());
    edge.measureBy(() -> {
      TimingCounts sent = net.written(Namespaces.CLIENT);
      return bosh == null ? sent : sent.plus(bosh.inside());
    });
    List<Listener> listeners = net.start();
    List<CoreConnector> cores = new ArrayList<>();
    for (CoreAddress address : wanted.addresses()) {
      cores.add(
          CoreConnector.start(
              new CoreConnector.Settings(
                  address, wanted.tls(), edge.maxFrameBytes(), runtime.workers()),
              edge,
              net.dialingOnOneLoop()));
    }
    return new EdgeServer(
        edge,
        net,
        bosh,
        cores,
        PeriodicTask.start(runtime.scheduler(), SECOND, edge::tick),
        listeners);
  }

  private static @Nullable BoshSessions bosh(Settings settings, ClientStreams streams) {
    return settings.http().bosh() && settings.http().isOn()
        ? new BoshSessions(
            streams,
            settings.limits().http().bosh(),
            () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
            SessionIds.alone())
        : null;
  }

  /// The settings of the network, with the listeners for HTTP.
  private static NetServer.Settings withHttp(
      Settings settings, Edge edge, @Nullable BoshSessions bosh, ServerRuntime runtime) {
    HttpHosts hosts = new UnknownHosts(settings.http());
    HttpServer http =
        new HttpServer(
            settings.http(),
            settings.limits().http(),
            bosh == null ? hosts : bosh.servedAt(hosts),
            runtime);
    http.answerBalancers(() -> edge.hasCore() ? List.of() : List.of("core"));
    List<Listener> listeners = new ArrayList<>(settings.net().listeners());
    listeners.addAll(http.listeners());
    return new NetServer.Settings(
        Listener.behindProxies(listeners, settings.proxies()),
        settings.net().eventLoops(),
        settings.net().io());
  }

  /// Where clients connect, with the ports that were taken.
  public List<Listener> listeners() {
    return listeners;
  }

  /// How many clients' streams there are.
  public int streams() {
    return edge.size();
  }

  /// Ends the connections to cores as a failure of the network would; others follow.
  public void cutCores() {
    cores.forEach(CoreConnector::cut);
  }

  /// Ends the clients' streams, waits at most `drain` for what they are sent, and stops.
  public void stop(Duration drain) {
    cores.forEach(CoreConnector::close);
    if (bosh != null) {
      bosh.stop();
    }
    net.stop(drain);
    ticking.cancel();
  }

  @Override
  public void close() {
    stop(SECOND);
  }
}
