package im.zonda.bench.scenario.pubsub;

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
import im.zonda.bench.scenario.person.Figures;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// One user publishes at a rate to a node of the publish-subscribe service, and all others are
/// subscribed and online.
public final class PubsubScenario implements Scenario {
  private static final double DRAIN_SECONDS = 30;
  private static final double NANOS = 1e9;

  /// In which the first notification of the last publication comes.
  private static final long SETTLE_NANOS = 300_000_000;

  @Override
  public String name() {
    return "pubsub";
  }

  @Override
  public String summary() {
    return "Publications to a node with many subscribers.";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option("subscribers", "1000", "users who are subscribed and online"),
        new Option("rate", "5", "publications a second"),
        new Option("body", "100", "bytes of a publication's text"));
  }

  @Override
  public Plan plan(Options options) {
    int subscribers = options.whole("subscribers");
    if (subscribers < 1 || !(options.number("rate") > 0) || options.whole("body") < 0) {
      throw new IllegalArgumentException(
          "--subscribers must be at least 1, --rate more than 0, --body at least 0");
    }
    double warmUp = options.text("warm-up").equals("auto") ? 60 : options.number("warm-up");
    return new Plan(
        subscribers + 1,
        0,
        false,
        subscribers + 1,
        Duration.ofSeconds(10 + (long) (subscribers / 100.0 + warmUp + options.number("seconds"))),
        String.format(
            Locale.ROOT,
            "One user publishes %s times a second to a node with %,d subscribers who are online.",
            options.text("rate"),
            subscribers));
  }

  @Override
  public void run(Load load) throws IOException, InterruptedException {
    long _ = load.phase("login");
    try (Publications publications = new Publications(load)) {
      publications.createNode();
      long _ = load.phase("subscribe");
      publications.subscribe();
      publications.publish(load.phase("warm-up"));
      load.awaitWarm();
      long begin = load.phase(Load.MEASURE);
      long end = begin + (long) (load.options().number("seconds") * NANOS);
      Waiting.until(end);
      publications.end();
      long _ = load.phase("drain");
      Waiting.until(System.nanoTime() + SETTLE_NANOS);
      boolean all = Waiting.until(publications::isComplete, DRAIN_SECONDS);
      if (!all) {
        load.counters().problem("half a minute after the end notifications were missing");
      }
      long _ = load.phase("logout");
      publications.deleteNode();
    }
  }

  @Override
  public Conclusion conclude(Outcome outcome) {
    long copies = outcome.count(Counters.RECEIVED);
    List<Result.Figure> figures =
        new ArrayList<>(Figures.ofCosts(outcome, "cpu-per-notification", "notification", copies));
    figures.add(
        OutcomeFigures.figure(
            "notifications", "notifications that arrived", copies / outcome.seconds(), "1/s"));
    figures.addAll(OutcomeFigures.latency(outcome, Publications.ANSWER, "answer to the publisher"));
    figures.addAll(
        OutcomeFigures.latency(
            outcome, Publications.NOTIFICATION, "notification of each subscriber"));
    figures.addAll(
        OutcomeFigures.latency(outcome, Publications.LAST, "notification of the last subscriber"));
    long sent = outcome.totals().getOrDefault(Counters.SENT, 0L);
    long expected = sent * outcome.options().whole("subscribers");
    long received = outcome.totals().getOrDefault(Counters.RECEIVED, 0L);
    Result.Verdict complete =
        new Result.Verdict(
            sent > 0 && received == expected,
            String.format(
                Locale.ROOT,
                "%,d publications made %,d notifications of %,d.",
                sent,
                received,
                expected),
            "each subscriber gets each publication once");
    return new Conclusion(
        figures,
        List.of(complete, Figures.withoutErrors(outcome)),
        List.of(),
        List.of("With several processes, the last subscriber is the last one of each process."));
  }
}
