package im.zonda.bench.scenario.office;

import im.zonda.bench.load.Conclusion;
import im.zonda.bench.load.Counters;
import im.zonda.bench.load.Load;
import im.zonda.bench.load.Option;
import im.zonda.bench.load.Options;
import im.zonda.bench.load.Outcome;
import im.zonda.bench.load.OutcomeFigures;
import im.zonda.bench.load.Plan;
import im.zonda.bench.load.Scenario;
import im.zonda.bench.result.Result;
import im.zonda.bench.scenario.person.Figures;
import im.zonda.bench.scenario.person.Person;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The load of the scalability paper of 2006: many users with rosters of 40 who rarely do anything,
/// 1,500 very active ones, from 70 % of the time on 3,000 more, and group chat in the last third.
/// All is measured from the first login on.
public final class OfficeScenario implements Scenario {
  private static final double LIMIT_MILLIS = 1_000;

  @Override
  public String name() {
    return "office";
  }

  @Override
  public String summary() {
    return "Many quiet users, some very active ones, later more of them, at last group chat.";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option("users", "10000", "users who log in from the beginning on"),
        new Option("active", "1500", "how many of them are very active"),
        new Option("late", "3000", "very active users who log in after 70 % of the time"),
        new Option("contacts", "40", "contacts on each roster"),
        new Option("login-rate", "500", "logins a second"),
        new Option("quiet-interval", "600", "mean seconds between two requests of a quiet user"),
        new Option("active-rate", "1", "requests a second of a very active user"),
        new Option("occupants", "20", "users in a room"),
        new Option(
            "weights",
            "message=60,roster=10,vcard=20,presence=10",
            "how often each request is made"),
        new Option("seconds", "180", "how long the whole takes, logins included"));
  }

  @Override
  public Plan plan(Options options) {
    OfficeNumbers numbers = OfficeNumbers.of(options);
    Weights _ = Weights.parse(options.text("weights"));
    return new Plan(
        numbers.accounts(),
        options.whole("contacts"),
        true,
        numbers.accounts(),
        numbers.time(),
        String.format(
            Locale.ROOT,
            "%,d users with rosters of %s log in, %s a second; %,d are very active with %s requests a"
                + " second, the others make one every %s s. After 70 %% of %s s, %,d more very active"
                + " ones come; in the last third the active ones talk in rooms of %d.",
            numbers.users(),
            options.text("contacts"),
            options.text("login-rate"),
            numbers.active(),
            options.text("active-rate"),
            options.text("quiet-interval"),
            options.text("seconds"),
            numbers.late(),
            numbers.occupants()));
  }

  @Override
  public void run(Load load) throws IOException, InterruptedException {
    try (Office office = new Office(load)) {
      office.warmUp(load.phase("warm-up"));
      office.work(load.phase(Load.MEASURE));
      long _ = load.phase("logout");
    }
  }

  @Override
  public Conclusion conclude(Outcome outcome) {
    OfficeNumbers numbers = OfficeNumbers.of(outcome.options());
    long requests = outcome.count(Office.REQUESTS);
    List<Result.Figure> figures =
        new ArrayList<>(Figures.ofCosts(outcome, "cpu-per-request", "request", requests));
    figures.add(
        OutcomeFigures.figure(
            "requests", "requests that were made", requests / outcome.seconds(), "1/s"));
    figures.add(
        OutcomeFigures.figure(
            "users-online", "users who logged in", (double) outcome.count(Office.ONLINE), ""));
    figures.addAll(Figures.ofSteps(outcome));
    long online = outcome.count(Office.ONLINE);
    Result.Verdict all =
        new Result.Verdict(
            online == numbers.accounts(),
            String.format(Locale.ROOT, "%,d of %,d users were online.", online, numbers.accounts()),
            "every user is online");
    return new Conclusion(
        figures,
        List.of(all, Figures.withoutErrors(outcome), Figures.within(outcome, LIMIT_MILLIS)),
        List.of(Figures.tableOfSteps(outcome)),
        List.of(
            String.format(
                Locale.ROOT,
                "%,d messages were sent to users, %,d arrived while their receivers were online.",
                outcome.count(Counters.SENT),
                outcome.count(Person.ARRIVED))));
  }
}
