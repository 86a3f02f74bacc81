package im.zonda.plugins.webhooks;

import im.zonda.operation.Secret;
import im.zonda.plugin.Plugin;
import im.zonda.plugin.PluginContext;
import im.zonda.plugin.PluginEvent;
import im.zonda.plugin.PluginSettings;
import im.zonda.plugins.webhooks.queue.QueuedEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Tells HTTP services what happens at the hosts.
public final class Webhooks implements Plugin {
  private static final Duration LOOK = Duration.ofSeconds(2);
  private static final String QUEUES = "queue";

  private final String prefix = prefix();
  private final AtomicLong counter = new AtomicLong();
  private @Nullable PluginContext context;
  private @Nullable Targets targets;

  /// What makes the identifiers of this run different from those of others.
  private static String prefix() {
    byte[] random = new byte[8];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random) + "-";
  }

  @Override
  public void start(PluginContext given) throws IOException {
    context = given;
    Surroundings surroundings =
        new Surroundings(
            given.version(),
            given.clock(),
            given.log(),
            (hosts, text) -> raise(given, hosts, text),
            meters(given));
    Targets opened = new Targets(given.folder().resolve(QUEUES), surroundings);
    targets = opened;
    Files.createDirectories(given.settings().path("targets"));
    look();
    look(); // what is wrong twice is reported
    gauge("queued_events", "events that wait for their delivery", Status::queued);
    gauge("queued_bytes", "bytes of events that wait for their delivery", Status::bytes);
    gauge("rejected_kept", "rejected events that are kept", Status::rejected);
    given.onEvent(this::on);
    given.every(LOOK, LOOK, this::lookAgain);
    WebhookOperations operations = new WebhookOperations(opened, surroundings, this::look);
    operations.offers().forEach(given::offer);
  }

  private static Surroundings.Meters meters(PluginContext context) {
    return new Surroundings.Meters(
        context.counter("sent", "events that targets have accepted"),
        context.counter("rejected", "events that targets have rejected"),
        context.counter("lost", "events that are not delivered"),
        context.counter("failures", "attempts to deliver that have failed"));
  }

  private void gauge(String what, String help, ToLongFunction<Status> number) {
    Targets all = running();
    context()
        .gauge(
            what,
            help,
            () ->
                all.deliveries().values().stream()
                    .mapToLong(each -> number.applyAsLong(each.status()))
                    .sum());
  }

  private static void raise(PluginContext context, Set<String> hosts, String text) {
    try {
      for (String each : context.hosts()) {
        if (hosts.isEmpty() || hosts.contains(each)) {
          context.report(each, text);
        }
      }
    } catch (IllegalStateException e) {
      // It is being stopped; the log has it.
    }
  }

  private PluginContext context() {
    return Objects.requireNonNull(context, "the plugin is not started");
  }

  private Targets running() {
    return Objects.requireNonNull(targets, "the plugin is not started");
  }

  private void look() throws IOException {
    PluginSettings settings = context().settings();
    Path folder = settings.path("targets");
    running().look(folder, new Secret(settings.text("secret")), settings.duration("sync"));
  }

  private void lookAgain() {
    try {
      look();
    } catch (IOException e) {
      context().log().warn("The files of targets cannot be read.", e);
    }
    running().reportLosses();
  }

  private void on(PluginEvent happened) {
    EventJson event = EventJson.of(happened);
    if (event == null) {
      return;
    }
    List<Delivery> wanting = new ArrayList<>();
    for (Delivery each : running().deliveries().values()) {
      if (each.target().filter().takes(event)) {
        wanting.add(each);
      }
    }
    if (!wanting.isEmpty()) {
      offer(event, wanting);
    }
  }

  private void offer(EventJson event, List<Delivery> wanting) {
    String id = prefix + counter.incrementAndGet();
    String host = event.event().host();
    Contents allowed =
        Objects.requireNonNullElse(
            Contents.of(context().settings(host).text("contents")), Contents.NONE);
    Map<Contents, QueuedEvent> written = new EnumMap<>(Contents.class);
    for (Delivery each : wanting) {
      Contents contents = each.target().filter().contents().atMost(allowed);
      each.offer(
          written.computeIfAbsent(
              contents, _ -> new QueuedEvent(event.event().time(), event.bytes(id, contents))));
    }
  }

  @Override
  public boolean reload() throws IOException {
    look();
    return true;
  }

  @Override
  public void stop() {
    Targets all = targets;
    if (all != null) {
      all.close();
    }
  }
}
