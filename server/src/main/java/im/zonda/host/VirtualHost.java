package im.zonda.host;

import im.zonda.config.ServerConfig;
import im.zonda.home.account.Dispatch;
import im.zonda.home.router.StanzaRouter;
import im.zonda.hook.HostHandlers;
import im.zonda.http.HttpRoute;
import im.zonda.jid.Jid;
import im.zonda.metric.Reading;
import im.zonda.module.Declarations;
import im.zonda.module.DiscoIdentity;
import im.zonda.module.DomainService;
import im.zonda.module.ExternalComponents;
import im.zonda.module.HostInfo;
import im.zonda.module.Ports;
import im.zonda.module.UnauthenticatedHandler;
import im.zonda.module.XmppModule;
import im.zonda.operation.Offer;
import im.zonda.runtime.ServerRuntime;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One virtual host: its modules and everything that they have declared.
public final class VirtualHost {
  private static final Logger LOG = LoggerFactory.getLogger(VirtualHost.class);

  /// What every host of a server shares.
  ///
  /// @param config the configuration
  /// @param ports the ports that modules may declare
  /// @param router where stanzas go
  public record Surroundings(
      ServerConfig config, OfferedPorts ports, StanzaRouter router, ServerRuntime runtime) {}

  /// How long the homes of services are waited for.
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Jid domain;
  private final Surroundings surroundings;
  private final HostInfo info = new ExtendedInfo(new DeclaredInfo(), this::extensions);
  private final Dispatch dispatch;

  // All modules in the order of their installation, those that are switched off too. Replaced as a
  // whole.
  private volatile List<XmppModule> modules;

  // In the order of installation. Guarded by this object's monitor.
  private final List<InstalledModule> installed = new ArrayList<>();

  private volatile ServerConfig config;

  /// Installs the modules in their order, without those that the configuration switches off.
  ///
  /// @throws IllegalStateException if two modules declare what only one may
  public VirtualHost(Jid domain, Surroundings surroundings, List<XmppModule> modules) {
    this.domain = domain;
    this.surroundings = surroundings;
    this.modules = List.copyOf(modules);
    this.config = surroundings.config();
    this.dispatch = new Dispatch(domain, new HostHandlers());
    checkPorts(modules);
    try {
      for (XmppModule module : modules) {
        if (isOn(module)) {
          installed.add(install(module));
        }
      }
      dispatch.replace(collectDeclarations(installed));
    } catch (RuntimeException e) {
      List.copyOf(installed).reversed().forEach(VirtualHost::end);
      throw e;
    }
    dispatch.limit(config.limits().ofHost());
  }

  private void checkPorts(List<XmppModule> modules) {
    Map<Ports.KeyValues, String> stores = new HashMap<>();
    for (XmppModule module : modules) {
      Ports ports = module.ports();
      surroundings.ports().check(module.name(), ports);
      for (Ports.KeyValues store : ports.keyValues()) {
        String other = stores.putIfAbsent(store, module.name());
        if (other != null) {
          throw new IllegalStateException(
              "modules " + other + " and " + module.name() + " declare the same store: " + store);
        }
      }
    }
  }

  private boolean isOn(XmppModule module) {
    return !config.modulesOff().contains(module.name());
  }

  private InstalledModule install(XmppModule module) {
    InstalledModule added = new InstalledModule(dispatch, surroundings, info, () -> config, module);
    try {
      added.install();
    } catch (RuntimeException e) {
      end(added);
      throw e;
    }
    return added;
  }

  private static void end(InstalledModule module) {
    module.stopServices();
    module.stop();
  }

  /// The domain as an address.
  public Jid domain() {
    return domain;
  }

  /// The names of the modules that are installed at present.
  public synchronized Set<String> modules() {
    return installed.stream().map(InstalledModule::name).collect(Collectors.toUnmodifiableSet());
  }

  /// A kind of IQ request that a module answers for the host and its accounts.
  public record Answered(XmppModule module, Declarations.AnsweredIq request) {}

  /// What the modules that are installed at present answer.
  public synchronized List<Answered> answered() {
    List<Answered> all = new ArrayList<>();
    for (InstalledModule each : installed) {
      each.declared()
          .of(Declarations.ANSWERED_IQS)
          .forEach(request -> all.add(new Answered(each.module(), request)));
    }
    return all;
  }

  /// A module has changed at another node what all nodes share. Returns at once.
  synchronized void noticed(String module) {
    installed.stream().filter(each -> each.name().equals(module)).forEach(InstalledModule::noticed);
  }

  /// What the router asks.
  public Dispatch dispatch() {
    return dispatch;
  }

  /// Services with a domain of their own that have not been withdrawn.
  public List<DomainService<?>> services() {
    Set<String> routed = surroundings.router().routes().domains();
    return dispatch.all(Declarations.SERVICES).stream()
        .filter(service -> routed.contains(service.domain().domain()))
        .toList();
  }

  /// What is served by HTTP at present.
  public List<HttpRoute> httpRoutes() {
    return dispatch.all(Declarations.HTTP_ROUTES);
  }

  /// What administrators of the host may run at present.
  List<Offer<?, ?>> operations() {
    return dispatch.all(Declarations.OPERATIONS);
  }

  /// What the modules of the host count at present.
  List<Reading> meters() {
    return dispatch.all(Declarations.METERS);
  }

  /// The origins whose scripts may use the host by HTTP at present.
  List<String> origins() {
    return config.http().origins();
  }

  /// The namespaces of what clients may request while they bind (XEP-0386), sorted.
  List<String> bindFeatures() {
    return dispatch.all(Declarations.BIND_ELEMENTS).stream()
        .map(each -> each.request().namespace())
        .distinct()
        .sorted()
        .toList();
  }

  /// Features of authenticated streams.
  public List<Element> streamFeatures() {
    return dispatch.all(Declarations.STREAM_FEATURES).stream().map(Supplier::get).toList();
  }

  /// Features of streams that have not authenticated.
  public List<Element> streamFeaturesBeforeAuthentication() {
    return dispatch.all(Declarations.EARLY_STREAM_FEATURES).stream().map(Supplier::get).toList();
  }

  /// The handler of that kind of request of streams that have not authenticated, or null.
  public @Nullable UnauthenticatedHandler unauthenticatedHandler(Iq.Type type, QName payload) {
    return dispatch.unauthenticatedHandler(type, payload);
  }

  /// Stops a module while the server runs: withdraws everything it declared, cancels its timers and
  /// then lets it release what it holds. Requests to it are answered `service-unavailable`. What it
  /// keeps with sessions and homes stays until they end. Blocks.
  ///
  /// @return false if no such module is running
  public boolean stopModule(String name) {
    InstalledModule stopped = withdraw(name);
    if (stopped == null) {
      return false;
    }
    end(stopped);
    LOG.atInfo().addKeyValue("module", name).addKeyValue("host", domain).log("module_stopped");
    return true;
  }

  /// Adds a module behind the others while the server runs, and installs it unless the
  /// configuration switches it off. Blocks. To be called by one thread at a time.
  ///
  /// @throws IllegalStateException if it cannot be installed, with the reason; it is not added then
  void addModule(XmppModule module) {
    List<XmppModule> more = new ArrayList<>(modules);
    more.add(module);
    checkPorts(more);
    modules = List.copyOf(more);
    if (isOn(module)) {
      try {
        installInRunning(module);
      } catch (RuntimeException e) {
        modules = modules.stream().filter(each -> !each.equals(module)).toList();
        throw new IllegalStateException(e.getMessage(), e);
      }
    }
  }

  /// Stops a module that was added, and forgets it. Blocks.
  void removeModule(String name) {
    boolean _ = stopModule(name);
    modules = modules.stream().filter(each -> !each.name().equals(name)).toList();
  }

  /// Whether there is a module of that name, switched off or not.
  boolean knows(String name) {
    return modules.stream().anyMatch(each -> each.name().equals(name));
  }

  /// The configuration of this host.
  public ServerConfig config() {
    return config;
  }

  /// Takes over other settings while the server runs: stops the modules that are switched off,
  /// installs those that are switched on, and has the others take over what concerns them. To be
  /// called by one thread at a time. Blocks.
  ///
  /// @return the names of the modules that could not be installed
  public List<String> change(ServerConfig changed) {
    ServerConfig before = config;
    config = changed;
    dispatch.limit(changed.limits().ofHost());
    List<String> failed = new ArrayList<>();
    for (XmppModule module : modules) {
      InstalledModule running = find(module);
      if (running != null && (!isOn(module) || !running.reload(before))) {
        stopModule(module.name());
        running = null;
      }
      if (isOn(module) && running == null && !startModule(module)) {
        failed.add(module.name());
      }
    }
    return failed;
  }

  private synchronized @Nullable InstalledModule find(XmppModule module) {
    for (InstalledModule each : installed) {
      if (each.module().equals(module)) {
        return each;
      }
    }
    return null;
  }

  /// Installs a module while the server runs; false if that fails. Blocks.
  private boolean startModule(XmppModule module) {
    try {
      installInRunning(module);
    } catch (RuntimeException e) {
      LOG.atError()
          .addKeyValue("module", module.name())
          .addKeyValue("host", domain)
          .setCause(e)
          .log("module_not_installed");
      return false;
    }
    return true;
  }

  /// Homes that are loaded get the values of the module before its handlers are called there.
  private void installInRunning(XmppModule module) {
    InstalledModule added = install(module);
    try {
      prepare(collectDeclarations(with(added)));
    } catch (RuntimeException e) {
      end(added);
      throw e;
    }
    publish(added);
    added.startServices();
    LOG.atInfo()
        .addKeyValue("module", module.name())
        .addKeyValue("host", domain)
        .log("module_installed");
  }

  /// Has each loaded home run a task, if what is declared next concerns what homes begin before.
  private void prepare(HostHandlers next) {
    boolean roomsMayBlock = dispatch.roomMessagesMayBlock();
    boolean busy = dispatch.prepare(next) && !surroundings.router().loadHomeStates(domain);
    if (!roomsMayBlock && dispatch.roomMessagesMayBlock()) {
      List<InstalledModule> all;
      synchronized (this) {
        all = List.copyOf(installed);
      }
      for (InstalledModule each : all) {
        busy |= !each.awaitServices(PATIENCE);
      }
    }
    if (busy) {
      throw new IllegalStateException("some homes are busy");
    }
  }

  /// The installed modules and another one, in their order.
  private synchronized List<InstalledModule> with(InstalledModule added) {
    List<InstalledModule> all = new ArrayList<>(installed);
    all.add(added);
    all.sort(Comparator.comparingInt(each -> modules.indexOf(each.module())));
    return all;
  }

  private synchronized void publish(InstalledModule added) {
    List<InstalledModule> all = with(added);
    HostHandlers now = collectDeclarations(all);
    installed.clear();
    installed.addAll(all);
    dispatch.replace(now);
  }

  /// Ends the host while the server runs: its services, its sessions and its modules. Blocks for
  /// some seconds at most.
  public void remove() {
    List<InstalledModule> all;
    synchronized (this) {
      all = List.copyOf(installed);
    }
    all.forEach(InstalledModule::stopServices);
    surroundings.router().close(domain);
    stop();
  }

  /// Stops all modules, the last installed first. Services must have been stopped before.
  public void stop() {
    List<InstalledModule> all;
    synchronized (this) {
      all = List.copyOf(installed).reversed();
      installed.clear();
    }
    all.forEach(InstalledModule::stop);
  }

  private synchronized @Nullable InstalledModule withdraw(String name) {
    for (InstalledModule module : installed) {
      if (module.name().equals(name)) {
        installed.remove(module);
        dispatch.replace(collectDeclarations(installed));
        return module;
      }
    }
    return null;
  }

  private static HostHandlers collectDeclarations(List<InstalledModule> from) {
    HostHandlers all = new HostHandlers();
    from.forEach(module -> all.addAll(module.declared()));
    return all;
  }

  private List<ExternalComponents.Extension> extensions() {
    return dispatch.all(Declarations.EXTENSIONS);
  }

  /// What is declared at present, without what extensions change.
  private final class DeclaredInfo implements HostInfo {
    @Override
    public List<DiscoIdentity> identities() {
      return dispatch.all(Declarations.IDENTITIES);
    }

    @Override
    public List<String> features() {
      return dispatch.features();
    }

    @Override
    public List<String> accountFeatures() {
      return dispatch.accountFeatures();
    }

    @Override
    public List<Element> forms() {
      return dispatch.all(Declarations.FORMS);
    }

    @Override
    public List<DiscoIdentity> accountIdentities() {
      List<DiscoIdentity> identities = new ArrayList<>();
      identities.add(new DiscoIdentity("account", "registered", null));
      identities.addAll(dispatch.all(Declarations.ACCOUNT_IDENTITIES));
      return identities;
    }

    /// No module declares forms of accounts.
    @Override
    public List<Element> accountForms() {
      return List.of();
    }

    @Override
    public List<DomainService<?>> services() {
      return VirtualHost.this.services();
    }

    @Override
    public List<Jid> components() {
      return surroundings.router().componentsAt(domain);
    }
  }
}
