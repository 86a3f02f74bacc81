package im.zonda.bench.scenario.story;

import im.zonda.bench.load.Conclusion;
import im.zonda.bench.load.Load;
import im.zonda.bench.load.Option;
import im.zonda.bench.load.Options;
import im.zonda.bench.load.Outcome;
import im.zonda.bench.load.OutcomeFigures;
import im.zonda.bench.load.Plan;
import im.zonda.bench.load.Scenario;
import im.zonda.bench.result.Result;
import im.zonda.bench.scenario.person.Figures;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// People arrive at a rate, and each goes through one story: login, roster of 30, vCard, a message
/// to someone who is online, one to someone who is offline, group chat, logout. The stories of the
/// studies of 2006 and 2010 arrived every 10 ms.
public final class StoryScenario implements Scenario {
  private static final double LIMIT_MILLIS = 1_000;

  @Override
  public String name() {
    return "story";
  }

  @Override
  public String summary() {
    return "People log in, read roster and vCard, write to others and into a room, and leave.";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option("rate", "100", "people who arrive each second"),
        new Option("contacts", "30", "contacts on each roster"),
        new Option("think", "1000", "milliseconds between two steps of a person"),
        new Option("listeners", "100", "people who are online all the time and get messages"),
        new Option("absent", "100", "people who are never online and get messages"),
        new Option("rooms", "20", "rooms"));
  }

  @Override
  public Plan plan(Options options) {
    StoryNumbers numbers = StoryNumbers.of(options);
    double warmUp =
        options.text("warm-up").equals("auto") ? 60 : Math.max(0, options.number("warm-up"));
    return new Plan(
        numbers.accounts(),
        numbers.contacts(),
        true,
        numbers.listeners() + numbers.pool(),
        Duration.ofSeconds((long) (warmUp + options.number("seconds") + 30)),
        String.format(
            Locale.ROOT,
            "%s people a second log in, read a roster of %d and a vCard, write to someone online and"
                + " to someone offline, talk in one of %d rooms, and leave; %s ms between steps.",
            options.text("rate"),
            numbers.contacts(),
            numbers.rooms(),
            options.text("think")));
  }

  @Override
  public void run(Load load) throws IOException, InterruptedException {
    try (StoryLoad story = new StoryLoad(load)) {
      long _ = load.phase("login");
      story.begin();
      story.arrive(load.phase("warm-up"));
      load.awaitWarm();
      long begin = load.phase(Load.MEASURE);
      story.arriveUntil(begin + (long) (load.options().number("seconds") * 1e9));
      long _ = load.phase("logout");
      story.drain();
    }
  }

  @Override
  public Conclusion conclude(Outcome outcome) {
    long stories = outcome.count(StoryLoad.COMPLETE);
    List<Result.Figure> figures =
        new ArrayList<>(Figures.ofCosts(outcome, "cpu-per-story", "story", stories));
    figures.add(
        OutcomeFigures.figure(
            "stories", "stories that were completed", stories / outcome.seconds(), "1/s"));
    figures.addAll(Figures.ofSteps(outcome));
    return new Conclusion(
        figures,
        List.of(Figures.withoutErrors(outcome), Figures.within(outcome, LIMIT_MILLIS)),
        List.of(Figures.tableOfSteps(outcome)),
        List.of());
  }
}
