package im.zonda.bench.scenario.cluster;

import im.zonda.bench.load.Conclusion;
import im.zonda.bench.load.Load;
import im.zonda.bench.load.Option;
import im.zonda.bench.load.Options;
import im.zonda.bench.load.Outcome;
import im.zonda.bench.load.Plan;
import im.zonda.bench.load.Scenario;
import im.zonda.bench.result.Result;
import im.zonda.bench.scenario.person.Figures;
import im.zonda.bench.scenario.story.StoryLoad;
import im.zonda.bench.scenario.story.StoryScenario;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A cluster under the load of the study of 2010: users who are online all the time at all nodes,
/// and the story of that study at a rate. Besides, messages to users right after their login, from
/// another node: in 2010 some came before the entry of the user in the cluster's cache.
public final class ClusterScenario implements Scenario {
  private static final double LIMIT_MILLIS = 1_000;
  private static final double NANOS = 1e9;

  private final StoryScenario story = new StoryScenario();

  @Override
  public String name() {
    return "cluster";
  }

  @Override
  public String summary() {
    return "The story at all nodes of a cluster, and messages right after logins.";
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(story.options());
    options.add(new Option("sessions", "3000", "further users who are online and do nothing"));
    options.add(
        new Option(
            "race",
            "10",
            "logins a second that are followed by a message from another node at once"));
    return options;
  }

  @Override
  public Map<String, String> usualTarget() {
    return Map.of("nodes", "3", "storage", "postgresql");
  }

  @Override
  public Plan plan(Options options) {
    Plan plan = story.plan(options);
    int sessions = options.whole("sessions");
    if (sessions < 0 || !(options.number("race") >= 0)) {
      throw new IllegalArgumentException("--sessions and --race must not be negative");
    }
    int racers = Races.accounts(options);
    return new Plan(
        plan.accounts() + racers + sessions,
        plan.contacts(),
        plan.vcards(),
        plan.sockets() + racers + sessions,
        plan.time().plus(Duration.ofSeconds(sessions / 100)),
        String.format(
            Locale.ROOT,
            "%s Besides, %,d users are online, and %s logins a second are followed by a message from"
                + " another node at once.",
            plan.words(),
            sessions,
            options.text("race")));
  }

  @Override
  public void run(Load load) throws IOException, InterruptedException {
    int first = story.plan(load.options()).accounts();
    int racers = Races.accounts(load.options());
    try (StoryLoad told = new StoryLoad(load);
        Idlers idlers = new Idlers(load, first + racers);
        Races races = new Races(load, first)) {
      long _ = load.phase("login");
      told.begin();
      idlers.login();
      races.login();
      long warm = load.phase("warm-up");
      told.arrive(warm);
      races.begin(warm);
      load.awaitWarm();
      long begin = load.phase(Load.MEASURE);
      long end = begin + (long) (load.options().number("seconds") * NANOS);
      told.arriveUntil(end);
      races.end();
      long _ = load.phase("logout");
      told.drain();
      races.drain();
    }
  }

  @Override
  public Conclusion conclude(Outcome outcome) {
    Conclusion told = story.conclude(outcome);
    List<Result.Figure> figures = new ArrayList<>(told.figures());
    figures.addAll(Races.figures(outcome));
    List<Result.Verdict> verdicts = new ArrayList<>();
    if (outcome.options().number("race") > 0) {
      verdicts.add(Races.verdict(outcome));
    }
    verdicts.add(Figures.withoutErrors(outcome));
    verdicts.add(Figures.within(outcome, LIMIT_MILLIS));
    return new Conclusion(figures, verdicts, told.tables(), told.notes());
  }
}
