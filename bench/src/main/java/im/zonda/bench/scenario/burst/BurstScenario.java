package im.zonda.bench.scenario.burst;

import im.zonda.bench.load.Conclusion;
import im.zonda.bench.load.Counters;
import im.zonda.bench.load.Latencies;
import im.zonda.bench.load.Load;
import im.zonda.bench.load.Option;
import im.zonda.bench.load.Options;
import im.zonda.bench.load.Outcome;
import im.zonda.bench.load.OutcomeFigures;
import im.zonda.bench.load.Plan;
import im.zonda.bench.load.Scenario;
import im.zonda.bench.load.Waiting;
import im.zonda.bench.result.Result;
import im.zonda.bench.scenario.pair.PairFigures;
import im.zonda.bench.scenario.pair.Pairs;
import im.zonda.bench.xmpp.ClientLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.PrimitiveIterator;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/// The stress test of 2005: 140 users log in at once, send 100 messages each to a partner, who
/// sends as many back, 5 ms apart, and log out.
public final class BurstScenario implements Scenario {
  /// From the beginning of a burst to its last delivery.
  static final String BURST = "burst";

  private static final double DRAIN_SECONDS = 30;
  private static final double MILLI = 1e3;
  private static final double NANOS_PER_MILLI = 1e6;

  @Override
  public String name() {
    return "burst";
  }

  @Override
  public String summary() {
    return "Users log in at once, send messages back and forth as fast as in 2005, and log out.";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option("users", "140", "how many users, in pairs"),
        new Option("messages", "100", "messages of each user in a burst"),
        new Option("interval", "5", "milliseconds between two messages of a user"),
        new Option("bursts", "10", "bursts that are measured"),
        new Option("warm-up-bursts", "10", "bursts before those"),
        new Option("pause", "500", "milliseconds between two bursts"),
        new Option("body", "60", "bytes of a message's text"));
  }

  @Override
  public Plan plan(Options options) {
    int users = options.whole("users");
    if (users < 2 || users % 2 != 0) {
      throw new IllegalArgumentException("--users must be an even number");
    }
    if (options.whole("messages") < 1 || options.whole("bursts") < 1) {
      throw new IllegalArgumentException("--messages and --bursts must be at least 1");
    }
    double seconds =
        (options.whole("bursts") + options.whole("warm-up-bursts")) * period(options) / MILLI;
    return new Plan(
        users,
        0,
        false,
        users,
        Duration.ofSeconds(2 + (long) seconds),
        String.format(
            Locale.ROOT,
            "%d users log in at once and send %d messages each, one every %s ms; %s bursts after %s"
                + " to warm up.",
            users,
            options.whole("messages"),
            options.text("interval"),
            options.text("bursts"),
            options.text("warm-up-bursts")));
  }

  /// Milliseconds from a burst to the next one.
  private static double period(Options options) {
    return options.whole("messages") * options.number("interval") + options.number("pause");
  }

  @Override
  public void run(Load load) throws IOException, InterruptedException {
    Options options = load.options();
    int users = options.whole("users");
    long _ = load.phase("login");
    try (Pairs pairs =
        Pairs.login(load, new Pairs.Setup(users, users, options.whole("body"), null))) {
      bursts(load, pairs, load.phase("warm-up"), options.whole("warm-up-bursts"));
      bursts(load, pairs, load.phase(Load.MEASURE), options.whole("bursts"));
      long _ = load.phase("logout");
    }
  }

  private static void bursts(Load load, Pairs pairs, long begin, int count)
      throws InterruptedException {
    long period = (long) (period(load.options()) * NANOS_PER_MILLI);
    for (int i = 0; i < count; i++) {
      long start = begin + i * period;
      burst(load, pairs, start);
      load.progress(i + 1, count, "bursts");
      load.latencies().record(BURST, start, pairs.lastArrival());
      Waiting.until(start + period);
    }
  }

  private static void burst(Load load, Pairs pairs, long start) throws InterruptedException {
    int messages = load.options().whole("messages");
    long interval = (long) (load.options().number("interval") * NANOS_PER_MILLI);
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    pairs
        .byLoop()
        .forEach((loop, clients) ->
            ends.add(
                send(
                    loop,
                    clients,
                    pairs,
                    LongStream.range(0, messages).map(i -> start + i * interval).iterator())));
    CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
    if (!pairs.drain(DRAIN_SECONDS)) {
      load.counters().problem("Half a minute after a burst some messages had not arrived.");
    }
  }

  private static CompletableFuture<Void> send(
      ClientLoop loop, List<Integer> clients, Pairs pairs, PrimitiveIterator.OfLong due) {
    return loop.pace(due, nanos -> clients.forEach(client -> pairs.send(client, nanos)));
  }

  @Override
  public Conclusion conclude(Outcome outcome) {
    List<Result.Figure> figures = new ArrayList<>();
    Options options = outcome.options();
    double window = options.whole("messages") * options.number("interval");
    Histogram bursts = outcome.latencies().get(BURST);
    List<Result.Verdict> verdicts = new ArrayList<>();
    verdicts.add(PairFigures.complete(outcome));
    if (bursts != null) {
      double worst = bursts.getMaxValue() / MILLI;
      double median = bursts.getValueAtPercentile(50) / MILLI;
      figures.add(
          OutcomeFigures.figure(
              "last-delivery",
              "from the first message of a burst to the last delivery, median",
              median,
              "ms"));
      figures.add(OutcomeFigures.figure("last-delivery-max", "the same, longest", worst, "ms"));
      long packets = outcome.count(Counters.SENT) + outcome.count(Counters.RECEIVED);
      figures.add(
          OutcomeFigures.figure(
              "packets",
              "packets in and out while a burst lasts",
              packets / (options.whole("bursts") * median / MILLI),
              "1/s"));
    }
    figures.add(
        OutcomeFigures.figure(
            "send-window", "time in which the messages of a burst are due", window, "ms"));
    figures.addAll(PairFigures.of(outcome));
    figures.addAll(OutcomeFigures.latency(outcome, Latencies.LOGIN, "login of all at once"));
    return new Conclusion(figures, verdicts, List.of(), List.of());
  }
}
