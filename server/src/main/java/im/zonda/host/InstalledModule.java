package im.zonda.host;

import im.zonda.config.Guests;
import im.zonda.config.ServerConfig;
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
import im.zonda.http.HttpRoute;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.DiscoIdentity;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.ExternalComponents;
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
import im.zonda.node.Post;
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
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One module that is installed on a virtual host: what it sees of the host, and what it has
/// declared. Everything can be withdrawn while the server runs.
final class InstalledModule implements ModuleContext {
  private static final Logger LOG = LoggerFactory.getLogger(InstalledModule.class);

  private record Served(DomainService<?> service, ServiceHomes<?> homes) {}

  private final Jid domain;
  private final VirtualHost.Surroundings surroundings;
  private final HostInfo info;
  private final Supplier<ServerConfig> config;
  private final XmppModule module;
  private final Ports ports;
  private final List<Consumer<HostDeclarations>> declarations = new ArrayList<>();
  private final List<Served> services = new ArrayList<>();
  private final List<Runnable> notices = new CopyOnWriteArrayList<>();
  private boolean installing = true;

  // Guarded by this object's monitor.
  private final List<PeriodicTask> timers = new ArrayList<>();
  private volatile boolean stopped;

  /// @param domain the domain of the host
  /// @param info what all modules of the host have declared
  /// @param config the present configuration of the host
  InstalledModule(
      Jid domain,
      VirtualHost.Surroundings surroundings,
      HostInfo info,
      Supplier<ServerConfig> config,
      XmppModule module) {
    this.domain = domain;
    this.surroundings = surroundings;
    this.info = info;
    this.config = config;
    this.module = module;
    this.ports = module.ports();
  }

  String name() {
    return module.name();
  }

  XmppModule module() {
    return module;
  }

  /// Has the module declare everything.
  void install() {
    module.install(this);
    installing = false;
  }

  /// Starts the module's own services, if it is installed while the server runs.
  void startServices() {
    for (Served served : services) {
      run("service_not_started", served.service()::started);
    }
  }

  /// Has the module take over changed settings; false if it must be installed again.
  boolean reload(ServerConfig before) {
    try {
      return module.reload(before, config.get());
    } catch (RuntimeException e) {
      LOG.atError()
          .addKeyValue("module", module.name())
          .addKeyValue("host", domain)
          .setCause(e)
          .log("module_not_reloaded");
      return false;
    }
  }

  /// Adds what the module has declared.
  void declareTo(HostDeclarations all) {
    declarations.forEach(declaration -> declaration.accept(all));
  }

  /// Stops and withdraws the module's own services while the server runs.
  void stopServices() {
    for (Served served : services) {
      run("service_not_stopped", served.service()::withdrawing);
      served.homes().withdraw();
    }
  }

  /// Cancels the module's timers and lets it release what it holds.
  void stop() {
    synchronized (this) {
      stopped = true;
      timers.forEach(PeriodicTask::cancel);
      timers.clear();
    }
    run("module_not_stopped", module::stop);
  }

  private void run(String failure, Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      LOG.atError()
          .addKeyValue("module", module.name())
          .addKeyValue("host", domain)
          .setCause(e)
          .log(failure);
    }
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

  @Override
  public Jid domain() {
    return domain;
  }

  @Override
  public ServerConfig config() {
    return config.get();
  }

  @Override
  public InstantSource clock() {
    return surroundings.runtime().clock();
  }

  @Override
  public Scheduler scheduler() {
    return (delay, task) ->
        surroundings
            .runtime()
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
  public synchronized Scheduler.Cancellable every(Duration first, Duration period, Runnable task) {
    if (stopped) {
      return () -> {};
    }
    PeriodicTask timer =
        PeriodicTask.start(
            surroundings.runtime().scheduler(),
            first,
            period,
            surroundings.runtime().workers(),
            task);
    timers.add(timer);
    return () -> cancel(timer);
  }

  @Override
  public Scheduler.Cancellable everyAtOneNode(Duration first, Duration period, Runnable task) {
    Jid name = Jid.of(null, domain.domain(), module.name());
    return every(
        first,
        period,
        () -> {
          if (surroundings.router().homes().nodes().view().isHere(name)) {
            task.run();
          }
        });
  }

  @Override
  public IdSource ids() {
    return surroundings.runtime().ids();
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
  public void addAccountIdentity(DiscoIdentity identity) {
    declare(host -> host.accountIdentities.add(identity));
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
  public void acceptGuests(Supplier<Guests> rules) {
    declare(host -> host.dispatch.guests(rules));
  }

  @Override
  public void onHttp(HttpRoute route) {
    declare(host -> host.onHttp(route));
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
  public void extend(ExternalComponents.Extension extension) {
    declare(host -> {
      host.extensions.add(extension);
      host.dispatch.extend(extension);
    });
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
  public void together(Jid sender, Runnable sends) {
    surroundings.router().homes().nodes().forwarder().together(sender, sends);
  }

  @Override
  public void deliverLate(Home home, Envelope envelope, Instant time) {
    surroundings.router().deliverLate(home, envelope, time);
  }

  @Override
  public MessageLog.@Nullable Keep keep(Home home, Message message) {
    return surroundings.router().keep(home, message);
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
  public boolean atHome(Jid account, Consumer<Home> task) {
    return surroundings.router().atHome(account, task);
  }

  @Override
  public boolean find(Jid address, Consumer<Boolean> answer) {
    return surroundings.router().find(address, answer);
  }

  @Override
  public void onNotice(Runnable task) {
    notices.add(task);
  }

  @Override
  public void notifyNodes() {
    surroundings
        .router()
        .homes()
        .nodes()
        .sender()
        .postToOthers(new Post.ModuleNotice(domain.domain(), module.name()));
  }

  /// The same module at another node has called [#notifyNodes]. Returns at once.
  void noticed() {
    for (Runnable task : notices) {
      surroundings.runtime().workers().execute(() -> run("notice_not_handled", task));
    }
  }

  @Override
  public void forget(Jid account) {
    surroundings.router().forget(account);
  }
}
