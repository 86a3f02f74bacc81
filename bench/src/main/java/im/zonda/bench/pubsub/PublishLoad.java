package im.zonda.bench.pubsub;

import static java.util.Map.entry;

import im.zonda.bench.client.LoadClient;
import im.zonda.bench.client.StanzaCutter;
import im.zonda.bench.measure.LatencyHistogram;
import im.zonda.bench.measure.StepCost;
import im.zonda.bench.options.LoadOptions;
import im.zonda.bench.options.OptionPairs;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/// Publications to one node with many subscribers, most of whom are not there. Measures when the
/// publisher has the answer, when another request to the node is answered, and when the last
/// subscriber, who is there, has the notification.
///
/// The accounts `a0` and `b0` must exist; the subscribers `s0`, `s1`… need not.
public final class PublishLoad {
  private static final String USAGE =
      """
      and:     --service pubsub.example.org --subscribers 10000 --publications 50
      """;

  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";
  private static final int BATCH = 500;
  private static final int PATIENCE_SECONDS = 60;

  private final LoadOptions load;
  private final String service;
  private final LoadClient owner;
  private final LoadClient reader;
  private final BlockingQueue<String> answers = new ArrayBlockingQueue<>(100);
  private final BlockingQueue<String> notifications = new ArrayBlockingQueue<>(100);

  private PublishLoad(LoadOptions load, String service) throws IOException {
    this.load = load;
    this.service = service;
    Map<String, byte[]> passwords = new ConcurrentHashMap<>();
    this.owner = LoadClient.connect(load).authenticate("a0", passwords).bind("load");
    this.reader = LoadClient.connect(load).authenticate("b0", passwords).bind("load");
    listen(owner, "<iq", answers);
    listen(reader, "<message", notifications);
  }

  private static void listen(LoadClient client, String start, BlockingQueue<String> taken)
      throws IOException {
    StanzaCutter cutter =
        new StanzaCutter(
            new StanzaCutter.Listener() {
              @Override
              public void element(byte[] bytes, int from, int to) {
                String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
                if (text.startsWith(start) && !taken.offer(text)) {
                  throw new IllegalStateException("more than was asked for: " + text);
                }
              }

              @Override
              public void end() {}
            });
    client.listen((bytes, length) -> cutter.take(bytes, 0, length));
  }

  /// Runs the load and prints the report.
  public static void main(String[] args) throws IOException, InterruptedException {
    try {
      OptionPairs own =
          new OptionPairs(
              List.of(args),
              Map.ofEntries(
                  entry("service", ""),
                  entry("subscribers", "10000"),
                  entry("publications", "50")));
      LoadOptions load = LoadOptions.parse(own.others());
      String service = own.text("service");
      new PublishLoad(load, service.isEmpty() ? "pubsub." + load.domain() : service)
          .run(own.number("subscribers"), own.number("publications"), System.out);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + USAGE);
      System.exit(2);
    }
  }

  private void run(int subscribers, int publications, PrintStream out)
      throws IOException, InterruptedException {
    StepCost cost = new StepCost(load.pid(), out);
    request("set", "", "<create node='load'/>");
    cost.step("subscribe", subscribers, () -> subscribe(subscribers));
    LatencyHistogram published = new LatencyHistogram(Long.MIN_VALUE, Long.MAX_VALUE);
    LatencyHistogram answered = new LatencyHistogram(Long.MIN_VALUE, Long.MAX_VALUE);
    LatencyHistogram notified = new LatencyHistogram(Long.MIN_VALUE, Long.MAX_VALUE);
    String item =
        "<publish node='load'><item id='i'><x xmlns='urn:x'>"
            + "x".repeat(load.bytes())
            + "</x></item></publish>";
    cost.step(
        "publish",
        publications,
        () -> {
          for (int i = 0; i < publications; i++) {
            long start = System.nanoTime();
            request("set", "", item);
            published.record(start);
            long asked = System.nanoTime();
            request("get", "", "<items node='load'/>");
            answered.record(asked);
            take(notifications);
            notified.record(start);
          }
        });
    print(out, "answer to the publisher", published);
    print(out, "answer to the next request", answered);
    print(out, "notification of the last subscriber", notified);
    request("set", "#owner", "<delete node='load'/>");
    owner.close();
    reader.close();
  }

  private static void print(PrintStream out, String what, LatencyHistogram times) {
    out.printf(
        Locale.ROOT, "%s: p50 %.2f ms, p99 %.2f ms%n", what, times.millis(50), times.millis(99));
  }

  private void subscribe(int subscribers) throws IOException {
    for (int first = 0; first < subscribers; first += BATCH) {
      StringBuilder batch = new StringBuilder("<subscriptions node='load'>");
      for (int i = first; i < Math.min(first + BATCH, subscribers); i++) {
        String user =
            i == subscribers - 1 ? "b0@" + load.domain() + "/load" : "s" + i + "@" + load.domain();
        batch.append("<subscription subscription='subscribed' jid='").append(user).append("'/>");
      }
      request("set", "#owner", batch.append("</subscriptions>").toString());
    }
    take(notifications); // of the subscription
  }

  private void request(String type, String namespace, String request) throws IOException {
    owner.send(
        "<iq type='"
            + type
            + "' id='q' to='"
            + service
            + "'><pubsub xmlns='"
            + PUBSUB
            + namespace
            + "'>"
            + request
            + "</pubsub></iq>");
    String answer = take(answers);
    if (answer.contains("<error")) {
      throw new IOException(request.substring(0, Math.min(80, request.length())) + ": " + answer);
    }
  }

  private static String take(BlockingQueue<String> from) throws IOException {
    try {
      String taken = from.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (taken == null) {
        throw new IOException("no answer or notification in " + PATIENCE_SECONDS + " s");
      }
      return taken;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
