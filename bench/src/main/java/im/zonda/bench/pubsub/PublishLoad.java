package im.zonda.bench.pubsub;

import static java.util.Map.entry;

import im.zonda.bench.client.ConcurrentSteps;
import im.zonda.bench.client.LoadClient;
import im.zonda.bench.client.StampScanner;
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
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Publications to one node with many subscribers. Measures when the publisher has the answer, when
/// another request to the node is answered, when the last subscriber has the notification, and what
/// a notification costs.
///
/// The accounts `a0` and `b0` must exist, and of the subscribers `s0`, `s1`… those that are to be
/// online. The last subscriber, `b0`, always is.
public final class PublishLoad {
  private static final String USAGE =
      """
      and:     --service pubsub.example.org --subscribers 10000 --online 0 --publications 50
      """;

  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";
  private static final int BATCH = 500;

  /// What subscribers recognise an item by.
  private static final String MARK = "~" + "0".repeat(StampScanner.DIGITS);

  private static final int PATIENCE_SECONDS = 60;

  /// Subscribers that log in at a time.
  private static final int CONCURRENCY = 50;

  private final LoadOptions load;
  private final String service;
  private final Map<String, byte[]> passwords = new ConcurrentHashMap<>();
  private final Queue<LoadClient> online = new ConcurrentLinkedQueue<>();
  private final Semaphore received = new Semaphore(0);
  private final LoadClient owner;
  private final LoadClient reader;
  private final BlockingQueue<String> answers = new ArrayBlockingQueue<>(100);
  private final BlockingQueue<String> notifications = new ArrayBlockingQueue<>(100);

  private PublishLoad(LoadOptions load, String service) throws IOException {
    this.load = load;
    this.service = service;
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
                  entry("online", "0"),
                  entry("publications", "50")));
      LoadOptions load = LoadOptions.parse(own.others());
      String service = own.text("service");
      new PublishLoad(load, service.isEmpty() ? "pubsub." + load.domain() : service)
          .run(
              own.number("subscribers"),
              Math.min(own.number("online"), own.number("subscribers") - 1),
              own.number("publications"),
              System.out);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + USAGE);
      System.exit(2);
    }
  }

  private void run(int subscribers, int present, int publications, PrintStream out)
      throws IOException, InterruptedException {
    StepCost cost = new StepCost(load.pid(), out);
    request("set", "", "<create node='load'/>");
    cost.step("subscribe", subscribers, () -> subscribe(subscribers));
    if (present > 0) {
      out.println("online: " + new ConcurrentSteps(present, CONCURRENCY).all(this::comeOnline));
    }
    publish(subscribers, publications, cost, out);
    request("set", "#owner", "<delete node='load'/>");
    online.forEach(LoadClient::close);
    owner.close();
    reader.close();
  }

  private void publish(int subscribers, int publications, StepCost cost, PrintStream out)
      throws IOException {
    LatencyHistogram published = new LatencyHistogram(Long.MIN_VALUE, Long.MAX_VALUE);
    LatencyHistogram answered = new LatencyHistogram(Long.MIN_VALUE, Long.MAX_VALUE);
    LatencyHistogram notified = new LatencyHistogram(Long.MIN_VALUE, Long.MAX_VALUE);
    String item =
        "<publish node='load'><item id='i'><x xmlns='urn:x'>"
            + MARK
            + "x".repeat(load.bytes())
            + "</x></item></publish>";
    long before = cost.micros();
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
            awaitReceived();
          }
        });
    if (before >= 0) {
      out.printf(
          Locale.ROOT,
          "server CPU %.2f us a notification%n",
          (double) (cost.micros() - before) / publications / subscribers);
    }
    print(out, "answer to the publisher", published);
    print(out, "answer to the next request", answered);
    print(out, "notification of the last subscriber", notified);
  }

  private void comeOnline(int number) throws IOException {
    LoadClient client = LoadClient.connect(load);
    try {
      client.authenticate("s" + number, passwords).bind("load");
      client.listen(new StampScanner(stamp -> received.release()));
      client.send("<presence/>");
    } catch (IOException e) {
      client.cut();
      throw e;
    }
    online.add(client);
  }

  private void awaitReceived() throws IOException {
    try {
      if (!received.tryAcquire(online.size(), PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(
            received.availablePermits() + " of " + online.size() + " notifications have come");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
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
