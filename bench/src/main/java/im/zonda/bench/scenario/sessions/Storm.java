package im.zonda.bench.scenario.sessions;

import im.zonda.bench.load.Counters;
import im.zonda.bench.load.Load;
import im.zonda.bench.load.LoginRamp;
import im.zonda.bench.load.Waiting;
import im.zonda.bench.xmpp.Failures;
import im.zonda.bench.xmpp.Login;
import im.zonda.bench.xmpp.Markup;
import im.zonda.bench.xmpp.XmppClient;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Users of this process whose connections are cut at once, and who resume their sessions
/// (XEP-0198) all at once.
final class Storm {
  /// The counter of connections that were cut.
  static final String CUT = "cut";

  /// The counter of sessions that were resumed.
  static final String RESUMED = "resumed";

  /// The counter of attempts that failed and are repeated.
  static final String AGAIN = "resume-again";

  /// The time from when all begin to resume to a resumed session.
  static final String RESUME = "resume";

  private static final int ATTEMPTS = 30;
  private static final double MOST_SECONDS = 120;
  private static final int SENDING_RATE = 2_000;
  private static final int BODY = 100;

  private final Load load;
  private final Map<Integer, XmppClient> clients = new TreeMap<>();
  private final Map<Integer, String> addresses = new TreeMap<>();
  private final Map<Integer, XmppClient> back = new ConcurrentHashMap<>();
  private volatile boolean failed;

  /// @param clients with stream management, online
  Storm(Load load, Map<Integer, XmppClient> clients) {
    this.load = load;
    this.clients.putAll(clients);
    clients.forEach((number, client) -> addresses.put(number, client.address()));
  }

  /// Cuts all connections.
  void cut() {
    clients.values().forEach(XmppClient::cut);
    load.counters().add(CUT, clients.size());
  }

  /// Sends messages to each of the detached sessions, 2,000 a second.
  void fill(XmppClient sender, int messages) throws InterruptedException {
    String text = "'><body>" + "x".repeat(BODY) + "</body></message>";
    long begin = System.nanoTime();
    long sent = 0;
    for (int i = 0; i < messages; i++) {
      for (String address : addresses.values()) {
        Waiting.until(begin + sent++ * TimeUnit.SECONDS.toNanos(1) / SENDING_RATE);
        sender.send("<message type='chat' to='" + address + text);
        load.counters().add(Counters.SENT, 1);
      }
      load.progress(i + 1L, messages, "messages for each detached session");
    }
  }

  /// Resumes all sessions.
  ///
  /// @return the clients that are back
  Collection<XmppClient> resume() throws InterruptedException {
    long begin = System.nanoTime();
    clients.forEach((number, client) -> resume(number, client.resumption(), begin, ATTEMPTS));
    boolean all = Waiting.until(() -> failed || back.size() == clients.size(), MOST_SECONDS);
    if (!all || failed) {
      load.counters()
          .problem(clients.size() - back.size() + " sessions were not resumed after the cut.");
    }
    return new ArrayList<>(back.values());
  }

  private void resume(int number, Login.@Nullable Resumption session, long begin, int attempts) {
    if (session == null) {
      failed = true;
      load.counters().problem("The server does not let sessions be resumed.");
      return;
    }
    var _ =
        XmppClient.login(
                load.loops(),
                load.endpoint(number),
                number,
                LoginRamp.user(load, number).resuming(session),
                this::arrived)
            .whenComplete((online, failure) -> {
              if (failure == null) {
                load.latencies().record(RESUME, begin, System.nanoTime());
                load.counters().add(RESUMED, 1);
                back.put(number, online);
              } else if (attempts > 1) {
                load.counters().add(AGAIN, 1);
                Executor later = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);
                later.execute(() -> resume(number, session, begin, attempts - 1));
              } else {
                failed = true;
                load.counters().problem("A session was not resumed: " + Failures.describe(failure));
              }
            });
  }

  private void arrived(byte[] bytes, int from, int to, long nanos) {
    if (Markup.startsWith(bytes, from, to, "<message")) {
      load.counters().add(Counters.RECEIVED, 1);
    }
  }
}
