package im.zonda.bench.scenario.sessions;

import im.zonda.bench.load.Conclusion;
import im.zonda.bench.load.Latencies;
import im.zonda.bench.load.Load;
import im.zonda.bench.load.LoginRamp;
import im.zonda.bench.load.Option;
import im.zonda.bench.load.Options;
import im.zonda.bench.load.Outcome;
import im.zonda.bench.load.OutcomeFigures;
import im.zonda.bench.load.Plan;
import im.zonda.bench.load.Scenario;
import im.zonda.bench.load.Waiting;
import im.zonda.bench.result.Result;
import im.zonda.bench.xmpp.ElementListener;
import im.zonda.bench.xmpp.Login;
import im.zonda.bench.xmpp.XmppClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// Users who log in and stay: what a session costs, and what many of them cost while they do
/// nothing.
public final class SessionsScenario implements Scenario {
  /// The counter of sessions that ended without being asked to.
  static final String ENDED = "ended";

  /// The counter of sessions that ended because they were cut or the run was over.
  static final String LEFT = "left";

  private static final double KIBIBYTE = 1 << 10;
  private static final int LOGIN_RATE = 1_000;

  /// What logins leave behind is not idle yet.
  private static final int SETTLING_SECONDS = 3;

  @Override
  public String name() {
    return "sessions";
  }

  @Override
  public String summary() {
    return "Many users log in and do nothing: memory of a session, CPU of all.";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option("sessions", "10000", "how many users"),
        new Option("at-a-time", "40", "how many log in at the same time, of each process"),
        new Option("presence", "false", "users send initial presence"),
        new Option("management", "false", "users enable stream management (XEP-0198)"),
        new Option("storm", "false", "at the end all are cut at once and resume their sessions"),
        new Option(
            "detached",
            "",
            "all are cut and stay away for --seconds again, with VALUE messages for each, and"
                + " resume"),
        new Option("seconds", "30", "how long they do nothing"));
  }

  @Override
  public Plan plan(Options options) {
    int sessions = options.whole("sessions");
    if (sessions < 1 || options.whole("at-a-time") < 1) {
      throw new IllegalArgumentException("--sessions and --at-a-time must be at least 1");
    }
    int messages = messages(options);
    return new Plan(
        sessions,
        0,
        false,
        sessions,
        Duration.ofSeconds(
            2
                + sessions / LOGIN_RATE
                + (isCut(options) ? 2 : 1) * (long) options.number("seconds")),
        String.format(
            Locale.ROOT,
            "%,d users log in and then do nothing for %s s%s.",
            sessions,
            options.text("seconds"),
            !isCut(options)
                ? ""
                : messages > 0
                    ? "; all are cut, and resume with " + messages + " messages each"
                    : "; all are cut, and resume"));
  }

  private static boolean isCut(Options options) {
    return options.is("storm") || !options.text("detached").isEmpty();
  }

  private static int messages(Options options) {
    int messages = options.text("detached").isEmpty() ? 0 : options.whole("detached");
    if (messages < 0) {
      throw new IllegalArgumentException("--detached must be at least 0");
    }
    return messages;
  }

  @Override
  public void run(Load load) throws IOException, InterruptedException {
    Options options = load.options();
    long _ = load.phase(Load.MEASURE);
    Map<Integer, XmppClient> clients =
        new LoginRamp(load, options.whole("at-a-time"))
            .login(
                options.whole("sessions"),
                client -> login(load, client),
                _ -> ElementListener.NONE);
    AtomicBoolean leaving = new AtomicBoolean();
    clients
        .values()
        .forEach(client -> {
          var _ =
              client.ended().thenAccept(_ -> load.counters().add(leaving.get() ? LEFT : ENDED, 1));
        });
    hold(load, options.number("seconds"));
    Collection<XmppClient> online = new ArrayList<>(clients.values());
    if (isCut(options) && !clients.isEmpty()) {
      leaving.set(true);
      online = cut(load, clients);
    }
    leaving.set(true);
    long _ = load.phase("logout");
    LoginRamp.logout(online);
  }

  /// Cuts all, but the first one of this process if there is something to send.
  private static Collection<XmppClient> cut(Load load, Map<Integer, XmppClient> clients)
      throws InterruptedException {
    Options options = load.options();
    Map<Integer, XmppClient> others = new TreeMap<>(clients);
    int messages = messages(options);
    XmppClient sender = messages > 0 ? others.remove(others.keySet().iterator().next()) : null;
    Storm storm = new Storm(load, others);
    storm.cut();
    if (!options.text("detached").isEmpty()) {
      if (sender != null) {
        storm.fill(sender, messages);
      }
      hold(load, options.number("seconds"));
    }
    Collection<XmppClient> online = new ArrayList<>(storm.resume());
    if (sender != null) {
      online.add(sender);
    }
    return online;
  }

  private static Login login(Load load, int client) {
    Login login = LoginRamp.user(load, client);
    login = load.options().is("presence") ? login : login.withoutPresence();
    boolean managed = load.options().is("management") || isCut(load.options());
    return managed ? login.managed() : login;
  }

  private static void hold(Load load, double seconds) throws InterruptedException {
    long begin = System.nanoTime();
    for (int second = 1; second <= seconds; second++) {
      Waiting.until(begin + TimeUnit.SECONDS.toNanos(second));
      load.progress(second, (long) seconds, "seconds without traffic");
    }
  }

  @Override
  public Conclusion conclude(Outcome outcome) {
    int asked = outcome.options().whole("sessions");
    List<Result.Figure> figures = new ArrayList<>();
    double[] logins = outcome.bySecond("rate-" + LoginRamp.ONLINE);
    int last = lastLogin(logins);
    for (Outcome.ProcessUse use : outcome.processes()) {
      String slug = use.name().toLowerCase(Locale.ROOT).replace(' ', '-');
      double[] resident = untilCut(outcome, outcome.bySecond("rss-" + slug));
      if (resident.length > 0) {
        double grown = (resident[resident.length - 1] - resident[0]) * KIBIBYTE;
        figures.add(
            OutcomeFigures.figure(
                "memory-per-session-" + slug,
                "resident memory of " + use.name() + " a session",
                grown / asked,
                "KiB"));
        figures.add(
            OutcomeFigures.figure(
                "memory-" + slug,
                "resident memory of " + use.name() + " with all of them",
                resident[resident.length - 1],
                "MiB"));
      }
      double idle =
          mean(untilCut(outcome, outcome.bySecond("cpu-" + slug)), last + SETTLING_SECONDS);
      if (!Double.isNaN(idle)) {
        figures.add(
            OutcomeFigures.figure(
                "cpu-idle-" + slug,
                "CPU of " + use.name() + " while nobody does anything",
                idle,
                "%"));
      }
    }
    if (last > 0) {
      figures.add(
          OutcomeFigures.figure("login-rate", "logins", (double) asked / (last + 1), "1/s"));
    }
    figures.addAll(OutcomeFigures.latency(outcome, Latencies.LOGIN, "login"));
    List<Result.Verdict> verdicts = new ArrayList<>(List.of(stayed(outcome, asked)));
    if (isCut(outcome.options())) {
      figures.addAll(StormFigures.of(outcome));
      verdicts.addAll(StormFigures.verdicts(outcome));
    }
    return new Conclusion(figures, verdicts, List.of(), List.of());
  }

  /// The values of the seconds before all are cut.
  private static double[] untilCut(Outcome outcome, double[] values) {
    int cut = StormFigures.first(outcome.bySecond("rate-" + Storm.CUT));
    return cut < 0 ? values : Arrays.copyOf(values, Math.min(cut, values.length));
  }

  private static Result.Verdict stayed(Outcome outcome, int asked) {
    long online = outcome.totals().getOrDefault(LoginRamp.ONLINE, 0L);
    long ended = outcome.count(ENDED);
    return new Result.Verdict(
        online == asked && ended == 0,
        String.format(
            Locale.ROOT,
            "%,d of %,d users were online; %,d sessions ended early.",
            online,
            asked,
            ended),
        "all users are online until the end");
  }

  /// The last second in which somebody came; -1 if nobody did.
  private static int lastLogin(double[] logins) {
    int last = -1;
    for (int i = 0; i < logins.length; i++) {
      last = logins[i] > 0 ? i : last;
    }
    return last;
  }

  private static double mean(double[] values, int from) {
    return from >= values.length
        ? Double.NaN
        : Arrays.stream(values, from, values.length).average().orElse(Double.NaN);
  }
}
