package im.zonda.home.router;

import im.zonda.cluster.node.Nodes;
import im.zonda.config.ServerConfig;
import im.zonda.config.limits.HeapShare;
import im.zonda.config.limits.Limits;
import im.zonda.home.AckOnCommit;
import im.zonda.home.HomeTask;
import im.zonda.home.Homes;
import im.zonda.home.OriginLookup;
import im.zonda.home.account.AccountHome;
import im.zonda.home.account.AccountRegistry;
import im.zonda.home.account.Dispatch;
import im.zonda.home.account.HostAccounts;
import im.zonda.home.account.HostComponents;
import im.zonda.home.account.IqRequests;
import im.zonda.home.component.ComponentHomes;
import im.zonda.home.delivery.CatchUp;
import im.zonda.home.delivery.InboundStanzas;
import im.zonda.home.delivery.MessageDelivery;
import im.zonda.home.delivery.OutboundStanzas;
import im.zonda.home.lifecycle.SessionContext;
import im.zonda.home.lifecycle.Sessions;
import im.zonda.home.recovery.FormerNodes;
import im.zonda.home.recovery.Recovery;
import im.zonda.home.recovery.ResumptionNumbers;
import im.zonda.home.recovery.SessionsBeingRecovered;
import im.zonda.home.recovery.StandbyReplication;
import im.zonda.home.request.LargeResults;
import im.zonda.home.request.ServerRequests;
import im.zonda.home.service.ServiceDestination;
import im.zonda.home.session.Budget;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.home.session.SessionSnapshots;
import im.zonda.hook.HookPoint;
import im.zonda.hook.Judgement;
import im.zonda.jid.Jid;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.ExternalComponents;
import im.zonda.module.InboundFlow;
import im.zonda.module.Origin;
import im.zonda.module.ServiceHomes;
import im.zonda.route.DomainRequests;
import im.zonda.route.ErrorReplies;
import im.zonda.route.Pauses;
import im.zonda.route.RouterStats;
import im.zonda.route.Routes;
import im.zonda.runtime.ServerRuntime;
import im.zonda.session.Home;
import im.zonda.stanza.Message;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.MessageLog.Receipt;
import im.zonda.store.StanzaIds;
import im.zonda.store.Stores;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Connects routing and sessions: the routes to virtual hosts and services, and the work at the
/// homes of accounts.
///
/// A client's stanza is first handled at the sender's home ([OutboundStanzas]); [Routes] then bring
/// it to the receiver's ([InboundStanzas]). Any thread may call; nothing here blocks.
public final class StanzaRouter {
  private static final Logger LOG = LoggerFactory.getLogger(StanzaRouter.class);

  /// How long the homes of a host are waited for.
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Routes routes = new Routes();
  private final RouterStats stats = new RouterStats(routes.errors()::count);
  private final Map<Jid, HostAccounts> hosts = new ConcurrentHashMap<>();
  private final Queue<ServiceDestination<?>> services = new ConcurrentLinkedQueue<>();

  /// Hosts that have ended and whose homes are not all unloaded.
  private final Queue<HostAccounts> closing = new ConcurrentLinkedQueue<>();

  private final Stores stores;
  private final AccountRegistry registry;
  private final Sessions sessions;
  private final Recovery recovery;
  private final InboundStanzas inbound;
  private final OriginLookup lookup;
  private final MessageDelivery delivery;
  private final IqRequests requests;
  private final DomainRequests domainRequests;
  private final ServerRequests asked;
  private final ComponentHomes components;
  private final HostComponents hostComponents;
  private final LargeResults largeResults =
      new LargeResults(HeapShare.ANSWERS.bound(Long.MAX_VALUE, Runtime.getRuntime().maxMemory()));

  private final AckOnCommit ackOnCommit;

  /// A router that knows no host yet.
  ///
  /// @param stanzaIds the ids of log entries as clients see them
  public StanzaRouter(
      ServerConfig config, Stores stores, Nodes nodes, ServerRuntime runtime, StanzaIds stanzaIds) {
    Limits limits = config.limits();
    ErrorReplies errors = routes.errors();
    this.stores = stores;
    Homes.Setup homes =
        new Homes.Setup(nodes, runtime.workers(), limits.mailboxTasks(), limits.homes());
    this.registry = new AccountRegistry(routes, stats, homes, runtime.scheduler());
    this.components =
        new ComponentHomes(
            config.component(),
            limits,
            new ComponentHomes.Surroundings(routes, runtime, nodes),
            kind -> new Homes<>(kind, homes));
    this.asked =
        new ServerRequests(routes, runtime.scheduler(), limits.domainRequests(), nodes.sender());
    this.hostComponents = new HostComponents(components, asked, hosts);
    components.listen(hostComponents);
    this.requests = new IqRequests(routes, asked);
    this.domainRequests = new DomainRequests(runtime.workers(), errors, limits.domainRequests());
    this.ackOnCommit = new AckOnCommit(errors, stores.messages(), config.storage().durable());
    this.lookup = new OriginLookup(stores.clusterLog(), runtime);
    this.delivery =
        new MessageDelivery(registry, stores.messages(), stanzaIds, ackOnCommit, lookup, config);
    CatchUp catchUp = new CatchUp(registry, stores.messages(), limits);
    this.inbound =
        new InboundStanzas(
            errors,
            requests,
            delivery,
            (home, envelope, store) -> registry.submitNext(home, envelope, store::accept));
    Budget<LocalSession> budget =
        new Budget<>(limits, Runtime.getRuntime().maxMemory(), runtime.clock());
    SessionSnapshots snapshots = new SessionSnapshots(runtime.clock(), limits.resumeTime());
    this.recovery =
        nodes.replication().copies() ? recovery(config, snapshots, budget, runtime) : Recovery.NONE;
    this.sessions =
        new Sessions(
            registry,
            new SessionContext(snapshots, stores.messages(), runtime, stanzaIds, recovery),
            budget,
            new OutboundStanzas(routes, stats, requests, delivery, catchUp),
            catchUp);
  }

  private Recovery recovery(
      ServerConfig config,
      SessionSnapshots snapshots,
      Budget<LocalSession> budget,
      ServerRuntime runtime) {
    ResumptionNumbers numbers =
        new ResumptionNumbers(
            homes().nodes().replication(), runtime.clock(), snapshots.resumeTime());
    boolean mirrors = config.cluster().mirrorSessions();
    return new Recovery(
        new StandbyReplication(registry, budget, snapshots, runtime, numbers, mirrors),
        new FormerNodes(
            registry, stores, snapshots, budget, numbers, session -> sessions().settled(session)),
        new SessionsBeingRecovered(registry, inbound));
  }

  /// Adds the route to a host.
  ///
  /// @throws IllegalStateException if the domain has a route
  public void open(Dispatch dispatch) {
    Homes<AccountHome> accounts =
        new Homes<>(
            new AccountHomes(dispatch, stores, sessions, inbound, recovery, largeResults),
            registry.homes());
    HostAccounts host =
        new HostAccounts(dispatch, accounts, requests, domainRequests, routes.errors());
    routes.add(dispatch.domain(), host);
    hosts.put(dispatch.domain(), host);
  }

  /// Ends a host while the server runs: stanzas to it are answered as for a domain without a route,
  /// its sessions end with `host-gone`, its homes are unloaded. What its sessions have not
  /// acknowledged waits in the log. Blocks for some seconds at most.
  public void close(Jid domain) {
    HostAccounts host = hosts.get(domain);
    if (host == null) {
      return;
    }
    host.close();
    long busy = host.runAtEach(_ -> true, sessions::endAll, PATIENCE);
    if (busy > 0) {
      LOG.atWarn().addKeyValue("host", domain).addKeyValue("homes", busy).log("homes_busy_at_end");
    }
    routes.remove(domain, host);
    hosts.remove(domain);
    host.homes().close();
    if (host.homes().size() > 0) {
      closing.add(host);
    }
  }

  /// Unloads homes that move to another node, after their changes are in the log. Blocks for some
  /// seconds at most.
  ///
  /// @param services given the state that moves with the homes of services, on any thread
  /// @return the sessions that can be resumed on the other node
  public List<SessionSnapshot> unload(
      Predicate<Jid> leaving, BiConsumer<Jid, Map<String, byte[]>> services) {
    long busy = 0;
    for (HostAccounts host : hosts.values()) {
      busy += host.runAtEach(leaving, sessions::detachAll, PATIENCE);
    }
    List<SessionSnapshot> moving = sessions.take(leaving);
    for (HostAccounts host : hosts.values()) {
      busy += host.homes().unload(leaving, PATIENCE);
    }
    for (ServiceDestination<?> service : this.services) {
      busy += service.unload(leaving, services, PATIENCE);
    }
    if (busy > 0) {
      LOG.atWarn().addKeyValue("homes", busy).log("homes_busy_at_move");
    }
    return moving;
  }

  /// Keeps the state that the home of a service's address had on another node, until it is here.
  ///
  /// @return false if the address is no service's
  public boolean arrived(Jid address, Map<String, byte[]> state) {
    if (routes.to(address) instanceof ServiceDestination<?> service) {
      service.arrived(address, state);
      return true;
    }
    return false;
  }

  /// Loads at the homes of a host what modules keep there that were not installed when the homes
  /// were loaded. Blocks for some seconds at most.
  ///
  /// @return false if not all could be loaded
  public boolean loadHomeStates(Jid domain) {
    HostAccounts host = hosts.get(domain);
    return host == null || host.runAtEach(_ -> true, AccountHome::loadMissing, PATIENCE) == 0;
  }

  /// Has `service` answer for its domain from now on.
  ///
  /// @throws IllegalStateException if the domain has a route
  public <T> ServiceHomes<T> serve(DomainService<T> service) {
    ServiceDestination<T> destination =
        new ServiceDestination<>(
            service,
            routes,
            domainRequests,
            stats,
            registry.homes().nodes().replication(),
            kind -> new Homes<>(kind, registry.homes()));
    routes.add(service.domain(), destination);
    services.add(destination);
    return destination;
  }

  /// The external components.
  public ComponentHomes components() {
    return components;
  }

  /// The requests of the server itself.
  public ServerRequests requestsOfServer() {
    return asked;
  }

  /// Called before homes open here ([OriginLookup#opening]). Returns at once.
  public void opening() {
    lookup.opening();
  }

  /// Homes are open here: they take the state that has arrived for them. Returns at once.
  public void opened() {
    sessions.opened();
    services.forEach(ServiceDestination::opened);
  }

  /// The external components, for modules.
  public ExternalComponents externalComponents() {
    return hostComponents;
  }

  /// The domains of the components that are connected.
  public List<Jid> connectedComponents() {
    return components.connected();
  }

  /// The domains of the connected components that a host lists.
  public List<Jid> componentsAt(Jid host) {
    return hostComponents.connectedAt(host);
  }

  /// Where stanzas go.
  public Routes routes() {
    return routes;
  }

  /// What the router counted.
  public RouterStats stats() {
    return stats;
  }

  /// How many accounts of all hosts are loaded.
  public int loadedAccounts() {
    return hosts.values().stream().mapToInt(host -> host.homes().size()).sum();
  }

  /// How many homes of services, such as rooms, are loaded.
  public int loadedServiceHomes() {
    return services.stream().mapToInt(ServiceDestination::size).sum();
  }

  /// Unloads homes that are not needed; to be called every few seconds.
  public void sweep() {
    hosts.values().forEach(host -> host.homes().sweep());
    closing.forEach(host -> host.homes().sweep());
    closing.removeIf(host -> host.homes().size() == 0);
    services.removeIf(service -> !service.sweep());
    components.sweep();
  }

  /// The replication of sessions to other nodes, and their recovery.
  public Recovery recovery() {
    return recovery;
  }

  /// The sessions, and the gate for streams.
  public Sessions sessions() {
    return sessions;
  }

  /// Delivers a message that a module has kept, at the home of its receiver. May block.
  public void deliverLate(Home home, Envelope envelope, Instant time) {
    delivery.deliverLate((AccountHome) home, envelope, time);
  }

  /// How long the log of a home keeps the message; null if it does not belong there.
  public @Nullable Keep keep(Home home, Message message) {
    return delivery.keep((AccountHome) home, message);
  }

  /// What the filters of a home say of a message that is not sent.
  public List<Judgement> judge(Home home, Message message, HookPoint point) {
    AccountHome account = (AccountHome) home;
    return account.dispatch().judge(account, message, point);
  }

  /// Keeps the stanza of `origin` from being handled until the log entry of `receipt` is durable;
  /// while too much waits for the log, its sender's stream is not read.
  public void awaitCommit(Receipt receipt, Message message, Origin origin) {
    ackOnCommit.await(receipt, message, origin, null);
    ackOnCommit.slowDown(origin);
  }

  /// Keeps messages from being handled until they are committed.
  public AckOnCommit ackOnCommit() {
    return ackOnCommit;
  }

  /// How homes are loaded and run.
  public Homes.Setup homes() {
    return registry.homes();
  }

  /// Does not read from the sender's stream for that time.
  public void slowDown(Origin origin, Duration time) {
    InboundFlow sender = origin.flow();
    if (sender != null) {
      sender.pauseReading();
      routes.errors().pauses().of(Pauses.Cause.MODULE).increment();
      registry.scheduler().schedule(time, sender::resumeReading);
    }
  }

  /// Runs `task` at the home of an account; it may block.
  ///
  /// @return false if the home is not on this node
  public boolean atHome(Jid account, Consumer<Home> task) {
    HostAccounts host = registry.hostOf(account);
    return host != null
        && host.homes().submit(account.bare(), HomeTask.blocking(task::accept), null);
  }

  /// Asks the home of an account of this server, on whatever node it is, whether an address exists:
  /// an account if it is a bare JID, otherwise a session. Returns at once.
  ///
  /// @param answer called on any thread; must not block
  /// @return false if the domain is none of this server's hosts
  public boolean find(Jid address, Consumer<Boolean> answer) {
    HostAccounts host = registry.hostOf(address);
    if (host == null) {
      return false;
    }
    String resource = address.resource();
    HomeTask<AccountHome> task =
        new HomeTask<>() {
          @Override
          public void run(AccountHome home) {
            answer.accept(resource == null ? home.isReachable() : mayExist(home, resource));
          }

          @Override
          public void failed(Throwable cause) {
            answer.accept(true); // whether it exists is unknown
          }
        };
    if (registry.homes().nodes().view().isHere(address.bare())) {
      return host.homes().submit(address.bare(), task, null);
    }
    registry.homes().nodes().forwarder().find(address, answer);
    return true;
  }

  /// Whether there is a session of that resource, or one may still be recovered.
  private boolean mayExist(AccountHome home, String resource) {
    return home.session(resource) != null
        || registry.homes().nodes().replication().awaitsSessions(home.jid()) > 0;
  }

  /// Ends the sessions of an account that was removed, and forgets what was loaded of it.
  public void forget(Jid account) {
    if (registry.homes().nodes().view().isHere(account.bare())) {
      forgetHere(account);
    } else {
      registry.homes().nodes().forwarder().forget(account);
    }
  }

  /// As [#forget], for an account whose home is on this node.
  public void forgetHere(Jid account) {
    registry.submit(account.bare(), true, sessions::forget);
  }
}
