package im.zonda.host;

import im.zonda.cluster.message.NodeMessage;
import im.zonda.config.ServerConfig;
import im.zonda.home.account.Dispatch;
import im.zonda.hook.Hook;
import im.zonda.hook.HookPoint;
import im.zonda.hook.HostHandlers;
import im.zonda.hook.Judgement;
import im.zonda.jid.Jid;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.HostInfo;
import im.zonda.module.IdSource;
import im.zonda.module.ModuleContext;
import im.zonda.module.Origin;
import im.zonda.module.Ports;
import im.zonda.module.Scheduler;
import im.zonda.module.ServiceHomes;
import im.zonda.module.XmppModule;
import im.zonda.session.Home;
import im.zonda.stanza.Message;
import im.zonda.store.KeyValueStore;
import im.zonda.store.MessageLog;
import im.zonda.timer.PeriodicTask;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

  private final Dispatch host;
  private final Jid domain;
  private final VirtualHost.Surroundings surroundings;
  private final HostInfo info;
  private final Supplier<ServerConfig> config;
  private final XmppModule module;
  private final Ports ports;
  private final HostHandlers declared = new HostHandlers();
  private final List<Served> services = new ArrayList<>();
  private final List<Runnable> notices = new CopyOnWriteArrayList<>();
  private boolean installing = true;

  // Guarded by this object's monitor.
  private final List<PeriodicTask> timers = new ArrayList<>();
  private volatile boolean stopped;

  /// @param host what all modules of the host have declared, for look-up
  /// @param info what all modules of the host have declared
  /// @param config the present configuration of the host
  InstalledModule(
      Dispatch host,
      VirtualHost.Surroundings surroundings,
      HostInfo info,
      Supplier<ServerConfig> config,
      XmppModule module) {
    this.host = host;
    this.domain = host.domain();
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

  /// What the module has declared.
  HostHandlers declared() {
    return declared;
  }

  /// Stops and withdraws the module's own services while the server runs.
  void stopServices() {
    for (Served served : services) {
      run("service_not_stopped", served.service()::withdrawing);
      served.homes().withdraw();
    }
  }

  /// Waits until each home of the module's own services that is loaded has run a task that was
  /// submitted now. Blocks.
  ///
  /// @return false if some have not when the time was over
  boolean awaitServices(Duration patience) {
    List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
    for (Served served : services) {
      for (Jid address : served.homes().addresses()) {
        CompletableFuture<Boolean> ran = new CompletableFuture<>();
        if (served.homes().submitIfLoaded(address, true, _ -> ran.complete(true))) {
          waiting.add(ran);
        }
      }
    }
    try {
      CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new))
          .get(patience.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException | TimeoutException e) {
      LOG.atWarn()
          .addKeyValue("module", module.name())
          .addKeyValue("host", domain)
          .setCause(e)
          .log("services_busy");
      return false;
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

  @Override
  public <H> void declare(Hook<H> hook, int order, H handler) {
    if (!installing) {
      throw new IllegalStateException("module " + module.name() + " declares after install");
    }
    declared.add(hook, order, handler, module.name());
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
  public <H> List<H> declared(Hook<H> hook) {
    return host.all(hook);
  }

  @Override
  public boolean roomMessagesMayBlock() {
    return host.roomMessagesMayBlock();
  }

  @Override
  public String moduleOf(Object handler) {
    return host.moduleOf(handler);
  }

  @Override
  public void send(Envelope envelope) {
    surroundings.router().routes().route(envelope);
  }

  @Override
  public void inBatch(Jid sender, Runnable sends) {
    surroundings.router().homes().nodes().forwarder().inBatch(sender, sends);
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
  public List<Judgement> judge(Home home, Message message, HookPoint point) {
    return surroundings.router().judge(home, message, point);
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
    declare(SERVICES, 0, service);
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
        .postToOthers(new NodeMessage.ModuleNotice(domain.domain(), module.name()));
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
