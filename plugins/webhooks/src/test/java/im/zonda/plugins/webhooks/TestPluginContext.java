package im.zonda.plugins.webhooks;

import im.zonda.account.provider.AccountProvider;
import im.zonda.http.HttpHandler;
import im.zonda.http.HttpMethod;
import im.zonda.operation.Offer;
import im.zonda.plugin.EventListener;
import im.zonda.plugin.FilterPoint;
import im.zonda.plugin.PluginAccounts;
import im.zonda.plugin.PluginContext;
import im.zonda.plugin.PluginCounter;
import im.zonda.plugin.PluginEvent;
import im.zonda.plugin.PluginSettings;
import im.zonda.plugin.PluginStore;
import im.zonda.plugin.PluginTimer;
import im.zonda.plugin.RequestHandler;
import im.zonda.plugin.StanzaFilter;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.xml.QName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/// A server with two hosts for one plugin, whose timers run when the test wants.
final class TestPluginContext implements PluginContext {
  final TestLog log = new TestLog();
  final Map<String, String> settings = new ConcurrentHashMap<>();
  final Map<String, AtomicLong> counters = new ConcurrentHashMap<>();
  final Map<String, LongSupplier> gauges = new ConcurrentHashMap<>();
  final Map<String, Offer<?, ?>> offers = new ConcurrentHashMap<>();
  final List<String> reports = new CopyOnWriteArrayList<>();
  private final List<Runnable> timers = new CopyOnWriteArrayList<>();
  private final List<EventListener> listeners = new CopyOnWriteArrayList<>();
  private final Path folder;

  /// Settings are by `name`, or by `host/name` for one host.
  TestPluginContext(Path folder) {
    this.folder = folder;
    settings.putAll(
        Map.of("secret", "", "targets", "targets", "contents", "none", "sync", "PT0.001S"));
  }

  void runTimers() {
    timers.forEach(Runnable::run);
  }

  void happen(PluginEvent event) throws Exception {
    for (EventListener each : listeners) {
      each.on(event);
    }
  }

  @Override
  public String name() {
    return "webhooks";
  }

  @Override
  public String version() {
    return "1.0.0";
  }

  @Override
  public Logger log() {
    return log;
  }

  @Override
  public InstantSource clock() {
    return InstantSource.fixed(Instant.parse("2026-11-29T05:00:00Z"));
  }

  @Override
  public Set<String> hosts() {
    return Set.of("a.example", "b.example");
  }

  @Override
  public PluginSettings settings() {
    return settings("");
  }

  @Override
  public PluginSettings settings(String host) {
    return new Settings(host);
  }

  @Override
  public Path folder() {
    return folder;
  }

  @Override
  public PluginTimer every(Duration first, Duration period, Runnable task) {
    timers.add(task);
    return () -> timers.remove(task);
  }

  @Override
  public void onEvent(EventListener listener) {
    listeners.add(listener);
  }

  @Override
  public void report(String host, String text) {
    reports.add(host + ": " + text);
  }

  @Override
  public void offer(Offer<?, ?> operation) {
    offers.put(operation.operation().name(), operation);
  }

  @Override
  public PluginCounter counter(String what, String help) {
    return counters.computeIfAbsent(what, _ -> new AtomicLong())::addAndGet;
  }

  @Override
  public void gauge(String what, String help, LongSupplier number) {
    gauges.put(what, number);
  }

  @Override
  public PluginTimer everyAtOneNode(Duration first, Duration period, Runnable task) {
    throw new UnsupportedOperationException("webhooks do not use this");
  }

  @Override
  public void advertise(String feature) {
    throw new UnsupportedOperationException("webhooks do not use this");
  }

  @Override
  public void onMessage(FilterPoint point, StanzaFilter<Message> filter) {
    throw new UnsupportedOperationException("webhooks do not use this");
  }

  @Override
  public void onPresence(FilterPoint point, StanzaFilter<Presence> filter) {
    throw new UnsupportedOperationException("webhooks do not use this");
  }

  @Override
  public void onRequest(QName payload, RequestHandler handler) {
    throw new UnsupportedOperationException("webhooks do not use this");
  }

  @Override
  public void send(Stanza stanza) {
    throw new UnsupportedOperationException("webhooks do not use this");
  }

  @Override
  public PluginStore store() {
    throw new UnsupportedOperationException("webhooks do not use this");
  }

  @Override
  public PluginAccounts accounts() {
    throw new UnsupportedOperationException("webhooks do not use this");
  }

  @Override
  public void provideAccounts(AccountProvider provider) {
    throw new UnsupportedOperationException("webhooks do not use this");
  }

  @Override
  public void onHttp(HttpMethod method, String path, HttpHandler handler) {
    throw new UnsupportedOperationException("webhooks do not use this");
  }

  /// The settings of a host, or of the server.
  private final class Settings implements PluginSettings {
    private final String host;

    private Settings(String host) {
      this.host = host;
    }

    @Override
    public String text(String name) {
      String general = settings.get(name);
      if (general == null) {
        throw new IllegalArgumentException(name);
      }
      return settings.getOrDefault(host + "/" + name, general);
    }

    @Override
    public long number(String name) {
      return Long.parseLong(text(name));
    }

    @Override
    public boolean flag(String name) {
      return Boolean.parseBoolean(text(name));
    }

    @Override
    public Duration duration(String name) {
      return Duration.parse(text(name));
    }

    @Override
    public List<String> texts(String name) {
      return List.of(text(name));
    }

    @Override
    public Path path(String name) {
      return folder.resolve(text(name));
    }
  }
}
