package im.zonda.host;

import im.zonda.auth.KnownClientAccess;
import im.zonda.auth.KnownClients;
import im.zonda.auth.StoredRegistration;
import im.zonda.cluster.Placement;
import im.zonda.config.ServerConfig;
import im.zonda.home.account.StanzaRouter;
import im.zonda.jid.Jid;
import im.zonda.link.SessionGate;
import im.zonda.module.AccountRegistration;
import im.zonda.module.ClientAccess;
import im.zonda.module.DomainService;
import im.zonda.module.IdSource;
import im.zonda.module.SavedState;
import im.zonda.module.Scheduler;
import im.zonda.module.XmppModule;
import im.zonda.store.Account;
import im.zonda.store.AccountAddresses;
import im.zonda.store.AccountStore;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterStore;
import im.zonda.store.ScramKeys;
import im.zonda.store.Stores;
import im.zonda.stream.ServedDomains;
import im.zonda.stream.client.StreamContext;
import im.zonda.stream.client.StreamHost;
import im.zonda.stream.sasl.Authenticator;
import im.zonda.stream.sasl.ClientTokens;
import im.zonda.stream.sasl.SaslContext;
import im.zonda.stream.sasl.SaslRealm;
import im.zonda.throttle.AddressLog;
import im.zonda.throttle.FairTurns;
import im.zonda.throttle.LoginThrottle;
import im.zonda.timer.PeriodicTask;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A server without its sockets: router, virtual hosts with their modules, and what streams need.
public final class XmppServer {
  private static final Duration SWEEP = Duration.ofSeconds(5);

  /// Where time, randomness and threads come from.
  ///
  /// @param clock the time
  /// @param scheduler timers
  /// @param ids creates identifiers that cannot be guessed
  /// @param random cryptographically strong and thread-safe
  /// @param workers runs what may block, each task on a thread of its own
  /// @param link put between streams and sessions
  public record Environment(
      InstantSource clock,
      Scheduler scheduler,
      IdSource ids,
      RandomGenerator random,
      Executor workers,
      UnaryOperator<SessionGate> link) {
    /// An environment in which streams and sessions call each other directly.
    public Environment(
        InstantSource clock,
        Scheduler scheduler,
        IdSource ids,
        RandomGenerator random,
        Executor workers) {
      this(clock, scheduler, ids, random, workers, UnaryOperator.identity());
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
  /// @param stores the stores; the caller closes them after this server and its network
  /// @param secret at least 16 secret bytes that stay the same over restarts
  /// @param modules creates the modules of a host in the order of their installation, from the
  ///   configuration of the host ([ServerConfig#at])
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
            new SaslContext(
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
                config.limits().saslFailures(),
                environment.ids(),
                environment.scheduler()));
    router.sessions().restore(SessionForm.in(config.data()).take());
    services(DomainService::started);
    sweeping = PeriodicTask.start(environment.scheduler(), SWEEP, router::sweep);
  }

  private KnownClients knownClients(Stores stores) {
    return new KnownClients(
        stores.keyValues(KnownClients.STORE),
        config.limits().clients(),
        config.limits().tokenTime(),
        environment.clock());
  }

  /// What all client streams share.
  public StreamContext streams() {
    return streams;
  }

  /// The domains of the services of each virtual host, such as `rooms.example.org`.
  public Map<String, List<String>> serviceDomains() {
    Map<String, List<String>> domains = new LinkedHashMap<>();
    hosts.forEach((name, host) ->
        domains.put(name, host.services().stream().map(each -> each.domain().domain()).toList()));
    return domains;
  }

  /// The domains of this server, hosts and services: what streams of other servers and components
  /// ask.
  public ServedDomains served() {
    return domain -> {
      if (hosts.containsKey(domain)) {
        return domain;
      }
      for (Map.Entry<String, VirtualHost> host : hosts.entrySet()) {
        for (DomainService<?> service : host.getValue().services()) {
          if (service.domain().domain().equals(domain)) {
            return host.getKey();
          }
        }
      }
      return null;
    };
  }

  /// The router.
  public StanzaRouter router() {
    return router;
  }

  /// The virtual hosts, in the order of the configuration.
  public List<VirtualHost> hosts() {
    return List.copyOf(hosts.values());
  }

  /// Cancels the server's timers, saves the sessions that can be resumed and stops the modules. The
  /// network must have been stopped before.
  public void close() {
    sweeping.cancel();
    services(DomainService::stopping);
    SessionForm.in(config.data()).write(router.sessions().save());
    hosts.values().forEach(VirtualHost::stop);
  }

  private void services(Consumer<DomainService<?>> action) {
    hosts.values().forEach(host -> host.services().forEach(action));
  }

  private Map<String, VirtualHost> hosts(
      Stores stores, Function<ServerConfig, List<XmppModule>> modules) {
    Map<String, VirtualHost> made = new LinkedHashMap<>();
    OfferedPorts ports = offeredPorts(stores);
    for (String name : config.hosts()) {
      Jid domain = Jid.of(name);
      ServerConfig own = config.at(name);
      VirtualHost.Surroundings surroundings =
          new VirtualHost.Surroundings(
              own,
              ports,
              router,
              environment.clock(),
              environment.scheduler(),
              environment.workers(),
              environment.ids());
      made.put(domain.domain(), new VirtualHost(domain, surroundings, modules.apply(own)));
    }
    return made;
  }

  private OfferedPorts offeredPorts(Stores stores) {
    return new OfferedPorts(stores::keyValues)
        .with(RosterStore.class, stores.rosters())
        .with(RoomStore.class, stores.rooms())
        .with(MessageLog.class, stores.messages())
        .with(MessageArchive.class, stores.archive())
        .with(AccountAddresses.class, stores.accounts()::list)
        .with(
            AccountRegistration.class,
            new StoredRegistration(stores.accounts(), environment.random(), environment.clock()))
        .with(ClientAccess.class, new KnownClientAccess(stores.accounts(), knownClients(stores)))
        .with(SavedState.class, new SavedStateFiles(config.data()));
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

  private record StoredAccounts(AccountStore store) implements SaslRealm.Accounts {
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
