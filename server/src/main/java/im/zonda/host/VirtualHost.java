package im.zonda.host;

import im.zonda.config.ServerConfig;
import im.zonda.home.account.Dispatch;
import im.zonda.home.account.StanzaRouter;
import im.zonda.hook.BindHandler;
import im.zonda.hook.DeliveryListener;
import im.zonda.hook.HookPoint;
import im.zonda.hook.IqFilter;
import im.zonda.hook.LateDelivery;
import im.zonda.hook.MessageFilter;
import im.zonda.hook.Phase;
import im.zonda.hook.PresenceFilter;
import im.zonda.hook.SessionListener;
import im.zonda.hook.StorageRule;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.DiscoIdentity;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.HostInfo;
import im.zonda.module.IdSource;
import im.zonda.module.IqHandler;
import im.zonda.module.ModuleContext;
import im.zonda.module.Origin;
import im.zonda.module.Ports;
import im.zonda.module.Scheduler;
import im.zonda.module.ServiceHomes;
import im.zonda.module.UnauthenticatedHandler;
import im.zonda.module.XmppModule;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.store.KeyValueStore;
import im.zonda.store.MessageLog;
import im.zonda.timer.PeriodicTask;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
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
  /// @param clock the time
  /// @param scheduler timers
  /// @param workers runs what may block
  /// @param ids new identifiers
  public record Surroundings(
      ServerConfig config,
      OfferedPorts ports,
      StanzaRouter router,
      InstantSource clock,
      Scheduler scheduler,
      Executor workers,
      IdSource ids) {}

  private record Served(DomainService<?> service, ServiceHomes<?> homes) {}

  private final Jid domain;
  private final Surroundings surroundings;
  private final HostInfo info = new DeclaredInfo();
  private final InlineBinds inlineBinds = new InlineBinds(this::declared);
  private final Dispatch dispatch;

  // All modules in the order of their installation, those that are switched off too.
  private final List<XmppModule> modules;

  // In the order of installation. Guarded by this object's monitor.
  private final List<Context> installed = new ArrayList<>();

  private volatile ServerConfig config;
  private volatile HostDeclarations declared;

  /// Installs the modules in their order, without those that the configuration switches off.
  ///
  /// @throws IllegalStateException if two modules declare what only one may
  public VirtualHost(Jid domain, Surroundings surroundings, List<XmppModule> modules) {
    this.domain = domain;
    this.surroundings = surroundings;
    this.modules = List.copyOf(modules);
    this.config = surroundings.config();
    this.declared = new HostDeclarations(domain);
    checkPorts();
    try {
      for (XmppModule module : modules) {
        if (isOn(module)) {
          installed.add(install(module));
        }
      }
      this.declared = collectDeclarations();
    } catch (RuntimeException e) {
      List.copyOf(installed).reversed().forEach(this::end);
      throw e;
    }
    declared.dispatch.inlineBind(inlineBinds);
    this.dispatch = declared.dispatch.build();
    dispatch.limit(config.limits().ofHost());
  }

  private void checkPorts() {
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

  private Context install(XmppModule module) {
    Context context = new Context(module, module.ports());
    try {
      module.install(context);
    } catch (RuntimeException e) {
      end(context);
      throw e;
    }
    context.installing = false;
    return context;
  }

  /// The domain as an address.
  public Jid domain() {
    return domain;
  }

  /// What the router asks.
  public Dispatch dispatch() {
    return dispatch;
  }

  /// Services with a domain of their own that have not been withdrawn.
  public List<DomainService<?>> services() {
    Set<String> routed = surroundings.router().routes().domains();
    return declared.services().stream()
        .filter(service -> routed.contains(service.domain().domain()))
        .toList();
  }

  /// What clients may request while they bind.
  public InlineBinds inlineBinds() {
    return inlineBinds;
  }

  /// Features of authenticated streams.
  public List<Element> streamFeatures() {
    return declared.streamFeatures.stream().map(Supplier::get).toList();
  }

  /// Features of streams that have not authenticated.
  public List<Element> streamFeaturesBeforeAuthentication() {
    return declared.earlyStreamFeatures.stream().map(Supplier::get).toList();
  }

  /// The handler of that kind of request of streams that have not authenticated, or null.
  public @Nullable UnauthenticatedHandler unauthenticatedHandler(Iq.Type type, QName payload) {
    return declared.unauthenticated().find(type, payload);
  }

  /// Stops a module while the server runs: withdraws everything it declared, cancels its timers and
  /// then lets it release what it holds. Requests to it are answered `service-unavailable`. What it
  /// keeps with sessions and homes stays until they end. Blocks.
  ///
  /// @return false if no such module is running
  public boolean stopModule(String name) {
    Context stopped = withdraw(name);
    if (stopped == null) {
      return false;
    }
    end(stopped);
    LOG.atInfo().addKeyValue("module", name).addKeyValue("host", domain).log("module_stopped");
    return true;
  }

  private void end(Context context) {
    for (Served served : context.services) {
      run("service_not_stopped", context.module.name(), served.service()::withdrawing);
      served.homes().withdraw();
    }
    context.stop();
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
      boolean running = isInstalled(module);
      if (running && (!isOn(module) || !reload(module, before))) {
        stopModule(module.name());
        running = false;
      }
      if (isOn(module) && !running && !startModule(module)) {
        failed.add(module.name());
      }
    }
    return failed;
  }

  private synchronized boolean isInstalled(XmppModule module) {
    return installed.stream().anyMatch(context -> context.module.equals(module));
  }

  private boolean reload(XmppModule module, ServerConfig before) {
    try {
      return module.reload(before, config);
    } catch (RuntimeException e) {
      LOG.atError()
          .addKeyValue("module", module.name())
          .addKeyValue("host", domain)
          .setCause(e)
          .log("module_not_reloaded");
      return false;
    }
  }

  /// Installs a module while the server runs. Homes that are loaded get its values before its
  /// handlers are called there. Blocks.
  private boolean startModule(XmppModule module) {
    Context context;
    try {
      context = install(module);
      HostDeclarations with = collectWith(context);
      dispatch.addHomeKeys(with.dispatch);
      if (!surroundings.router().loadHomeStates(domain)) {
        end(context);
        throw new IllegalStateException("some homes are busy");
      }
      publish(context);
    } catch (RuntimeException e) {
      LOG.atError()
          .addKeyValue("module", module.name())
          .addKeyValue("host", domain)
          .setCause(e)
          .log("module_not_installed");
      return false;
    }
    for (Served served : context.services) {
      run("service_not_started", module.name(), served.service()::started);
    }
    LOG.atInfo()
        .addKeyValue("module", module.name())
        .addKeyValue("host", domain)
        .log("module_installed");
    return true;
  }

  private synchronized HostDeclarations collectWith(Context added) {
    List<Context> all = new ArrayList<>(installed);
    all.add(added);
    all.sort(Comparator.comparingInt(context -> modules.indexOf(context.module)));
    return collectDeclarations(all);
  }

  private synchronized void publish(Context added) {
    HostDeclarations with = collectWith(added);
    installed.add(added);
    installed.sort(Comparator.comparingInt(context -> modules.indexOf(context.module)));
    declared = with;
    dispatch.replace(with.dispatch);
  }

  /// Ends the host while the server runs: its services, its sessions and its modules. Blocks for
  /// some seconds at most.
  public void remove() {
    List<Context> all;
    synchronized (this) {
      all = List.copyOf(installed);
    }
    for (Context context : all) {
      for (Served served : context.services) {
        run("service_not_stopped", context.module.name(), served.service()::withdrawing);
        served.homes().withdraw();
      }
    }
    surroundings.router().close(domain);
    stop();
  }

  /// Stops all modules, the last installed first. Services must have been stopped before.
  public void stop() {
    List<Context> all;
    synchronized (this) {
      all = List.copyOf(installed).reversed();
      installed.clear();
    }
    all.forEach(Context::stop);
  }

  private synchronized @Nullable Context withdraw(String name) {
    for (Context context : installed) {
      if (context.module.name().equals(name)) {
        installed.remove(context);
        HostDeclarations remaining = collectDeclarations();
        declared = remaining;
        dispatch.replace(remaining.dispatch);
        return context;
      }
    }
    return null;
  }

  private HostDeclarations collectDeclarations() {
    return collectDeclarations(installed);
  }

  private HostDeclarations collectDeclarations(List<Context> contexts) {
    HostDeclarations all = new HostDeclarations(domain);
    for (Context context : contexts) {
      context.declarations.forEach(declaration -> declaration.accept(all));
    }
    return all;
  }

  private HostDeclarations declared() {
    return declared;
  }

  private void run(String failure, String module, Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      LOG.atError()
          .addKeyValue("module", module)
          .addKeyValue("host", domain)
          .setCause(e)
          .log(failure);
    }
  }

  /// What is declared at present.
  private final class DeclaredInfo implements HostInfo {
    @Override
    public List<DiscoIdentity> identities() {
      return declared.identities();
    }

    @Override
    public List<String> features() {
      return declared.features();
    }

    @Override
    public List<String> accountFeatures() {
      return declared.accountFeatures();
    }

    @Override
    public List<Element> forms() {
      return declared.forms();
    }

    @Override
    public List<DomainService<?>> services() {
      return VirtualHost.this.services();
    }
  }

  /// One module and what it has declared.
  private final class Context implements ModuleContext {
    private final XmppModule module;
    private final Ports ports;
    private final List<Consumer<HostDeclarations>> declarations = new ArrayList<>();
    private final List<Served> services = new ArrayList<>();
    private boolean installing = true;

    // Guarded by this object's monitor.
    private final List<PeriodicTask> timers = new ArrayList<>();
    private volatile boolean stopped;

    Context(XmppModule module, Ports ports) {
      this.module = module;
      this.ports = ports;
    }

    private void declare(Consumer<HostDeclarations> declaration) {
      if (!installing) {
        throw new IllegalStateException("module " + module.name() + " declares after install");
      }
      declarations.add(declaration);
    }

    private synchronized void cancel(PeriodicTask timer) {
      timer.cancel();
      timers.remove(timer);
    }

    private void stop() {
      synchronized (this) {
        stopped = true;
        timers.forEach(PeriodicTask::cancel);
        timers.clear();
      }
      run("module_not_stopped", module.name(), module::stop);
    }

    @Override
    public Jid domain() {
      return domain;
    }

    @Override
    public ServerConfig config() {
      return config;
    }

    @Override
    public InstantSource clock() {
      return surroundings.clock();
    }

    @Override
    public Scheduler scheduler() {
      return (delay, task) ->
          surroundings
              .scheduler()
              .schedule(
                  delay,
                  () -> {
                    if (!stopped) {
                      task.run();
                    }
                  });
    }

    @Override
    public synchronized Scheduler.Cancellable every(
        Duration first, Duration period, Runnable task) {
      if (stopped) {
        return () -> {};
      }
      PeriodicTask timer =
          PeriodicTask.start(surroundings.scheduler(), first, period, surroundings.workers(), task);
      timers.add(timer);
      return () -> cancel(timer);
    }

    @Override
    public IdSource ids() {
      return surroundings.ids();
    }

    @Override
    public <T> T port(Class<T> type) {
      if (!ports.types().contains(type)) {
        throw new IllegalStateException(
            "module " + module.name() + " has not declared " + type.getName());
      }
      return surroundings.ports().get(type);
    }

    @Override
    public KeyValueStore keyValues(String name) {
      if (ports.keyValues().stream().noneMatch(store -> store.name().equals(name))) {
        throw new IllegalStateException(
            "module " + module.name() + " has not declared the store " + name);
      }
      return surroundings.ports().keyValues(name);
    }

    @Override
    public HostInfo host() {
      return info;
    }

    @Override
    public void advertise(String namespace) {
      declare(host -> host.features.add(namespace));
    }

    @Override
    public void advertiseForAccounts(String namespace) {
      declare(host -> host.accountFeatures.add(namespace));
    }

    @Override
    public void addIdentity(DiscoIdentity identity) {
      declare(host -> host.identities.add(identity));
    }

    @Override
    public void addForm(Element form) {
      declare(host -> host.forms.add(form));
    }

    @Override
    public void addStreamFeature(Supplier<Element> feature) {
      declare(host -> host.streamFeatures.add(feature));
    }

    @Override
    public void addStreamFeatureBeforeAuthentication(Supplier<Element> feature) {
      declare(host -> host.earlyStreamFeatures.add(feature));
    }

    @Override
    public void onIq(Iq.Type type, QName payload, Addressee addressee, IqHandler handler) {
      declare(host -> host.dispatch.iq(type, payload, addressee, handler));
    }

    @Override
    public void reserveIq(Iq.Type type, QName payload) {
      declare(host -> host.dispatch.reserve(type, payload));
    }

    @Override
    public void onUnauthenticatedIq(Iq.Type type, QName payload, UnauthenticatedHandler handler) {
      declare(host -> host.onUnauthenticatedIq(type, payload, handler));
    }

    @Override
    public void onMessage(HookPoint point, Phase phase, MessageFilter filter) {
      declare(host -> host.dispatch.message(point, phase, filter));
    }

    @Override
    public void onPresence(HookPoint point, Phase phase, PresenceFilter filter) {
      declare(host -> host.dispatch.presence(point, phase, filter));
    }

    @Override
    public void onIq(HookPoint point, Phase phase, IqFilter filter) {
      declare(host -> host.dispatch.iq(point, phase, filter));
    }

    @Override
    public void onDelivery(DeliveryListener listener) {
      declare(host -> host.dispatch.delivery(listener));
    }

    @Override
    public void onSession(SessionListener listener) {
      declare(host -> host.dispatch.session(listener));
    }

    @Override
    public void onBind(QName request, BindHandler handler) {
      declare(host -> host.onBind(request, handler));
    }

    @Override
    public void onBind(BindHandler handler) {
      declare(host -> host.everyBind.add(handler));
    }

    @Override
    public void onStorage(StorageRule rule) {
      declare(host -> host.dispatch.storage(rule));
    }

    @Override
    public void onLateDelivery(LateDelivery marker) {
      declare(host -> host.dispatch.late(marker));
    }

    @Override
    public void addHomeState(HomeKey<?> key) {
      declare(host -> host.dispatch.keep(key));
    }

    @Override
    public void send(Envelope envelope) {
      surroundings.router().routes().route(envelope);
    }

    @Override
    public void awaitCommit(MessageLog.Receipt receipt, Message message, Origin origin) {
      surroundings.router().awaitCommit(receipt, message, origin);
    }

    @Override
    public void slowDown(Origin origin, Duration time) {
      surroundings.router().slowDown(origin, time);
    }

    @Override
    public <T> ServiceHomes<T> serve(DomainService<T> service) {
      ServiceHomes<T> homes = surroundings.router().serve(service);
      services.add(new Served(service, homes));
      declare(host -> host.services.add(service));
      return homes;
    }

    @Override
    public void atHome(Jid account, Consumer<Home> task) {
      surroundings.router().atHome(account, task);
    }

    @Override
    public void forget(Jid account) {
      surroundings.router().forget(account);
    }
  }
}
