package im.zonda.bench.scenario.cluster;

import im.zonda.bench.load.Counters;
import im.zonda.bench.load.Load;
import im.zonda.bench.load.LoginRamp;
import im.zonda.bench.load.Options;
import im.zonda.bench.load.Outcome;
import im.zonda.bench.load.OutcomeFigures;
import im.zonda.bench.load.Waiting;
import im.zonda.bench.result.Result;
import im.zonda.bench.scenario.person.Person;
import im.zonda.bench.xmpp.ClientLoop;
import im.zonda.bench.xmpp.ElementListener;
import im.zonda.bench.xmpp.Failures;
import im.zonda.bench.xmpp.Markup;
import im.zonda.bench.xmpp.Stamp;
import im.zonda.bench.xmpp.StampedMessage;
import im.zonda.bench.xmpp.XmppClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// Logins that are followed by a message at once, which someone at another node sends to the bare
/// address as soon as the login has ended.
final class Races implements AutoCloseable {
  /// From the end of the login, when the message is sent, to its arrival.
  static final String RACE = "race";

  private static final String SENT = "race-sent";
  private static final String LATE = "race-late";
  private static final String LOST = "race-lost";

  /// In 2010 a message was tried for half a second.
  private static final long LATE_NANOS = 500_000_000;

  private static final long LOST_SECONDS = 10;

  /// Those who send have pairs of numbers, so that each process has some at several nodes.
  private static final int MOST_SENDERS = 64;

  private static final int LEAST_SENDERS = 8;
  private static final double NANOS = 1e9;
  private static final int BODY_BYTES = 100;
  private static final double DRAIN_SECONDS = 15;

  private final Load load;
  private final int first;
  private final int pool;
  private Map<Integer, XmppClient> senders = Map.of();
  private final Set<Integer> running = ConcurrentHashMap.newKeySet();
  private final List<CompletableFuture<Void>> schedules = new ArrayList<>();
  private volatile boolean ended;

  /// @param first the number of the first account
  Races(Load load, int first) {
    this.load = load;
    this.first = first;
    pool = pool(load.options());
  }

  private static int pool(Options options) {
    return (int) Math.ceil(options.number("race") * (LOST_SECONDS + 2));
  }

  private static int senders(Options options) {
    return Math.clamp(2 * (long) options.number("race"), LEAST_SENDERS, MOST_SENDERS);
  }

  /// How many accounts are needed.
  static int accounts(Options options) {
    return options.number("race") > 0 ? senders(options) + pool(options) : 0;
  }

  /// Logs in those who send.
  void login() throws IOException, InterruptedException {
    if (pool > 0) {
      senders =
          LoginRamp.of(load)
              .login(
                  first,
                  first + senders(load.options()),
                  number -> LoginRamp.user(load, number),
                  _ -> ElementListener.NONE);
    }
  }

  /// Begins at a time.
  void begin(long begin) {
    double rate = load.options().number("race");
    for (ClientLoop loop : rate > 0 ? load.loops().all() : List.<ClientLoop>of()) {
      schedules.add(
          loop.pace(
              LongStream.iterate(0, i -> i + 1)
                  .map(i -> begin + (long) (i * NANOS / rate))
                  .takeWhile(_ -> !ended)
                  .iterator(),
              due -> race(loop, Math.round((due - begin) * rate / NANOS))));
    }
  }

  private void race(ClientLoop loop, long number) {
    int racer = first + senders(load.options()) + (int) (number % pool);
    if (ended || !load.isMine(racer) || load.loops().of(racer) != loop || !running.add(racer)) {
      return;
    }
    CompletableFuture<Long> arrival = new CompletableFuture<>();
    var _ =
        XmppClient.login(
                load.loops(),
                load.endpoint(racer),
                racer,
                LoginRamp.user(load, racer),
                (bytes, from, to, nanos) -> arrived(arrival, bytes, from, to, nanos))
            .whenComplete((client, failure) -> {
              if (failure == null) {
                message(racer, client, arrival);
              } else {
                running.remove(racer);
                load.counters().add(Counters.ERRORS, 1);
                load.counters().problem("a login: " + Failures.describe(failure));
              }
            });
  }

  private static void arrived(
      CompletableFuture<Long> arrival, byte[] bytes, int from, int to, long nanos) {
    if (Markup.startsWith(bytes, from, to, "<message") && Stamp.find(bytes, from, to) >= 0) {
      arrival.complete(nanos);
    }
  }

  private void message(int racer, XmppClient client, CompletableFuture<Long> arrival) {
    long due = System.nanoTime();
    XmppClient sender = sender(racer);
    if (sender == null) {
      throw new IllegalStateException("nobody of this process is at another node");
    }
    sender.send(
        StampedMessage.to(Person.address(load, racer), "chat", BODY_BYTES)
            .with(new Stamp(due, due, racer, 0)));
    load.counters().add(SENT, 1);
    var _ =
        arrival
            .orTimeout(LOST_SECONDS, TimeUnit.SECONDS)
            .whenComplete((nanos, failure) -> {
              if (failure != null) {
                load.counters().add(LOST, 1);
              } else {
                load.latencies().record(RACE, due, nanos);
                if (nanos - due > LATE_NANOS) {
                  load.counters().add(LATE, 1);
                }
              }
              client.close();
              running.remove(racer);
            });
  }

  private @Nullable XmppClient sender(int racer) {
    return senders.entrySet().stream()
        .filter(
            each -> !load.endpoint(each.getKey()).address().equals(load.endpoint(racer).address()))
        .skip(racer % Math.max(1, senders.size() / 2))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(senders.values().stream().findFirst().orElse(null));
  }

  /// Begins no more.
  void end() {
    ended = true;
  }

  /// Waits for those under way.
  void drain() throws InterruptedException {
    boolean _ = Waiting.until(running::isEmpty, DRAIN_SECONDS);
  }

  static List<Result.Figure> figures(Outcome outcome) {
    return OutcomeFigures.latency(outcome, RACE, "message right after a login from another node");
  }

  /// Whether none was lost or late.
  static Result.Verdict verdict(Outcome outcome) {
    long sent = outcome.totals().getOrDefault(SENT, 0L);
    long late = outcome.totals().getOrDefault(LATE, 0L);
    long lost = outcome.totals().getOrDefault(LOST, 0L);
    return new Result.Verdict(
        sent > 0 && late == 0 && lost == 0,
        String.format(
            Locale.ROOT,
            "Of %,d messages right after logins, %,d were lost and %,d took longer than 500 ms.",
            sent,
            lost,
            late),
        "none lost, none later than 500 ms");
  }

  @Override
  public void close() {
    ended = true;
    schedules.forEach(each -> each.cancel(false));
    senders.values().forEach(XmppClient::close);
  }
}
