package im.zonda.app.load.chat;

import im.zonda.app.load.client.LoadClient;
import im.zonda.app.load.client.StampScanner;
import im.zonda.app.load.component.EchoComponent;
import im.zonda.app.load.measure.ProcessCpu;
import im.zonda.app.load.options.ComponentOptions;
import im.zonda.app.load.options.LoadOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// Pairs of clients that chat at a fixed rate (open loop), or clients and a component that sends
/// their messages back. Latency is measured from the time at which a message was due, not from the
/// time at which it was sent.
public final class ChatLoad {
  private static final long MAX_MICROS = TimeUnit.MINUTES.toMicros(2);
  private static final String RESOURCE = "load";
  private static final Duration AFTERWARDS = Duration.ofSeconds(5);

  /// The result.
  ///
  /// @param sent messages sent in the measured time
  /// @param delivered number of them that arrived
  /// @param seconds the measured time
  /// @param latency microseconds from due to arrived
  /// @param serverMicros the server's processor time per message, in microseconds; NaN if unknown
  public record Report(
      long sent, long delivered, double seconds, Histogram latency, double serverMicros) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "sent %d, delivered %d (%.0f/s), latency ms p50 %.2f p90 %.2f p99 %.2f p99.9 %.2f max"
              + " %.2f, server CPU %.1f us/message",
          sent,
          delivered,
          delivered / seconds,
          latency.getValueAtPercentile(50) / 1e3,
          latency.getValueAtPercentile(90) / 1e3,
          latency.getValueAtPercentile(99) / 1e3,
          latency.getValueAtPercentile(99.9) / 1e3,
          latency.getMaxValue() / 1e3,
          serverMicros);
    }
  }

  private record Pair(LoadClient sender, String stanzaStart) {}

  private final LoadOptions options;
  private final Map<String, byte[]> passwords = new HashMap<>();
  private final List<LoadClient> clients = new ArrayList<>();
  private final List<Pair> pairs = new ArrayList<>();
  private final Histogram latency = new ConcurrentHistogram(MAX_MICROS, 3);
  private @Nullable EchoComponent component;
  private volatile long countFrom = Long.MAX_VALUE;
  private volatile long countUntil = Long.MAX_VALUE;

  private ChatLoad(LoadOptions options) {
    this.options = options;
  }

  /// Runs the load that the options describe and prints the report.
  public static void main(String[] args) throws IOException {
    System.out.println(run(args));
  }

  /// Runs the load that the options describe.
  ///
  /// @throws IOException if the server cannot be reached
  /// @throws IllegalArgumentException if an option is wrong; the message lists the options
  public static Report run(String... args) throws IOException {
    ChatLoad load = new ChatLoad(LoadOptions.parse(args));
    try {
      load.connect();
      return load.chat();
    } finally {
      load.clients.forEach(LoadClient::close);
      EchoComponent connected = load.component;
      if (connected != null) {
        connected.close();
      }
    }
  }

  private void connect() throws IOException {
    ComponentOptions echo = options.component();
    component = echo == null ? null : EchoComponent.connect(echo);
    for (int i = 0; i < options.pairs(); i++) {
      LoadClient sender = login("a" + i, options);
      if (echo == null) {
        login("b" + i, options.ofReceivers());
      }
      String domain = echo == null ? options.ofReceivers().domain() : echo.domain();
      String receiver = "b" + i + "@" + domain + "/" + RESOURCE;
      pairs.add(new Pair(sender, "<message type='chat' to='" + receiver + "'><body>~"));
    }
  }

  private LoadClient login(String user, LoadOptions server) throws IOException {
    LoadClient client = LoadClient.connect(server);
    clients.add(client);
    client.authenticate(user, passwords).bind(RESOURCE);
    client.listen(new StampScanner(this::arrived));
    client.send("<presence/>");
    return client;
  }

  private void arrived(long due) {
    if (due >= countFrom && due < countUntil) {
      long micros = (System.nanoTime() - due) / 1_000;
      latency.recordValue(Math.clamp(micros, 0, MAX_MICROS));
    }
  }

  private Report chat() throws IOException {
    ProcessCpu cpu = options.cpu();
    long interval = TimeUnit.SECONDS.toNanos(1) / options.rate();
    long start = System.nanoTime();
    long from = start + TimeUnit.SECONDS.toNanos(options.warmup());
    long until = from + TimeUnit.SECONDS.toNanos(options.seconds());
    countFrom = from;
    countUntil = until;
    String rest =
        "x".repeat(Math.max(0, options.bytes() - StampScanner.DIGITS - 1)) + "</body></message>";
    long sent = 0;
    long cpuBefore = -1;
    int next = 0;
    for (long due = start; due < until; due += interval) {
      await(due);
      if (due >= from) {
        cpuBefore = cpuBefore < 0 && cpu != null ? cpu.micros() : cpuBefore;
        sent++;
      }
      Pair pair = pairs.get(next);
      next = (next + 1) % pairs.size();
      pair.sender().send(pair.stanzaStart() + String.format(Locale.ROOT, "%019d", due) + rest);
    }
    awaitAll(sent);
    double serverMicros =
        cpu == null ? Double.NaN : (double) (cpu.micros() - cpuBefore) / Math.max(1, sent);
    return new Report(sent, latency.getTotalCount(), options.seconds(), latency, serverMicros);
  }

  private static void await(long due) {
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private void awaitAll(long sent) {
    long end = System.nanoTime() + AFTERWARDS.toNanos();
    while (latency.getTotalCount() < sent && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }
}
