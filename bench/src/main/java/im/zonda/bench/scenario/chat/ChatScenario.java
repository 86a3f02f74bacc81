package im.zonda.bench.scenario.chat;

import im.zonda.bench.load.Conclusion;
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
import im.zonda.bench.scenario.pair.Schedule;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Pairs of users who send each other messages: at a rate, whatever the server does, or, with a
/// window, as many as it can take.
public final class ChatScenario implements Scenario {
  private static final int AT_A_TIME = 40;
  private static final int LOGIN_RATE = 100;

  @Override
  public String name() {
    return "chat";
  }

  @Override
  public String summary() {
    return "Pairs of users send each other messages at a steady rate.";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option("pairs", "100", "how many pairs of users"),
        new Option("rate", "1000", "messages a second of all users together"),
        new Option("arrivals", "even", "when they come: even, or random (a Poisson process)"),
        new Option(
            "window",
            "0",
            "instead of a rate: how many messages of each user are always under way, which finds"
                + " the most that the server can do"),
        new Option(
            "managed", "false", "the server acknowledges each message (XEP-0198), which is timed"),
        new Option(
            "slow-readers", "0", "more users, who read nothing while messages are sent to them"),
        new Option("slow-rate", "500", "messages of 1,000 bytes a second to all slow readers"),
        new Option("body", "60", "bytes of a message's text"),
        new Option("drain", "30", "seconds after which a message counts as lost"));
  }

  @Override
  public Plan plan(Options options) {
    int clients = 2 * options.whole("pairs");
    int window = options.whole("window");
    if (clients < 2) {
      throw new IllegalArgumentException("--pairs must be at least 1");
    }
    if (!(options.number("rate") > 0) || window < 0) {
      throw new IllegalArgumentException("--rate must be more than 0, --window at least 0");
    }
    if (!options.text("arrivals").matches("even|random")) {
      throw new IllegalArgumentException("--arrivals is even or random");
    }
    int slow = slow(options);
    if (slow < 0 || (slow > 0 && !(options.number("slow-rate") > 0))) {
      throw new IllegalArgumentException(
          "--slow-readers must be at least 0, --slow-rate more than 0");
    }
    double warmUp = options.text("warm-up").equals("auto") ? 60 : options.number("warm-up");
    double seconds = clients / (double) LOGIN_RATE + warmUp + options.number("seconds");
    return new Plan(
        clients + slow,
        0,
        false,
        clients + slow,
        Duration.ofSeconds(2 + (long) seconds),
        String.format(
            Locale.ROOT,
            window > 0
                ? "%d pairs; each user has %s messages under way all the time, for %s s."
                : "%d pairs send %s messages a second for %s s.",
            options.whole("pairs"),
            window > 0 ? options.text("window") : options.text("rate"),
            options.text("seconds")));
  }

  /// How many more users there are: the slow readers, and one who sends to them.
  private static int slow(Options options) {
    int readers = options.whole("slow-readers");
    return readers > 0 ? readers + 1 : readers;
  }

  @Override
  public void run(Load load) throws IOException, InterruptedException {
    Options options = load.options();
    int clients = 2 * options.whole("pairs");
    long _ = load.phase("login");
    Pairs.Setup setup =
        new Pairs.Setup(clients, AT_A_TIME, options.whole("body"), null, options.is("managed"));
    try (Pairs pairs = Pairs.login(load, setup);
        SlowReaders _ =
            SlowReaders.login(
                load, clients, clients + slow(options), options.number("slow-rate"))) {
      long begin = load.phase("warm-up");
      CompletableFuture<Void> warmUp = send(load, pairs, begin, Long.MAX_VALUE);
      load.awaitWarm();
      // Ends first: what is due in the measured part is due from its beginning on.
      warmUp.cancel(false);
      pairs.keep(0);
      long measured = load.phase(Load.MEASURE);
      long end = measured + (long) (options.number("seconds") * TimeUnit.SECONDS.toNanos(1));
      CompletableFuture<Void> sending = send(load, pairs, measured, end);
      Waiting.until(end);
      pairs.keep(0);
      long _ = load.phase("drain");
      sending.join();
      if (!pairs.drain(options.number("drain"))) {
        load.counters()
            .problem(
                "Some messages had not arrived " + options.text("drain") + " s after the end.");
      }
      long _ = load.phase("logout");
    }
  }

  private static CompletableFuture<Void> send(Load load, Pairs pairs, long begin, long end) {
    Options options = load.options();
    int window = options.whole("window");
    if (window > 0) {
      pairs.keep(window);
      return CompletableFuture.completedFuture(null);
    }
    return new Schedule(
            2 * options.whole("pairs"),
            options.number("rate"),
            options.text("arrivals").equals("random"),
            options.whole("seed"))
        .run(pairs.byLoop(), begin, end, pairs::send);
  }

  @Override
  public Conclusion conclude(Outcome outcome) {
    boolean saturated = outcome.options().whole("window") > 0;
    List<Result.Figure> figures = new ArrayList<>(PairFigures.of(outcome));
    List<String> notes = new ArrayList<>();
    if (saturated) {
      figures.removeIf(figure -> figure.name().startsWith(Latencies.DELIVERY));
      notes.add(
          "Saturated: a window of messages finds the throughput; the times of deliveries are those"
              + " of a queue, and not a property of the server.");
    } else {
      figures.addAll(
          OutcomeFigures.latency(outcome, Latencies.SERVICE, "delivery from the write on"));
    }
    figures.addAll(PairFigures.acknowledgements(outcome));
    if (slow(outcome.options()) > 0) {
      double fed = outcome.count(SlowReaders.FED) / outcome.seconds();
      figures.add(OutcomeFigures.figure("fed", "messages to slow readers", fed, "1/s"));
      figures.add(
          OutcomeFigures.figure(
              SlowReaders.ENDED,
              "slow readers whose connections the server ended",
              outcome.totals().getOrDefault(SlowReaders.ENDED, 0L),
              ""));
    }
    return new Conclusion(figures, List.of(PairFigures.complete(outcome)), List.of(), notes);
  }
}
