package im.zonda.bench.scenario.login;

import im.zonda.bench.load.Counters;
import im.zonda.bench.load.Latencies;
import im.zonda.bench.load.Load;
import im.zonda.bench.load.LoginRamp;
import im.zonda.bench.scenario.pair.Schedule;
import im.zonda.bench.xmpp.ClientLoop;
import im.zonda.bench.xmpp.ElementListener;
import im.zonda.bench.xmpp.Failures;
import im.zonda.bench.xmpp.Login;
import im.zonda.bench.xmpp.XmppClient;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// The users of this process who log in and leave.
final class Visitors {
  /// A server that lets nobody in must not use up the sockets.
  private static final int MOST_INSIDE = 5_000;

  private final Load load;
  private final int accounts;
  private final boolean random;
  private final Map<ClientLoop, List<Integer>> byLoop = new LinkedHashMap<>();
  private final Map<Integer, String> tokens = new ConcurrentHashMap<>();
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicLong resources = new AtomicLong();
  private volatile long cold = Long.MIN_VALUE;
  private volatile boolean refilling;
  private CompletableFuture<Void> schedule = CompletableFuture.completedFuture(null);

  Visitors(Load load) {
    this.load = load;
    accounts = load.options().whole("accounts");
    random = load.options().text("arrivals").equals("random");
    for (int client = 0; client < accounts; client++) {
      if (load.isMine(client)) {
        byLoop.computeIfAbsent(load.loops().of(client), _ -> new ArrayList<>()).add(client);
      }
    }
  }

  /// The tag and the counter of logins at a rate.
  static String tag(String rate) {
    return "login-" + rate;
  }

  /// Logins that were due before are cold.
  void coldUntil(long nanos) {
    cold = nanos;
  }

  /// How many are connected or connecting.
  int inside() {
    return inside.get();
  }

  /// Begins to log in.
  ///
  /// @param rate logins a second of all processes, or [LoginScenario#MAX]
  /// @param begin by [System#nanoTime]
  /// @param end nobody comes then or later
  void come(String rate, long begin, long end) {
    String tag = tag(rate);
    if (!rate.equals(LoginScenario.MAX)) {
      schedule =
          new Schedule(accounts, Double.parseDouble(rate), random, load.options().whole("seed"))
              .run(
                  byLoop,
                  begin,
                  end,
                  (client, due) -> {
                    var _ = visit(client, due, tag);
                  });
      return;
    }
    refilling = true;
    int mine = byLoop.values().stream().mapToInt(List::size).sum();
    byLoop.forEach((loop, clients) -> {
      int share = load.options().whole("at-a-time") * clients.size() / accounts;
      int first = Math.min(clients.size(), Math.max(1, mine == 0 ? 0 : share));
      for (int i = 0; i < first; i++) {
        chain(loop, clients, i, first, tag);
      }
    });
  }

  /// Ends that nobody comes; those who are inside leave by themselves.
  void stop() {
    refilling = false;
    boolean _ = schedule.cancel(false);
  }

  /// Logs in every n-th client of a loop, one after the other.
  private void chain(ClientLoop loop, List<Integer> clients, int at, int step, String tag) {
    loop.execute(() -> {
      if (refilling) {
        var _ =
            visit(clients.get(at), System.nanoTime(), tag)
                .whenComplete(
                    (_, _) -> chain(loop, clients, (at + step) % clients.size(), step, tag));
      }
    });
  }

  private CompletableFuture<?> visit(int client, long due, String tag) {
    long now = System.nanoTime();
    load.latencies().record(Latencies.SEND_DELAY, due, now);
    if (inside.get() >= MOST_INSIDE) {
      load.counters().add(LoginScenario.REFUSED, 1);
      load.counters().problem("The server was more than 5,000 logins behind; some were left out.");
      return CompletableFuture.completedFuture(null);
    }
    inside.incrementAndGet();
    Login login = LoginRamp.user(load, client).withResource("v" + resources.incrementAndGet());
    if (!load.options().is("presence")) {
      login = login.withoutPresence();
    }
    String method = load.options().text("method");
    String token = tokens.getOrDefault(client, "");
    boolean byToken = !token.isEmpty();
    if (!method.equals(LoginScenario.STEPS)) {
      boolean wantsToken = method.equals(LoginScenario.TOKEN) && token.isEmpty();
      login = login.inline(new Login.Inline(token, wantsToken));
    }
    if (load.options().is("management")) {
      login = login.managed();
    }
    return XmppClient.login(
            load.loops(), load.endpoint(client), client, login, ElementListener.NONE)
        .whenComplete((online, failure) -> {
          if (failure == null) {
            if (!online.token().isEmpty()) {
              tokens.put(client, online.token());
            }
            if (byToken) {
              load.counters().add(LoginScenario.BY_TOKEN, 1);
            }
            welcome(online, due, tag);
          } else {
            inside.decrementAndGet();
            load.counters().add(Counters.ERRORS, 1);
            load.counters().problem("A login failed: " + Failures.describe(failure));
          }
        });
  }

  private void welcome(XmppClient online, long due, String tag) {
    long now = System.nanoTime();
    load.latencies().record(tag, due, now);
    if (due < cold) {
      load.latencies().recordAlways(LoginScenario.COLD, due, now);
    }
    load.counters().add(tag, 1);
    var _ = online.ended().whenComplete((_, _) -> inside.decrementAndGet());
    online.close();
  }
}
