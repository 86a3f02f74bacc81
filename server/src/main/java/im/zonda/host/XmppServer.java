package im.zonda.host;

import im.zonda.account.AccountRegistration;
import im.zonda.account.DisabledAccounts;
import im.zonda.account.OnlineAccounts;
import im.zonda.account.PasswordLogin;
import im.zonda.auth.EncryptedStanzaIds;
import im.zonda.auth.KnownClientAccess;
import im.zonda.auth.PasswordRules;
import im.zonda.auth.SecretSigner;
import im.zonda.auth.StoredRegistration;
import im.zonda.auth.provider.ProviderChains;
import im.zonda.bytestream.BytestreamProxy;
import im.zonda.bytestream.Bytestreams;
import im.zonda.cluster.Member;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.cluster.message.ServerNotices;
import im.zonda.cluster.node.Nodes;
import im.zonda.cluster.port.LocalHomes;
import im.zonda.config.ServerConfig;
import im.zonda.config.ServerConfig.Registration;
import im.zonda.edge.core.EdgeConnections;
import im.zonda.edge.core.HomeProcesses;
import im.zonda.federation.ServerLinks;
import im.zonda.file.FileContents;
import im.zonda.file.folder.FolderContents;
import im.zonda.group.ProvidedGroups;
import im.zonda.home.router.StanzaRouter;
import im.zonda.host.removal.AccountRemoval;
import im.zonda.http.HttpHosts;
import im.zonda.http.Signer;
import im.zonda.jid.Jid;
import im.zonda.journal.Erasure;
import im.zonda.journal.Journal;
import im.zonda.journal.JournalSearch;
import im.zonda.journal.recording.DeliveryJournal;
import im.zonda.link.SessionGate;
import im.zonda.module.ClientAccess;
import im.zonda.module.DomainService;
import im.zonda.module.ExternalComponents;
import im.zonda.module.SavedState;
import im.zonda.module.Scheduler;
import im.zonda.module.Tracer;
import im.zonda.module.XmppModule;
import im.zonda.operation.Operations;
import im.zonda.runtime.ServerRuntime;
import im.zonda.session.CapabilityCache;
import im.zonda.store.AccountAddresses;
import im.zonda.store.ClusterLog;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.PubSubStore;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterStore;
import im.zonda.store.StanzaIds;
import im.zonda.store.Stores;
import im.zonda.store.UploadStore;
import im.zonda.stream.ServedDomains;
import im.zonda.stream.client.StreamContext;
import im.zonda.stream.component.ComponentContext;
import im.zonda.timer.PeriodicTask;
import im.zonda.trace.recording.DeliveryTraces;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A server without its sockets: router, virtual hosts with their modules, and what streams need.
public final class XmppServer {
  private static final Duration SWEEP = Duration.ofSeconds(5);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /// What surrounds a server.
  ///
  /// @param link put between streams and sessions
  /// @param nodes the other nodes of the cluster
  /// @param restarts whether the server takes up what the one before it has saved for it in the
  ///   data folder, and saves it for the next; otherwise that stays as it is
  /// @param providers opens those who keep accounts elsewhere
  public record Environment(
      ServerRuntime runtime,
      UnaryOperator<SessionGate> link,
      Nodes nodes,
      boolean restarts,
      ProviderChains.Source providers) {
    /// A server that takes up what the one before it has saved, and keeps all accounts itself.
    public Environment(ServerRuntime runtime, UnaryOperator<SessionGate> link, Nodes nodes) {
      this(runtime, link, nodes, true, ProviderChains.Source.NONE);
    }

    /// A server without a cluster, in which streams and sessions call each other directly.
    public Environment(ServerRuntime runtime) {
      this(runtime, UnaryOperator.identity(), Nodes.NONE);
    }

    /// A server that only runs operations on its stores, between two servers that serve.
    public static Environment betweenServers(
        ServerRuntime runtime, ProviderChains.Source providers) {
      return new Environment(runtime, UnaryOperator.identity(), Nodes.NONE, false, providers);
    }
  }

  private final SavedStateFiles saved;
  private final ServerRuntime runtime;
  private final Nodes nodes;
  private final StanzaRouter router;
  private final MessageLog log;
  private final ClusterLog clusterLog;
  private final SessionGate gate;
  private final DeliveryJournal journal;
  private final DeliveryTraces traces;
  private final AccountRemoval removal;
  private final VirtualHosts hosts;
  private final HostCatalogue catalogue;
  private final HostLogins logins;
  private final StreamContext streams;
  private final ComponentContext components;
  private final ServedByNodes servedByNodes;
  private final ServerNotices notices;
  private final OnlineSessions online;
  private final List<NodeMessage.Listener> posted = new CopyOnWriteArrayList<>();
  private final LateOperations operations = new LateOperations();
  private final NodeBytestreams bytestreams;
  private final SharedCapabilities capabilities;
  private final Signer signer;
  private final Scheduler.Cancellable sweeping;
  private final Scheduler.Cancellable removing;
  private volatile @Nullable Federation federation;

  /// Installs the modules of every host and opens the router.
  ///
  /// @param stores the stores; the caller closes them after this server and its network
  /// @param secret at least 16 secret bytes that stay the same over restarts; with others, clients
  ///   lose their tokens and the ids of messages
  /// @param modules creates the modules of a host in the order of their installation; those that
  ///   the configuration switches off are not installed
  public XmppServer(
      ServerConfig config,
      Stores stores,
      Environment environment,
      byte[] secret,
      Supplier<List<XmppModule>> modules) {
    this.signer = new SecretSigner(secret);
    this.saved = new SavedStateFiles(environment.restarts() ? config.data() : null);
    this.runtime = environment.runtime();
    this.nodes = environment.nodes();
    this.log = stores.messages();
    this.clusterLog = stores.clusterLog();
    this.capabilities = new SharedCapabilities(nodes.sender());
    StanzaIds stanzaIds = new EncryptedStanzaIds(secret);
    this.router = new StanzaRouter(config, stores, nodes, runtime, stanzaIds);
    this.journal = DeliveryJournal.of(config, stores, router.routes(), nodes.view(), runtime);
    this.traces = DeliveryTraces.of(config, stores, router.routes(), nodes.view(), runtime);
    this.gate = environment.link().apply(nodes.gate().apply(router.sessions()));
    this.online =
        new OnlineSessions(
            router.sessions()::all,
            account -> router.routes().to(account).canBeOnline(account),
            nodes,
            runtime.scheduler());
    this.bytestreams = new NodeBytestreams(nodes, runtime.scheduler());
    this.removal = new AccountRemoval(stores, router, runtime, this::serviceAddresses);
    this.logins = new HostLogins(config, stores, secret, runtime, environment.providers());
    this.hosts =
        new VirtualHosts(
            runtime,
            offeredPorts(stores, config)
                .with(StanzaIds.class, stanzaIds)
                .with(PasswordLogin.class, logins.pages()),
            router,
            gate,
            logins.accounts(),
            modules);
    this.catalogue = new HostCatalogue(hosts);
    hosts.open(config);
    this.streams =
        new StreamContext(
            hosts::findStreams,
            config.limits(),
            config.c2s().plaintext() == ServerConfig.Plaintext.LOOPBACK,
            logins.sasl());
    this.components = components(config);
    this.notices = new ServerNotices(nodes.sender(), hosts::noticed);
    this.servedByNodes = new ServedByNodes(nodes.sender(), this::hostNames, config);
    router.sessions().restore(saved.takeSessions());
    hosts.all().forEach(host -> host.services().forEach(DomainService::started));
    sweeping = PeriodicTask.start(runtime.scheduler(), SWEEP, router::sweep);
    removing =
        PeriodicTask.start(
            runtime.scheduler(), SWEEP, MINUTE, runtime.workers(), this::resumeRemovals);
    logins.start(router);
  }

  /// Whom hosts ask about accounts that are kept elsewhere.
  public ProviderChains providers() {
    return logins.chains();
  }

  private ComponentContext components(ServerConfig config) {
    return new ComponentContext(
        config.component(),
        config.limits(),
        new ComponentContext.Surroundings(
            served(), () -> hosts.all().getFirst().domain(), router.components()),
        runtime);
  }

  /// What all client streams share.
  public StreamContext streams() {
    return streams;
  }

  /// The edges that connect to this server; to be called once.
  ///
  /// @param secret stays the same over restarts
  /// @param maxStreams the most clients of one edge
  public EdgeConnections edges(byte[] secret, int maxStreams) {
    return new EdgeConnections(
        streams,
        gate,
        new EdgeConnections.Basis(
            secret,
            nodes.equals(Nodes.NONE)
                ? HomeProcesses.one(runtime.clock().millis() + "-" + runtime.ids().next())
                : new MemberProcesses(nodes.view()),
            runtime.clock()),
        maxStreams);
  }

  /// What the streams of all components share.
  public ComponentContext components() {
    return components;
  }

  /// The domains of the services of each virtual host, such as `rooms.example.org`.
  public Map<String, List<String>> serviceDomains() {
    Map<String, List<String>> domains = new LinkedHashMap<>();
    for (VirtualHost host : hosts.all()) {
      List<String> services = host.services().stream().map(each -> each.domain().domain()).toList();
      domains.put(host.domain().domain(), services);
    }
    return domains;
  }

  /// The domains of this server, hosts and services: what streams of other servers and components
  /// ask.
  public ServedDomains served() {
    return domain -> {
      if (hosts.findStreams(domain) != null) {
        return domain;
      }
      for (VirtualHost host : hosts.all()) {
        for (DomainService<?> service : host.services()) {
          if (service.domain().domain().equals(domain)) {
            return host.domain().domain();
          }
        }
      }
      return null;
    };
  }

  /// Exchanges stanzas with other servers from now on; to be called once, before the network
  /// starts; [Federation#started] is to be called after that. Without it stanzas to domains that
  /// are not served here are answered with `remote-server-not-found`.
  public Federation federate(ServerConfig config, Federation.Parts parts) {
    Federation started = new Federation(config, parts, router, served(), runtime);
    federation = started;
    return started;
  }

  /// The exchange of stanzas with other servers; null if there is none.
  public @Nullable Federation federation() {
    return federation;
  }

  /// The homes of this server, for other nodes.
  public LocalHomes localHomes() {
    NodePosts posts =
        new NodePosts(servedByNodes, online, bytestreams, capabilities, notices::receive, posted);
    return new NodeHomes(router, log, clusterLog, posts, logins.pause(), this::federation);
  }

  /// Has `listener` get what other nodes say, too.
  public void receivePostsBy(NodeMessage.Listener listener) {
    posted.add(listener);
  }

  /// The nodes of the cluster with other settings than this one, and which sections of the
  /// configuration differ.
  public Map<Member, SortedSet<String>> differingNodes() {
    return servedByNodes.differing();
  }

  /// Has modules run operations by `executor`. To be called once, before the network starts.
  public void administerBy(Operations executor) {
    operations.set(executor);
  }

  /// Adds a module to every host, also to those that are added later. If that is not possible at
  /// one of them, no host has the module. Blocks.
  ///
  /// @param create makes the module of a host; its name is `name` at all of them
  /// @throws IllegalStateException if the module cannot be installed, with the reason
  public void addModule(String name, Function<Jid, XmppModule> create) {
    hosts.addModule(name, create);
  }

  /// Removes a module that was added, from all hosts. Blocks.
  public void removeModule(String name) {
    hosts.removeModule(name);
  }

  /// Has streams of bytes forwarded by `proxy`. To be called once; before, there are none.
  public void forwardBytesBy(BytestreamProxy proxy) {
    bytestreams.set(proxy);
  }

  /// The router.
  public StanzaRouter router() {
    return router;
  }

  /// The stanzas that were not delivered as usual.
  public DeliveryJournal journal() {
    return journal;
  }

  /// The steps of messages that are traced.
  public DeliveryTraces traces() {
    return traces;
  }

  /// What the virtual hosts serve by HTTP.
  public HttpHosts http() {
    return hosts.http();
  }

  /// Checks passwords that come by pages.
  public PasswordLogin passwords() {
    return hosts.passwords();
  }

  /// Signs with keys that are derived from the secret.
  public Signer signer() {
    return signer;
  }

  /// The operations of the server and of its hosts.
  public HostCatalogue catalogue() {
    return catalogue;
  }

  /// The virtual hosts, in the order of the configuration.
  public List<VirtualHost> hosts() {
    return hosts.all();
  }

  /// Takes over the hosts of another configuration and their settings
  /// ([ServerConfig#withReloadable]), or nothing: if a module or a host cannot be installed, all
  /// are again as they were. Hosts that do not change are not disturbed. Blocks.
  ///
  /// @return what could not be done, in sentences for the administrator
  public List<String> reload(ServerConfig changed) {
    ServerConfig before;
    try {
      before = logins.chains().apply(changed);
    } catch (IllegalArgumentException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
    List<String> failures = hosts.reload(changed);
    if (!failures.isEmpty()) {
      ServerConfig _ = logins.chains().apply(before);
      return failures;
    }
    Federation federated = federation;
    if (federated != null) {
      federated.reload(changed.s2s());
    }
    servedByNodes.reload(changed);
    return List.of();
  }

  /// Notices that what all nodes share in the store has changed.
  public ServerNotices notices() {
    return notices;
  }

  /// Removes accounts.
  public AccountRemoval removal() {
    return removal;
  }

  private List<Jid> serviceAddresses() {
    return hosts.all().stream()
        .flatMap(host -> host.services().stream().map(DomainService::domain))
        .toList();
  }

  /// Resumes what a process that has ended, or a store that failed, has left. One node does so for
  /// each host.
  private void resumeRemovals() {
    for (VirtualHost host : hosts.all()) {
      if (nodes.view().isHere(Jid.of(null, host.domain().domain(), "removal"))) {
        removal.resume(host.domain());
      }
    }
  }

  private List<String> hostNames() {
    return hosts.all().stream().map(host -> host.domain().domain()).toList();
  }

  /// Cancels the server's timers, saves the sessions that can be resumed and stops the modules. The
  /// network must have been stopped before.
  public void close() {
    sweeping.cancel();
    removing.cancel();
    Federation federated = federation;
    if (federated != null) {
      federated.close();
    }
    hosts.all().forEach(host -> host.services().forEach(DomainService::stopping));
    saved.saveSessions(router.sessions().save());
    hosts.all().forEach(VirtualHost::stop);
    traces.close();
    journal.close();
    logins.close();
  }

  private boolean isAdministrator(Jid account) {
    return hosts.all().stream().anyMatch(host -> host.config().isAdministrator(account));
  }

  private PasswordRules passwordRules(String domain) {
    VirtualHost host = hosts.find(domain);
    return new PasswordRules(
        host == null
            ? Registration.MIN_PASSWORD_LENGTH
            : host.config().registration().minPasswordLength());
  }

  private OfferedPorts offeredPorts(Stores stores, ServerConfig config) {
    return new OfferedPorts(stores::keyValues)
        .with(RosterStore.class, stores.rosters())
        .with(RoomStore.class, stores.rooms())
        .with(PubSubStore.class, stores.pubSub())
        .with(UploadStore.class, stores.uploads())
        .with(FileContents.class, FolderContents.of(config, runtime.clock()))
        .with(Signer.class, signer)
        .with(CapabilityCache.class, capabilities)
        .with(Journal.class, router.routes().errors()::record)
        .with(Tracer.class, router.routes().errors().tracing())
        .with(JournalSearch.class, journal::find)
        .with(Erasure.class, traces.erasure(journal::forget))
        .with(MessageLog.class, stores.messages())
        .with(ClusterLog.class, stores.clusterLog())
        .with(MessageArchive.class, stores.archive())
        .with(AccountAddresses.class, AccountAddresses.of(stores.accounts()))
        .with(
            AccountRegistration.class,
            new StoredRegistration(
                stores.accounts(),
                runtime,
                this::isAdministrator,
                this::passwordRules,
                logins.chains(),
                removal::remove))
        .with(ClientAccess.class, new KnownClientAccess(stores.accounts(), logins.clients()))
        .with(DisabledAccounts.class, logins.disabling())
        .with(OnlineAccounts.class, online)
        .with(ProvidedGroups.class, logins.groups())
        .with(Operations.class, operations)
        .with(Bytestreams.class, bytestreams)
        .with(ServerLinks.class, new Federation.Streams(this::federation))
        .with(ExternalComponents.class, router.externalComponents())
        .with(SavedState.class, saved)
        .with(DomainService.LocalDomains.class, router.routes()::isServed);
  }
}
