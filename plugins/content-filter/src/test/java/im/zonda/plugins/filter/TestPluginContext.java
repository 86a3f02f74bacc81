package im.zonda.plugins.filter;

import im.zonda.account.provider.AccountProvider;
import im.zonda.http.HttpHandler;
import im.zonda.http.HttpMethod;
import im.zonda.jid.Jid;
import im.zonda.operation.Offer;
import im.zonda.plugin.Decision;
import im.zonda.plugin.EventListener;
import im.zonda.plugin.FilterPoint;
import im.zonda.plugin.Filtered;
import im.zonda.plugin.PluginAccounts;
import im.zonda.plugin.PluginContext;
import im.zonda.plugin.PluginCounter;
import im.zonda.plugin.PluginSettings;
import im.zonda.plugin.PluginStore;
import im.zonda.plugin.PluginTimer;
import im.zonda.plugin.RequestHandler;
import im.zonda.plugin.StanzaFilter;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A server for the plugin alone: what it declares is called by the test.
final class TestPluginContext implements PluginContext {
  static final String HOST = "example.org";
  static final String OTHER = "other.example";

  private static final QName BODY = new QName("jabber:client", "body");

  private final Path folder;
  private final Map<String, Object> settings =
      new HashMap<>(
          Map.of(
              "rules", "rules",
              "look-every", Duration.ofSeconds(5),
              "text", "This message is not allowed here.",
              "mask", "*",
              "report-text", false,
              "too-long", "reject"));
  private final Map<FilterPoint, StanzaFilter<Message>> filters = new EnumMap<>(FilterPoint.class);
  private final Map<String, Long> counts = new TreeMap<>();
  final List<String> reports = new ArrayList<>();
  final List<Runnable> timers = new ArrayList<>();
  final List<Offer<?, ?>> offers = new ArrayList<>();
  private final Map<String, LongSupplier> gauges = new HashMap<>();
  Instant now = Instant.parse("2026-11-29T00:00:00Z");

  TestPluginContext(Path folder) {
    this.folder = folder;
  }

  void set(String name, Object value) {
    settings.put(name, value);
  }

  long count(String what) {
    return counts.getOrDefault(what, 0L);
  }

  long gauge(String what) {
    return Objects.requireNonNull(gauges.get(what)).getAsLong();
  }

  /// Lets the timers run, as some seconds later.
  void look() {
    now = now.plusSeconds(5);
    timers.forEach(Runnable::run);
  }

  /// A message with a body.
  static Message message(Message.Type type, String from, String to, String text) {
    return Message.of(type, Jid.of(from), Jid.of(to), "id1", List.of(Element.text(BODY, text)));
  }

  /// What becomes of a message at a point: its body, or `reject: TEXT` or `drop`.
  String pass(FilterPoint point, String host, Message message) throws Exception {
    Jid owner = Objects.requireNonNull(point == FilterPoint.SENT ? message.from() : message.to());
    Decision<Message> decision =
        Objects.requireNonNull(filters.get(point))
            .filter(new Filtered<>(message, point, host, owner.bare()));
    return switch (decision) {
      case Decision.Pass<Message>() -> body(message);
      case Decision.Replace<Message>(Message other) -> body(other);
      case Decision.Reject<Message>(var condition, String text) -> "reject: " + text;
      case Decision.Drop<Message>() -> "drop";
    };
  }

  private static String body(Message message) {
    return Objects.requireNonNull(message.payload(BODY)).text();
  }

  /// A private message between users of the host.
  String send(String text) throws Exception {
    return pass(
        FilterPoint.SENT,
        HOST,
        message(Message.Type.CHAT, "romeo@example.org/orchard", "juliet@example.org", text));
  }

  @Override
  public String name() {
    return "content-filter";
  }

  @Override
  public String version() {
    return "1.0.0";
  }

  @Override
  public Logger log() {
    return LoggerFactory.getLogger("test");
  }

  @Override
  public InstantSource clock() {
    return () -> now;
  }

  @Override
  public Set<String> hosts() {
    return Set.of(HOST, OTHER);
  }

  @Override
  public PluginSettings settings() {
    return new Settings();
  }

  @Override
  public PluginSettings settings(String host) {
    return new Settings();
  }

  private final class Settings implements PluginSettings {
    private Object value(String name) {
      return Objects.requireNonNull(settings.get(name));
    }

    @Override
    public String text(String name) {
      return (String) value(name);
    }

    @Override
    public long number(String name) {
      return (Long) value(name);
    }

    @Override
    public boolean flag(String name) {
      return (Boolean) value(name);
    }

    @Override
    public Duration duration(String name) {
      return (Duration) value(name);
    }

    @Override
    public List<String> texts(String name) {
      throw new IllegalArgumentException(name);
    }

    @Override
    public Path path(String name) {
      return folder.resolve((String) value(name));
    }
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
  public PluginTimer everyAtOneNode(Duration first, Duration period, Runnable task) {
    return every(first, period, task);
  }

  @Override
  public void advertise(String feature) {
    throw new UnsupportedOperationException("the content filter does not use this");
  }

  @Override
  public void onMessage(FilterPoint point, StanzaFilter<Message> filter) {
    filters.put(point, filter);
  }

  @Override
  public void onPresence(FilterPoint point, StanzaFilter<Presence> filter) {
    throw new UnsupportedOperationException("the content filter does not use this");
  }

  @Override
  public void onRequest(QName payload, RequestHandler handler) {
    throw new UnsupportedOperationException("the content filter does not use this");
  }

  @Override
  public void onEvent(EventListener listener) {
    throw new UnsupportedOperationException("the content filter does not use this");
  }

  @Override
  public void send(Stanza stanza) {
    throw new UnsupportedOperationException("the content filter does not use this");
  }

  @Override
  public void report(String host, String text) {
    reports.add(host + ": " + text);
  }

  @Override
  public PluginStore store() {
    throw new UnsupportedOperationException("the content filter does not use this");
  }

  @Override
  public PluginAccounts accounts() {
    throw new UnsupportedOperationException("the content filter does not use this");
  }

  @Override
  public void provideAccounts(AccountProvider provider) {
    throw new UnsupportedOperationException("the content filter does not use this");
  }

  @Override
  public void onHttp(HttpMethod method, String path, HttpHandler handler) {
    throw new UnsupportedOperationException("the content filter does not use this");
  }

  @Override
  public void offer(Offer<?, ?> operation) {
    offers.add(operation);
  }

  @Override
  public PluginCounter counter(String what, String help) {
    return more -> counts.merge(what, more, Long::sum);
  }

  @Override
  public void gauge(String what, String help, LongSupplier number) {
    gauges.put(what, number);
  }
}
