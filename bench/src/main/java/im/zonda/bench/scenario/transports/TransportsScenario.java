package im.zonda.bench.scenario.transports;

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
import im.zonda.bench.xmpp.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Pairs of users on TCP, WebSockets and BOSH who talk in turns, on the same server: what a
/// transport adds to the cost of a message.
public final class TransportsScenario implements Scenario {
  private static final List<Endpoint.Transport> TURNS =
      List.of(Endpoint.Transport.TCP, Endpoint.Transport.WEBSOCKET, Endpoint.Transport.BOSH);
  private static final int TRANSPORTS = TURNS.size();
  private static final int AT_A_TIME = 20;
  private static final double DRAIN_SECONDS = 30;
  private static final double MICROS_PER_PERCENT = 1e4;

  @Override
  public String name() {
    return "transports";
  }

  @Override
  public String summary() {
    return "Pairs of users talk over TCP, WebSockets and BOSH in turns: what a transport adds.";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option("pairs", "50", "how many pairs of users on each transport"),
        new Option("rate", "500", "messages a second of all users of a transport together"),
        new Option("turn", "10", "seconds of a transport, then the next one's turn comes"),
        new Option("rounds", "3", "how often each has its turn"),
        new Option("body", "60", "bytes of a message's text"),
        new Option("seconds", "1", "not used: a run takes its turns"),
        new Option("warm-up", "30", "seconds of turns before those that are measured"));
  }

  @Override
  public Plan plan(Options options) {
    int pairs = options.whole("pairs");
    if (pairs < 1 || options.whole("rounds") < 1 || !(options.number("rate") > 0)) {
      throw new IllegalArgumentException(
          "--pairs and --rounds must be at least 1, --rate more than 0");
    }
    if (options.whole("turn") < 2) {
      throw new IllegalArgumentException(
          "--turn must be at least 2, of which the first is left out");
    }
    double seconds = (options.whole("rounds") + warmUpRounds(options)) * round(options);
    return new Plan(
        2 * pairs,
        0,
        false,
        2 * pairs * (TRANSPORTS + 1),
        Duration.ofSeconds(2 + (long) seconds),
        String.format(
            Locale.ROOT,
            "%d pairs on each of TCP, WebSockets and BOSH send %s messages a second in turns of %s s.",
            pairs,
            options.text("rate"),
            options.text("turn")));
  }

  private static double round(Options options) {
    return options.number("turn") * TRANSPORTS;
  }

  private static int warmUpRounds(Options options) {
    return options.text("warm-up").equals("auto")
        ? 1
        : (int) Math.ceil(options.number("warm-up") / round(options));
  }

  @Override
  public void run(Load load) throws IOException, InterruptedException {
    Options options = load.options();
    long _ = load.phase("login");
    Map<Endpoint.Transport, Pairs> all = new EnumMap<>(Endpoint.Transport.class);
    try {
      for (Endpoint.Transport each : TURNS) {
        Pairs.Setup setup =
            new Pairs.Setup(2 * options.whole("pairs"), AT_A_TIME, options.whole("body"), each);
        all.put(each, Pairs.login(load, setup));
      }
      rounds(load, all, load.phase("warm-up"), warmUpRounds(options));
      rounds(load, all, load.phase(Load.MEASURE), options.whole("rounds"));
      long _ = load.phase("drain");
      for (Pairs pairs : all.values()) {
        if (!pairs.drain(DRAIN_SECONDS)) {
          load.counters().problem("Half a minute after the end some messages had not arrived.");
        }
      }
    } finally {
      all.values().forEach(Pairs::close);
    }
  }

  private static void rounds(Load load, Map<Endpoint.Transport, Pairs> all, long begin, int rounds)
      throws InterruptedException {
    Options options = load.options();
    Schedule schedule =
        new Schedule(
            2 * options.whole("pairs"), options.number("rate"), false, options.whole("seed"));
    long turn = TimeUnit.SECONDS.toNanos(options.whole("turn"));
    long from = begin;
    for (int i = 0; i < rounds * TRANSPORTS; i++) {
      Pairs pairs = all.get(TURNS.get(i % TRANSPORTS));
      if (pairs != null) {
        CompletableFuture<Void> sending =
            schedule.run(pairs.byLoop(), from, from + turn, pairs::send);
        Waiting.until(from + turn);
        sending.join();
      }
      from += turn;
      load.progress(i + 1, (long) rounds * TRANSPORTS, "turns");
    }
  }

  @Override
  public Conclusion conclude(Outcome outcome) {
    List<Result.Figure> figures = new ArrayList<>();
    double byTcp = cpu(outcome, Endpoint.Transport.TCP);
    for (Endpoint.Transport each : TURNS) {
      String word = each.name().toLowerCase(Locale.ROOT);
      double micros = cpu(outcome, each);
      if (!Double.isNaN(micros)) {
        figures.add(
            OutcomeFigures.figure(
                "cpu-per-message-" + word, "CPU of the server a message, " + word, micros, "us"));
        if (each != Endpoint.Transport.TCP) {
          figures.add(
              OutcomeFigures.figure(
                  "ratio-" + word, "the same in proportion to tcp", micros / byTcp, ""));
        }
      }
      String tag = Latencies.DELIVERY + "-" + word;
      figures.addAll(OutcomeFigures.latency(outcome, tag, "delivery, " + word));
    }
    return new Conclusion(figures, List.of(PairFigures.complete(outcome)), List.of(), List.of());
  }

  /// The CPU of the server and its edges for a message in the turns of a transport, without their
  /// first seconds; NaN if it is unknown.
  private static double cpu(Outcome outcome, Endpoint.Transport transport) {
    int turn = outcome.options().whole("turn");
    double percent = 0;
    int seconds = 0;
    for (Outcome.ProcessUse use : outcome.processes()) {
      if (use.name().startsWith("database")) {
        continue;
      }
      double[] values =
          outcome.bySecond("cpu-" + use.name().toLowerCase(Locale.ROOT).replace(' ', '-'));
      seconds = 0;
      for (int i = 0; i < values.length; i++) {
        if (i / turn % TRANSPORTS == TURNS.indexOf(transport) && i % turn > 0) {
          percent += values[i];
          seconds++;
        }
      }
    }
    return seconds == 0
        ? Double.NaN
        : percent * MICROS_PER_PERCENT / seconds / outcome.options().number("rate");
  }
}
