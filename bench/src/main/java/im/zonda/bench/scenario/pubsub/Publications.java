package im.zonda.bench.scenario.pubsub;

import im.zonda.bench.load.Counters;
import im.zonda.bench.load.Latencies;
import im.zonda.bench.load.Load;
import im.zonda.bench.load.LoginRamp;
import im.zonda.bench.xmpp.Failures;
import im.zonda.bench.xmpp.Markup;
import im.zonda.bench.xmpp.Stamp;
import im.zonda.bench.xmpp.XmppClient;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// The publisher, if this is its process, and the subscribers of this process.
final class Publications implements AutoCloseable {
  /// From when a publication was due to the answer to it.
  static final String ANSWER = "publish";

  /// From when a publication was due to its arrival at a subscriber.
  static final String NOTIFICATION = "notification";

  /// From when a publication was due to its arrival at the last subscriber of this process.
  static final String LAST = "last-receiver";

  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";
  private static final double NANOS = 1e9;

  private final Load load;
  private final String node;
  private final int subscribers;
  private final Map<Integer, XmppClient> clients;
  private final Map<Integer, AtomicInteger> arrived = new ConcurrentHashMap<>();
  private final AtomicInteger sequence = new AtomicInteger();
  private volatile boolean ended;
  private @Nullable CompletableFuture<Void> schedule;

  /// Logs all in.
  Publications(Load load) throws IOException, InterruptedException {
    this.load = load;
    subscribers = load.options().whole("subscribers");
    node = "bench" + load.options().text("seed");
    clients =
        LoginRamp.of(load)
            .login(subscribers + 1, number -> LoginRamp.user(load, number), _ -> this::stanza);
  }

  private String service() {
    return "pubsub." + load.endpoint(0).domain();
  }

  private static String element(String namespace, String content) {
    return "<pubsub xmlns='" + PUBSUB + namespace + "'>" + content + "</pubsub>";
  }

  private String ask(XmppClient client, String namespace, String content) throws IOException {
    try {
      String answer = client.iq("set", service(), element(namespace, content)).join();
      if ("error".equals(Markup.attribute(answer, "type"))) {
        throw new IOException("the server refuses a request to its service: " + answer);
      }
      return answer;
    } catch (CompletionException e) {
      throw new IOException(Failures.describe(e), e);
    }
  }

  /// Makes the node; one that an earlier run has left is removed.
  void createNode() throws IOException {
    XmppClient publisher = clients.get(0);
    if (publisher != null) {
      var _ =
          publisher.iq("set", service(), element("#owner", "<delete node='" + node + "'/>")).join();
      String _ = ask(publisher, "", "<create node='" + node + "'/>");
    }
  }

  void deleteNode() throws IOException {
    XmppClient publisher = clients.get(0);
    if (publisher != null) {
      String _ = ask(publisher, "#owner", "<delete node='" + node + "'/>");
    }
  }

  /// Subscribes all but the publisher.
  void subscribe() throws IOException {
    int done = 0;
    for (Map.Entry<Integer, XmppClient> each : clients.entrySet()) {
      load.progress(++done, clients.size(), "subscriptions");
      if (each.getKey() != 0) {
        String jid = each.getValue().address();
        String _ = ask(each.getValue(), "", "<subscribe node='" + node + "' jid='" + jid + "'/>");
      }
    }
  }

  /// Publishes at the rate from a time on.
  void publish(long begin) {
    XmppClient publisher = clients.get(0);
    if (publisher == null) {
      return;
    }
    double rate = load.options().number("rate");
    schedule =
        publisher
            .loop()
            .pace(
                LongStream.iterate(0, i -> i + 1)
                    .map(i -> begin + (long) (i * NANOS / rate))
                    .takeWhile(_ -> !ended)
                    .iterator(),
                due -> publish(publisher, due));
  }

  private void publish(XmppClient publisher, long due) {
    if (ended) {
      return;
    }
    long now = System.nanoTime();
    String mark = new Stamp(due, now, 0, sequence.getAndIncrement()).toString();
    load.latencies().record(Latencies.SEND_DELAY, due, now);
    load.counters().add(Counters.SENT, 1);
    String item =
        "<publish node='"
            + node
            + "'><item id='i'><x xmlns='urn:zonda:bench'>"
            + mark
            + "x".repeat(load.options().whole("body"))
            + "</x></item></publish>";
    var _ =
        publisher
            .iq("set", service(), element("", item))
            .whenComplete((answer, failure) -> {
              if (failure == null && "result".equals(Markup.attribute(answer, "type"))) {
                load.latencies().record(ANSWER, due, System.nanoTime());
              } else {
                load.counters().add(Counters.ERRORS, 1);
                load.counters().problem(failure == null ? answer : Failures.describe(failure));
              }
            });
  }

  private void stanza(byte[] bytes, int from, int to, long nanos) {
    if (!Markup.startsWith(bytes, from, to, "<message")) {
      return;
    }
    int stamp = Stamp.find(bytes, from, to);
    if (stamp < 0) {
      return; // about the subscription
    }
    long due = Stamp.due(bytes, stamp);
    load.counters().add(Counters.RECEIVED, 1);
    load.latencies().record(NOTIFICATION, due, nanos);
    int number = Stamp.sequence(bytes, stamp);
    int count = arrived.computeIfAbsent(number, _ -> new AtomicInteger()).incrementAndGet();
    if (count == own()) {
      arrived.remove(number);
      load.latencies().record(LAST, due, nanos);
    }
  }

  /// The subscribers of this process.
  private int own() {
    return clients.containsKey(0) ? clients.size() - 1 : clients.size();
  }

  /// Publishes no more.
  void end() {
    ended = true;
  }

  /// Whether each publication that has arrived at one subscriber has arrived at all.
  boolean isComplete() {
    return arrived.isEmpty();
  }

  @Override
  public void close() {
    ended = true;
    if (schedule != null) {
      schedule.cancel(false);
    }
    clients.values().forEach(XmppClient::close);
  }
}
