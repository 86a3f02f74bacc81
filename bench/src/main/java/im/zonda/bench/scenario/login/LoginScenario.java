package im.zonda.bench.scenario.login;

import im.zonda.bench.load.Conclusion;
import im.zonda.bench.load.Counters;
import im.zonda.bench.load.Load;
import im.zonda.bench.load.Option;
import im.zonda.bench.load.Options;
import im.zonda.bench.load.Outcome;
import im.zonda.bench.load.OutcomeFigures;
import im.zonda.bench.load.Plan;
import im.zonda.bench.load.Scenario;
import im.zonda.bench.load.Waiting;
import im.zonda.bench.result.Result;
import im.zonda.bench.xmpp.Login;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/// Users who connect, log in, bind a resource and leave: at rates, whatever the server does, or as
/// fast as it lets them.
public final class LoginScenario implements Scenario {
  static final String MAX = "max";

  static final String STEPS = "steps";
  static final String TOKEN = "token";

  /// The counter of logins by a token.
  static final String BY_TOKEN = "by-token";

  /// Logins in the first seconds of the warm-up.
  static final String COLD = "login-cold";

  /// The counter of logins that were not let in.
  static final String REFUSED = "refused";

  private static final double COLD_SECONDS = 5;
  private static final double DRAIN_SECONDS = 60;
  private static final int MOST_SOCKETS = 5_000;

  @Override
  public String name() {
    return "login";
  }

  @Override
  public String summary() {
    return "Users connect, log in and leave, at a rate or as fast as the server lets them.";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option("accounts", "2000", "how many different users log in, in turns"),
        new Option(
            "rate", "500", "logins a second, or max; several with commas, one after the other"),
        new Option("arrivals", "even", "when they come: even, or random (a Poisson process)"),
        new Option("at-a-time", "64", "how many logins are under way with max"),
        new Option(
            "method",
            STEPS,
            "steps (RFC 6120), inline (in one step, XEP-0388 and XEP-0386), or token (XEP-0484)"),
        new Option("presence", "false", "users send initial presence"),
        new Option("management", "false", "users enable stream management (XEP-0198)"));
  }

  @Override
  public Plan plan(Options options) {
    if (options.whole("accounts") < 2 || options.whole("at-a-time") < 1) {
      throw new IllegalArgumentException("--accounts must be at least 2, --at-a-time at least 1");
    }
    if (!options.text("arrivals").matches("even|random")) {
      throw new IllegalArgumentException("--arrivals is even or random");
    }
    if (!options.text("method").matches("steps|inline|token")) {
      throw new IllegalArgumentException("--method is steps, inline or token");
    }
    Login.Mechanism mechanism = Login.Mechanism.of(options.text("mechanism"));
    List<String> rates = rates(options);
    double warmUp = options.text("warm-up").equals("auto") ? 60 : options.number("warm-up");
    double seconds = warmUp + rates.size() * options.number("seconds");
    return new Plan(
        options.whole("accounts"),
        0,
        false,
        sockets(options, rates),
        Duration.ofSeconds(2 + (long) seconds),
        String.format(
            Locale.ROOT,
            "%d users log in by %s and leave, %s times a second, for %s s each.",
            options.whole("accounts"),
            mechanism.word(),
            String.join(", then ", rates),
            options.text("seconds")));
  }

  /// As many as are under way when a login takes a second.
  private static int sockets(Options options, List<String> rates) {
    int most = options.whole("at-a-time");
    for (String rate : rates) {
      most = rate.equals(MAX) ? most : Math.max(most, (int) Double.parseDouble(rate));
    }
    return Math.min(most, MOST_SOCKETS);
  }

  private static long due(Outcome outcome, String tag) {
    Histogram times = outcome.latencies().get(tag);
    return times == null ? 0 : times.getTotalCount();
  }

  /// The rates in their order, each a number or [#MAX].
  static List<String> rates(Options options) {
    List<String> rates = List.of(options.text("rate").split(",", -1));
    for (String rate : rates) {
      if (!rate.equals(MAX) && !rate.matches("\\d{1,6}(\\.\\d+)?")) {
        throw new IllegalArgumentException("--rate " + rate + ": it is a number or max");
      }
    }
    return rates;
  }

  @Override
  public void run(Load load) throws InterruptedException {
    Options options = load.options();
    Visitors visitors = new Visitors(load);
    List<String> rates = rates(options);
    long begin = load.phase("warm-up");
    visitors.coldUntil(begin + (long) (COLD_SECONDS * TimeUnit.SECONDS.toNanos(1)));
    visitors.come(rates.getFirst(), begin, Long.MAX_VALUE);
    load.awaitWarm();
    visitors.stop();
    Waiting.until(() -> visitors.inside() == 0, DRAIN_SECONDS);
    long next = load.phase(Load.MEASURE);
    for (String rate : rates) {
      long end = next + (long) (options.number("seconds") * TimeUnit.SECONDS.toNanos(1));
      visitors.come(rate, next, end);
      Waiting.until(end);
      visitors.stop();
      next = end;
    }
    long _ = load.phase("drain");
    if (!Waiting.until(() -> visitors.inside() == 0, DRAIN_SECONDS)) {
      load.counters().problem("A minute after the end some logins had neither ended nor failed.");
    }
  }

  @Override
  public Conclusion conclude(Outcome outcome) {
    List<Result.Figure> figures = new ArrayList<>();
    List<String> rates = rates(outcome.options());
    double seconds = outcome.options().number("seconds");
    long all = 0;
    long ended = 0;
    for (String rate : rates) {
      String tag = Visitors.tag(rate);
      long logins = due(outcome, tag);
      all += logins;
      ended += outcome.count(tag);
      figures.add(
          OutcomeFigures.figure(
              tag + "-rate", "logins, asked for " + rate, logins / seconds, "1/s"));
      if (!rate.equals(MAX)) {
        figures.addAll(OutcomeFigures.latency(outcome, tag, "login at " + rate + "/s"));
      }
    }
    double millis = outcome.serverMicros() / ended / 1e3;
    if (ended > 0 && !Double.isNaN(millis)) {
      figures.addFirst(
          OutcomeFigures.figure("cpu-per-login", "CPU of the server a login", millis, "ms"));
    }
    if (outcome.options().text("method").equals(TOKEN)) {
      figures.add(
          OutcomeFigures.figure(
              BY_TOKEN, "logins by a token", (double) outcome.count(BY_TOKEN), ""));
    }
    figures.addAll(OutcomeFigures.latency(outcome, COLD, "login in the first 5 s of load"));
    long refused =
        outcome.totals().getOrDefault(REFUSED, 0L)
            + outcome.totals().getOrDefault(Counters.ERRORS, 0L);
    return new Conclusion(
        figures,
        List.of(
            new Result.Verdict(
                refused == 0 && all > 0,
                refused == 0
                    ? String.format(Locale.ROOT, "%,d logins succeeded, none failed.", all)
                    : String.format(Locale.ROOT, "%,d logins failed.", refused),
                "every login succeeds")),
        List.of(),
        rates.contains(MAX)
            ? List.of("With max a login waits for another one's end: it has no latency to quote.")
            : List.of());
  }
}
