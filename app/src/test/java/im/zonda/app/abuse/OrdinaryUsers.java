package im.zonda.app.abuse;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ManagedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/// Ten people who chat in pairs, half of them with Stream Management, and remember what they have
/// sent.
final class OrdinaryUsers implements AutoCloseable {
  private static final int USERS = 10;
  private static final long PERIOD_MILLIS = 50;
  private static final long LOOK_MILLIS = 100;

  /// How often each of them speaks once an abuse has ended.
  private static final int ROUNDS_AFTER = 10;

  private static final ManagedClient.Habits UNMANAGED =
      new ManagedClient.Habits(false, false, 0, "<presence/>");

  private final List<ManagedClient> clients = new ArrayList<>();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Set<String> missing = new HashSet<>();
  private final List<String> violations = new ArrayList<>();
  private final Histogram latency = new ConcurrentHistogram(TimeUnit.MINUTES.toMicros(5), 3);
  private final Future<?> speaking;
  private int round;

  /// Logs them in and lets them chat.
  OrdinaryUsers(SmallServer server) throws IOException {
    for (int i = 0; i < USERS; i++) {
      boolean managed = i / 2 % 2 == 0;
      ManagedClient client =
          new ManagedClient(
              Login.of(address(i) + "/home", SmallServer.PASSWORD)
                  .withSecurity(Login.Security.NONE)
                  .withMechanism("SCRAM-SHA-1"),
              managed ? ManagedClient.Habits.USUAL : UNMANAGED,
              new Ears());
      clients.add(client);
      client.connect(SocketWire.connect(server.address()));
    }
    speaking = timer.scheduleAtFixedRate(this::speak, 200, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /// Their bare addresses.
  static List<String> addresses() {
    return IntStream.range(0, USERS).mapToObj(OrdinaryUsers::address).toList();
  }

  private static String address(int number) {
    return "ordinary" + number + "@" + SmallServer.DOMAIN;
  }

  private void speak() {
    int now = nextRound();
    for (int i = 0; i < USERS; i++) {
      String id = "o" + i + "-" + now;
      synchronized (this) {
        missing.add(id);
      }
      String xml =
          "<message type='chat' id='%s' to='%s/home'><body>%d</body></message>"
              .formatted(id, address(i ^ 1), System.nanoTime());
      clients.get(i).send(List.of(new ManagedClient.Outgoing(id, xml)));
    }
  }

  private synchronized int nextRound() {
    notifyAll();
    return ++round;
  }

  private synchronized void arrived(String id) {
    missing.remove(id);
    notifyAll();
  }

  /// Forgets the times of messages that have arrived so far.
  void startMeasuring() {
    latency.reset();
  }

  /// The times from sending to receiving since [#startMeasuring].
  String latencies() {
    return String.format(
        "%d messages, p50 %.1f ms, p99 %.1f ms, longest %.1f ms",
        latency.getTotalCount(),
        latency.getValueAtPercentile(50) / 1e3,
        latency.getValueAtPercentile(99) / 1e3,
        latency.getMaxValue() / 1e3);
  }

  /// Waits until they have spoken some more and all that was sent up to then has arrived, but not
  /// longer than that and not longer than the server lives; how many messages have not.
  synchronized int awaitArrival(Duration patience, SmallServer server) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    int last = round + ROUNDS_AFTER;
    while (round <= last && !speaking.isDone() && System.nanoTime() < end && server.isAlive()) {
      TimeUnit.MILLISECONDS.timedWait(this, LOOK_MILLIS);
    }
    Set<String> awaited = new HashSet<>(missing);
    while (!awaited.isEmpty() && System.nanoTime() < end && server.isAlive()) {
      TimeUnit.MILLISECONDS.timedWait(this, LOOK_MILLIS);
      awaited.retainAll(missing);
    }
    return awaited.size();
  }

  /// What should not have happened to them: lost connections and broken rules.
  synchronized List<String> complaints() {
    List<String> all = new ArrayList<>(violations);
    if (speaking.isDone()) {
      all.add("they no longer speak: " + speaking);
    }
    for (int i = 0; i < USERS; i++) {
      if (!clients.get(i).connected()) {
        all.add(address(i) + " has lost its connection");
      }
    }
    return all;
  }

  @Override
  public void close() {
    timer.shutdownNow();
    clients.forEach(ManagedClient::close);
  }

  private final class Ears implements ManagedClient.Listener {
    @Override
    public void bound() {}

    @Override
    public void received(XmlElement stanza) {
      if (!stanza.localName().equals("message")) {
        return;
      }
      if ("error".equals(stanza.attribute("type"))) {
        violated("an error for a message: " + stanza);
        return;
      }
      long micros =
          TimeUnit.NANOSECONDS.toMicros(
              System.nanoTime() - Long.parseLong(stanza.childText("body")));
      latency.recordValue(Math.max(0, micros));
      arrived(String.valueOf(stanza.attribute("id")));
    }

    @Override
    public void acknowledged(String id) {}

    @Override
    public void sentAgain(String id) {
      violated("a session was not resumed: " + id);
    }

    @Override
    public void violated(String how) {
      synchronized (OrdinaryUsers.this) {
        violations.add(how);
      }
    }
  }
}
