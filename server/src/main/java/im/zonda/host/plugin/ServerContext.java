package im.zonda.host.plugin;

import im.zonda.account.provider.AccountProvider;
import im.zonda.host.VirtualHost;
import im.zonda.host.plugin.guard.Held;
import im.zonda.host.plugin.guard.PluginGuard;
import im.zonda.host.plugin.manifest.PluginManifest;
import im.zonda.http.HttpHandler;
import im.zonda.http.HttpMethod;
import im.zonda.jid.Jid;
import im.zonda.metric.Counter;
import im.zonda.metric.Meter;
import im.zonda.metric.Reading;
import im.zonda.module.Envelope;
import im.zonda.operation.Offer;
import im.zonda.plugin.EventListener;
import im.zonda.plugin.FilterPoint;
import im.zonda.plugin.PluginAccounts;
import im.zonda.plugin.PluginContext;
import im.zonda.plugin.PluginCounter;
import im.zonda.plugin.PluginPort;
import im.zonda.plugin.PluginSettings;
import im.zonda.plugin.PluginStore;
import im.zonda.plugin.PluginTimer;
import im.zonda.plugin.RequestHandler;
import im.zonda.plugin.StanzaFilter;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.timer.PeriodicTask;
import im.zonda.xml.QName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The server as one plugin sees it. Once closed, nothing can be reached through it any longer.
final class ServerContext implements PluginContext {
  private static final String WHAT = "[a-z0-9]+(_[a-z0-9]+)*";
  private static final int MOST_METERS = 100;

  private final PluginManifest manifest;
  private final PluginGuard guard;
  private final Logger log;

  // Guarded by this object's monitor.
  private final List<PeriodicTask> timers = new ArrayList<>();

  private volatile @Nullable PluginSurroundings surroundings;

  /// Null once the plugin was started: it declares nothing more.
  private volatile @Nullable Declared declaring;

  /// The settings in force, by host; those of the server under the empty text.
  private final Map<String, PluginSettings> settings = new ConcurrentHashMap<>();

  private final SendRate rate;
  private final Reports reports;

  ServerContext(
      PluginManifest manifest,
      PluginSurroundings surroundings,
      PluginGuard guard,
      Declared declared) {
    this.manifest = manifest;
    this.guard = guard;
    this.log = LoggerFactory.getLogger("plugin." + manifest.name());
    this.surroundings = surroundings;
    this.declaring = declared;
    this.rate = new SendRate(System::nanoTime);
    this.reports = new Reports(manifest.name(), surroundings);
  }

  /// Nothing more may be declared.
  void declared() {
    declaring = null;
  }

  /// The settings are read again.
  void reload() {
    settings.clear();
  }

  /// Cuts everything.
  synchronized void close() {
    timers.forEach(PeriodicTask::cancel);
    timers.clear();
    declaring = null;
    surroundings = null;
  }

  private PluginSurroundings open() {
    PluginSurroundings open = surroundings;
    if (open == null) {
      throw new IllegalStateException("the plugin " + manifest.name() + " was stopped");
    }
    return open;
  }

  private PluginSurroundings open(PluginPort port) {
    PluginSurroundings open = open();
    if (!manifest.ports().contains(port)) {
      throw new IllegalStateException(
          "plugin.toml of " + manifest.name() + " does not ask for the port " + port.word());
    }
    return open;
  }

  private Declared declare() {
    Declared open = declaring;
    if (open == null) {
      throw new IllegalStateException("plugins declare in start() only");
    }
    return open;
  }

  private Declared declare(PluginPort port) {
    PluginSurroundings _ = open(port);
    return declare();
  }

  @Override
  public String name() {
    return manifest.name();
  }

  @Override
  public String version() {
    return manifest.version();
  }

  @Override
  public Logger log() {
    return log;
  }

  @Override
  public InstantSource clock() {
    return open().runtime().clock();
  }

  @Override
  public Set<String> hosts() {
    Set<String> hosts = new LinkedHashSet<>();
    for (VirtualHost host : open().server().hosts()) {
      if (!host.config().modulesOff().contains(manifest.name())) {
        hosts.add(host.domain().domain());
      }
    }
    return hosts;
  }

  @Override
  public PluginSettings settings() {
    return settings.computeIfAbsent("", _ -> open().settings().read(manifest, null, folder()));
  }

  @Override
  public PluginSettings settings(String host) {
    return settings.computeIfAbsent(host, _ -> open().settings().read(manifest, host, folder()));
  }

  @Override
  public Path folder() {
    Path folder = open().folder().resolve(manifest.name());
    try {
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public PluginTimer every(Duration first, Duration period, Runnable task) {
    return repeat(first, period, task, () -> true);
  }

  @Override
  public PluginTimer everyAtOneNode(Duration first, Duration period, Runnable task) {
    Jid name = Jid.of(null, "zonda.invalid", manifest.name());
    return repeat(
        first,
        period,
        task,
        () -> {
          PluginSurroundings open = surroundings;
          return open != null && open.server().router().homes().nodes().view().isHere(name);
        });
  }

  private synchronized PluginTimer repeat(
      Duration first, Duration period, Runnable task, BooleanSupplier here) {
    if (period.isNegative() || period.isZero() || first.isNegative()) {
      throw new IllegalArgumentException("not a period: " + period);
    }
    Held<Runnable> held = guard.hold(task);
    PeriodicTask timer =
        PeriodicTask.start(
            open().runtime().scheduler(),
            first,
            period,
            guard.background(),
            () -> {
              if (here.getAsBoolean()) {
                Object _ = guard.callHere(held, "timer", ServerContext::run);
              }
            });
    timers.add(timer);
    return () -> cancel(timer, held);
  }

  private static @Nullable Object run(Runnable task) {
    task.run();
    return null;
  }

  private synchronized void cancel(PeriodicTask timer, Held<?> task) {
    timer.cancel();
    timers.remove(timer);
    guard.release(task);
  }

  @Override
  public void advertise(String feature) {
    PluginSurroundings _ = open();
    declare().features.add(feature);
  }

  @Override
  public void onMessage(FilterPoint point, StanzaFilter<Message> filter) {
    declare(PluginPort.MESSAGES).messages.add(new Declared.Messages(point, guard.hold(filter)));
  }

  @Override
  public void onPresence(FilterPoint point, StanzaFilter<Presence> filter) {
    if (point == FilterPoint.ROOM) {
      throw new IllegalArgumentException("presence is not filtered in rooms");
    }
    declare(PluginPort.PRESENCE).presences.add(new Declared.Presences(point, guard.hold(filter)));
  }

  @Override
  public void onRequest(QName payload, RequestHandler handler) {
    declare(PluginPort.REQUESTS).requests.add(new Declared.Requests(payload, guard.hold(handler)));
  }

  @Override
  public void onEvent(EventListener listener) {
    declare(PluginPort.EVENTS).listeners.add(guard.hold(listener));
  }

  @Override
  public void send(Stanza stanza) {
    PluginSurroundings open = open(PluginPort.SEND);
    Jid from = stanza.from();
    if (from == null || from.local() != null || !hosts().contains(from.domain())) {
      throw new IllegalArgumentException("from is the address of no host: " + from);
    }
    if (stanza.to() == null) {
      throw new IllegalArgumentException("to is missing");
    }
    rate.take();
    open.server().router().routes().route(Envelope.of(stanza));
  }

  @Override
  public void report(String host, String text) {
    PluginSurroundings _ = open();
    reports.send(host, text);
  }

  @Override
  public PluginStore store() {
    PluginSurroundings open = open(PluginPort.STORE);
    return new StoredValues(open.keyValues().apply(storeName()), this::hosts);
  }

  @Override
  public PluginAccounts accounts() {
    PluginAccounts accounts = open(PluginPort.ACCOUNTS).accounts().apply(storeName());
    return new HeldAccounts(
        () -> {
          PluginSurroundings _ = open();
        },
        accounts);
  }

  private String storeName() {
    return "plugin." + manifest.name();
  }

  @Override
  public void provideAccounts(AccountProvider provider) {
    Declared declared = declare(PluginPort.ACCOUNT_PROVIDER);
    if (declared.provider != null) {
      throw new IllegalStateException("a plugin provides accounts once");
    }
    declared.provider = guard.hold(provider);
    declared.given = provider;
  }

  @Override
  public void onHttp(HttpMethod method, String path, HttpHandler handler) {
    declare(PluginPort.HTTP).pages.add(new Declared.Page(method, path, guard.hold(handler)));
  }

  @Override
  public void offer(Offer<?, ?> operation) {
    Declared declared = declare(PluginPort.OPERATIONS);
    String name = operation.operation().name();
    if (!name.startsWith(manifest.name() + ".")) {
      throw new IllegalArgumentException(
          "the name of the operation " + name + " does not begin with " + manifest.name() + ".");
    }
    declared.operations.add(OperationCalls.guarded(guard, operation));
  }

  @Override
  public PluginCounter counter(String what, String help) {
    Counter counter = new Counter();
    measure(Meter.counter(meter(what) + "_total", help).by(counter));
    return counter::add;
  }

  @Override
  public void gauge(String what, String help, LongSupplier number) {
    Held<LongSupplier> held = guard.hold(number);
    measure(Meter.gauge(meter(what), help).by(() -> read(held)));
  }

  private double read(Held<LongSupplier> held) {
    Long number = guard.callHere(held, "gauge", LongSupplier::getAsLong);
    return number == null ? 0 : number;
  }

  private String meter(String what) {
    if (!what.matches(WHAT)) {
      throw new IllegalArgumentException("not lower-case words joined by _: " + what);
    }
    return "zonda_plugin_" + manifest.name().replace('-', '_') + "_" + what;
  }

  private void measure(Reading reading) {
    List<Reading> readings = declare().readings;
    if (readings.size() >= MOST_METERS) {
      throw new IllegalStateException("a plugin has at most " + MOST_METERS + " meters");
    }
    readings.add(reading);
  }
}
