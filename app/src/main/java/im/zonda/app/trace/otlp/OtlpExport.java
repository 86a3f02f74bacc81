package im.zonda.app.trace.otlp;

import im.zonda.app.status.Version;
import im.zonda.config.ServerConfig;
import im.zonda.config.monitoring.Traces;
import im.zonda.host.XmppServer;
import im.zonda.jid.Jid;
import im.zonda.json.JsonText;
import im.zonda.metric.Counter;
import im.zonda.metric.Label;
import im.zonda.metric.Meter;
import im.zonda.metric.Reading;
import im.zonda.metric.Sample;
import im.zonda.runtime.ServerRuntime;
import im.zonda.timer.PeriodicTask;
import im.zonda.trace.TraceStore.Step;
import im.zonda.trace.TraceStore.Traced;
import im.zonda.trace.recording.DeliveryTraces;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends the steps of traced messages to a collector. A message is a trace, each step a span, which
/// begins where the step before has ended at that node. One request at a time; what the collector
/// does not take waits, up to a bound, and is sent again, slower each time.
public final class OtlpExport implements DeliveryTraces.Observer {
  /// What has become of spans.
  public static final Meter SPANS =
      Meter.counter(
          "zonda_otlp_spans_total",
          "Spans that a collector has taken, and those that it did not get",
          Label.of("outcome", "sent", "dropped"));

  /// What waits.
  public static final Meter WAITING =
      Meter.gauge("zonda_otlp_waiting_spans", "Spans that wait to be sent to a collector");

  /// The definitions.
  public static final List<Meter> METERS = List.of(SPANS, WAITING);

  /// The most spans that wait to be sent.
  static final int MOST_WAITING = 16_384;

  /// The most spans of a request.
  static final int BATCH = 512;

  /// How often a request is sent.
  static final int MOST_ATTEMPTS = 12;

  /// The longest time until a request is sent again, whatever the collector says.
  static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  private static final Duration LAST = Duration.ofSeconds(1);
  private static final Logger LOG = LoggerFactory.getLogger(OtlpExport.class);

  private final Identity identity;
  private final Traces.Otlp settings;
  private final Duration patience;
  private final ServerRuntime runtime;
  private final Collector collector;
  private final Counter sent = new Counter();
  private final Counter dropped = new Counter();
  private final GatheredWays ways = new GatheredWays(dropped::add);
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final ArrayDeque<Span> queue = new ArrayDeque<>();
  private @Nullable String resource;
  private Instant notBefore = Instant.MIN;
  private int attempts;
  private boolean failing;

  private volatile int queued;
  private volatile @Nullable PeriodicTask task;

  /// Who sends.
  ///
  /// @param instance the name of the node, or of the server
  /// @param version the version of the program
  record Identity(String instance, String version) {}

  /// @param patience the longest time to an answer
  OtlpExport(Identity identity, Traces.Otlp settings, Duration patience, ServerRuntime runtime) {
    this.identity = identity;
    this.patience = patience;
    this.settings = settings;
    this.runtime = runtime;
    this.collector = new Collector(settings, runtime);
  }

  /// Exports the traces of a server if its configuration names a collector.
  ///
  /// @return ends that
  public static AutoCloseable start(ServerConfig config, XmppServer server, ServerRuntime runtime) {
    Traces.Otlp settings = config.traces().otlp();
    if (settings.url() == null) {
      return () -> {};
    }
    String node = config.cluster().node();
    Identity identity =
        new Identity(node == null ? config.hosts().getFirst() : node, Version.current());
    OtlpExport export = new OtlpExport(identity, settings, Collector.PATIENCE, runtime);
    export.task =
        PeriodicTask.start(
            runtime.scheduler(),
            settings.interval(),
            settings.interval(),
            runtime.workers(),
            export::run);
    server.traces().observeBy(export);
    server.catalogue().meters().add(export.readings());
    return () -> {
      server.traces().observeBy(null);
      export.end();
    };
  }

  /// What it counts.
  List<Reading> readings() {
    return List.of(
        SPANS.byEach(
            () -> List.of(Sample.of(sent.count(), "sent"), Sample.of(dropped.count(), "dropped"))),
        WAITING.by(this::waiting));
  }

  /// How many spans wait.
  long waiting() {
    return (long) queued + ways.waiting();
  }

  /// How many spans the collector did not get.
  long dropped() {
    return dropped.count();
  }

  @Override
  public void began(Traced message) {
    ways.begin(message, runtime.clock().instant());
  }

  @Override
  public void noted(Step step) {
    ways.add(step, runtime.clock().instant());
  }

  @Override
  public void forgotten(Jid address) {
    ways.forget(address);
  }

  /// Sends what is due. Blocks.
  void run() {
    lock.lock();
    try {
      gather(runtime.clock().instant().minus(settings.interval()));
      while (!queue.isEmpty() && !runtime.clock().instant().isBefore(notBefore)) {
        sendBatch(patience);
      }
    } finally {
      lock.unlock();
    }
  }

  private void gather(Instant quietSince) {
    long before = dropped.count();
    for (Span each : ways.takeQuiet(quietSince)) {
      if (queue.size() < MOST_WAITING) {
        queue.add(each);
      } else {
        dropped.increment();
      }
    }
    queued = queue.size();
    if (dropped.count() > before) {
      dropped(dropped.count() - before, "too much waits");
    }
  }

  private static void dropped(long spans, String reason) {
    LOG.atWarn()
        .addKeyValue("spans", spans)
        .addKeyValue("reason", reason)
        .log("otlp_spans_dropped");
  }

  private void sendBatch(Duration longest) {
    List<Span> batch = queue.stream().limit(BATCH).toList();
    Collector.Answer answer;
    try {
      answer = collector.send(body(batch), longest);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      answer = new Collector.Answer.Later("interrupted", null);
    }
    switch (answer) {
      case Collector.Answer.Taken(long rejected, String reason) -> {
        long lost = Math.min(rejected, batch.size());
        remove(batch);
        sent.add(batch.size() - lost);
        if (lost > 0) {
          dropped.add(lost);
          dropped(lost, reason);
        }
        works();
      }
      case Collector.Answer.Refused(String reason) -> {
        remove(batch);
        dropped.add(batch.size());
        dropped(batch.size(), reason);
      }
      case Collector.Answer.Later(String reason, Duration after) -> later(batch, reason, after);
    }
  }

  private void remove(List<Span> batch) {
    for (int i = 0; i < batch.size(); i++) {
      queue.remove();
    }
    queued = queue.size();
    attempts = 0;
    notBefore = Instant.MIN;
  }

  private void works() {
    if (failing) {
      failing = false;
      LOG.atInfo().addKeyValue("waiting", waiting()).log("otlp_working");
    }
  }

  private void later(List<Span> batch, String reason, @Nullable Duration after) {
    if (!failing) {
      failing = true;
      LOG.atWarn()
          .addKeyValue("reason", reason)
          .addKeyValue("waiting", waiting())
          .log("otlp_failing");
    }
    attempts++;
    if (attempts >= MOST_ATTEMPTS) {
      remove(batch);
      dropped.add(batch.size());
      dropped(batch.size(), reason);
    }
    Duration pause = after == null ? pause() : after;
    Duration bounded = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
    notBefore = runtime.clock().instant().plus(bounded);
  }

  /// Twice as long each time, more or less by chance, so that nodes do not come back at once.
  private Duration pause() {
    long millis = Math.max(1_000, settings.interval().toMillis()) << Math.min(attempts, 10);
    return Duration.ofMillis((long) (millis * (0.5 + runtime.random().nextDouble() / 2)));
  }

  private String body(List<Span> batch) {
    String about = resource;
    if (about == null) {
      about = JsonText.of(Map.of("attributes", Span.attributes(about())));
      resource = about;
    }
    String scope = JsonText.of(Map.of("name", "im.zonda.trace", "version", identity.version()));
    String spans = JsonText.of(batch.stream().map(Span::json).toList());
    return """
    {"resourceSpans":[{"resource":%s,"scopeSpans":[{"scope":%s,"spans":%s}]}]}\
    """
        .formatted(about, scope, spans);
  }

  private Map<String, Object> about() {
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("service.name", "zonda");
    about.put("service.instance.id", identity.instance());
    about.put("service.version", identity.version());
    try {
      about.put("host.name", InetAddress.getLocalHost().getHostName());
    } catch (UnknownHostException e) {
      LOG.atDebug().setCause(e).log("host_name_unknown");
    }
    return about;
  }

  /// Tries once more, for a second at most, and ends.
  public void end() throws InterruptedException {
    PeriodicTask running = task;
    if (running != null) {
      running.cancel();
    }
    try {
      if (lock.tryLock(LAST.toMillis(), TimeUnit.MILLISECONDS)) {
        try {
          gather(Instant.MAX);
          if (!queue.isEmpty() && !failing) {
            sendBatch(LAST);
          }
        } finally {
          lock.unlock();
        }
      }
    } finally {
      collector.close();
    }
    if (waiting() > 0) {
      dropped(waiting(), "the server stops");
    }
  }
}
