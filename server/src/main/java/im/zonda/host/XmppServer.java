package im.zonda.host;

import im.zonda.cluster.Placement;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.link.SessionGate;
import im.zonda.module.DomainService;
import im.zonda.module.IdSource;
import im.zonda.module.Scheduler;
import im.zonda.module.XmppModule;
import im.zonda.router.StanzaRouter;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.KnownClients;
import im.zonda.store.ScramKeys;
import im.zonda.store.Stores;
import im.zonda.stream.Authenticator;
import im.zonda.stream.ClientTokens;
import im.zonda.stream.StreamContext;
import im.zonda.stream.StreamHost;
import im.zonda.throttle.AddressLog;
import im.zonda.throttle.FairTurns;
import im.zonda.throttle.LoginThrottle;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A whole server but for its sockets: router, virtual hosts with their modules, and what streams
/// need. The program puts a network before it, a test whatever it likes.
public final class XmppServer {
  private static final Duration SWEEP = Duration.ofSeconds(5);

  /// Where time, chance and threads come from.
  ///
  /// @param clock the time
  /// @param scheduler timers
  /// @param ids identifiers that nobody can guess
  /// @param workers runs what may block, each task on a thread of its own
  /// @param link put between streams and sessions
  public record Environment(
      InstantSource clock,
      Scheduler scheduler,
      IdSource ids,
      Executor workers,
      UnaryOperator<SessionGate> link) {
    /// An environment in which streams and sessions call each other directly.
    public Environment(InstantSource clock, Scheduler scheduler, IdSource ids, Executor workers) {
      this(clock, scheduler, ids, workers, UnaryOperator.identity());
    }
  }

  private final ServerConfig config;
  private final Environment environment;
  private final StanzaRouter router;
  private final Map<String, VirtualHost> hosts;
  private final StreamContext streams;
  private final Scheduler.Cancellable sweeping;

  /// Installs the modules of every host and opens the router.
  ///
  /// @param stores what lasts; stays the caller's to close, after this server and its network
  /// @param secret at least 16 bytes that nobody knows and that stay the same over restarts
  /// @param modules makes the modules of one host from the configuration as it is there
  ///   ([ServerConfig#at]), in the order in which they are installed
  public XmppServer(
      ServerConfig config,
      Stores stores,
      Environment environment,
      byte[] secret,
      Function<ServerConfig, List<XmppModule>> modules) {
    this.config = config;
    this.environment = environment;
    this.router =
        new StanzaRouter(
            config,
            stores,
            Placement.LOCAL,
            environment.ids(),
            environment.clock(),
            environment.scheduler(),
            environment.workers());
    this.hosts = hosts(stores, modules);
    router.open(hosts.values().stream().map(VirtualHost::dispatch).toList());
    Authenticator authenticator =
        new Authenticator(
            environment.workers(),
            secret,
            new FairTurns(
                Math.max(2, Runtime.getRuntime().availableProcessors()),
                config.limits().login().passwordQueue()));
    SessionGate gate = environment.link().apply(router.sessions());
    Map<String, StreamHost> streamHosts = new LinkedHashMap<>();
    hosts.forEach((domain, host) -> streamHosts.put(domain, streamHost(host, stores, gate)));
    this.streams =
        new StreamContext(
            streamHosts::get,
            config.limits(),
            config.c2s().plaintext() == ServerConfig.Plaintext.LOOPBACK,
            environment.ids(),
            authenticator,
            new ClientTokens(
                secret,
                knownClients(stores),
                environment.clock(),
                environment.ids(),
                config.limits().tokenTime()),
            new LoginThrottle(
                config.limits().login(),
                config.limits().negotiationTime(),
                environment.clock(),
                environment.ids().next()),
            new AddressLog("sasl_failed_repeatedly", environment.scheduler()),
            environment.scheduler());
    router.sessions().restore(SessionForm.in(config.data()).take());
    services(DomainService::started);
    sweeping = environment.scheduler().every(SWEEP, router::sweep);
  }

  private KnownClients knownClients(Stores stores) {
    return new KnownClients(
        stores.keyValues(KnownClients.STORE),
        config.limits().clients(),
        config.limits().tokenTime(),
        environment.clock());
  }

  /// What every client stream of this server shares.
  public StreamContext streams() {
    return streams;
  }

  /// The router.
  public StanzaRouter router() {
    return router;
  }

  /// The virtual hosts, in the order of the configuration.
  public List<VirtualHost> hosts() {
    return List.copyOf(hosts.values());
  }

  /// Ends the server's own timers and saves the sessions that can be resumed. The network must have
  /// been stopped before.
  public void close() {
    sweeping.cancel();
    services(DomainService::stopping);
    SessionForm.in(config.data()).write(router.sessions().save());
  }

  private void services(Consumer<DomainService<?>> action) {
    hosts.values().forEach(host -> host.services().forEach(action));
  }

  private Map<String, VirtualHost> hosts(
      Stores stores, Function<ServerConfig, List<XmppModule>> modules) {
    Map<String, VirtualHost> made = new LinkedHashMap<>();
    for (String name : config.hosts()) {
      Jid domain = Jid.of(name);
      ServerConfig own = config.at(name);
      VirtualHost.Surroundings surroundings =
          new VirtualHost.Surroundings(
              own,
              stores,
              router,
              environment.clock(),
              environment.scheduler(),
              environment.workers(),
              environment.ids());
      made.put(domain.domain(), new VirtualHost(domain, surroundings, modules.apply(own)));
    }
    return made;
  }

  private static StreamHost streamHost(VirtualHost host, Stores stores, SessionGate gate) {
    return new StreamHost(
        host.domain(),
        new StoredAccounts(stores.accounts()),
        gate,
        host::unauthenticatedHandler,
        host::streamFeaturesBeforeAuthentication,
        host::streamFeatures,
        host.inlineBinds()::features);
  }

  private record StoredAccounts(AccountStore store) implements StreamHost.Accounts {
    @Override
    public @Nullable Account find(Jid jid) {
      return store.find(jid);
    }

    @Override
    public boolean changeKeys(Jid jid, List<ScramKeys> keys) {
      return store.changeKeys(jid, keys);
    }
  }
}
