package im.zonda.bench.scenario.rooms;

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
import im.zonda.bench.scenario.occupant.ReplayTags;
import im.zonda.bench.scenario.occupant.RoomFigures;
import im.zonda.bench.scenario.occupant.RoomReplay;
import im.zonda.bench.trace.Trace;
import im.zonda.bench.trace.TraceStatistics;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Rooms whose occupants speak at a fixed rate; with a storm of entries into one more room, or with
/// guests that enter and leave.
public final class RoomsScenario implements Scenario {
  private static final String BEFORE = "before-storm";
  private static final String DURING = "during-storm";
  private static final String AFTER = "after-storm";
  private static final double PLAYERS_A_SECOND = 500;
  private static final int REST_SECONDS = 15;

  @Override
  public String name() {
    return "rooms";
  }

  @Override
  public String summary() {
    return "Occupants of rooms speak at a fixed rate; others may enter meanwhile, many at once.";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option("occupants", "500", "how many, each in one room"),
        new Option("rooms", "10", "how many rooms"),
        new Option("largest", "0", "occupants of the largest room; 0: all rooms are alike"),
        new Option("copies", "1000", "messages that arrive, per second; 0 for none"),
        new Option("body", "60", "bytes of a message's text"),
        new Option("storm", "0", "users who enter one more room at once"),
        new Option("storm-at", "10", "seconds of the measured part before the storm"),
        new Option("storm-seconds", "10", "how long the others' times count as in the storm"),
        new Option("guests", "0", "users of each room who enter and leave again and again"),
        new Option("guest-seconds", "5", "how long a guest is in the room, and then out"),
        new Option("history", "0", "messages that a room sends to one who enters"),
        new Option("keep-history", "server", "true, false, or as the server does it"),
        new Option("archive", "server", "whether rooms are archived: true, false, or server"),
        new Option("late", "250", "milliseconds after which a copy is late"),
        new Option("drain", "30", "seconds at the end for what has not arrived"),
        new Option("service", "rooms", "the domain of the rooms, before the server's"));
  }

  @Override
  public Plan plan(Options options) {
    Trace trace = RoomsTrace.of(options);
    TraceStatistics numbers = TraceStatistics.of(trace);
    Map<String, String> _ = form(options);
    int players = trace.players().size();
    int[] sizes = RoomsTrace.sizes(options);
    int storm = options.whole("storm");
    double entries = numbers.count("joins") - Math.max(0, storm - 1);
    return new Plan(
        players,
        0,
        false,
        players,
        Duration.ofSeconds(
            (long) (trace.millis() / 1e3 + players / PLAYERS_A_SECOND + REST_SECONDS)),
        String.format(
            Locale.ROOT,
            "%,d occupants in %,d rooms of %,d to %,d; %.1f messages a second with %.1f copies"
                + " each%s%s.",
            Arrays.stream(sizes).sum(),
            sizes.length,
            sizes[sizes.length - 1],
            sizes[0],
            numbers.count("messages-per-second"),
            numbers.count("copies-per-message"),
            storm > 0 ? String.format(Locale.ROOT, "; %,d users enter one more room", storm) : "",
            entries > 0 ? String.format(Locale.ROOT, "; guests enter %,.0f times", entries) : ""));
  }

  /// The settings of new rooms that the options ask for.
  private static Map<String, String> form(Options options) {
    Map<String, String> form = new TreeMap<>();
    switch (options.text("keep-history")) {
      case "server", "true" -> {}
      case "false" -> form.put("muc#maxhistoryfetch", "0");
      default -> throw new IllegalArgumentException("--keep-history is true, false or server");
    }
    switch (options.text("archive")) {
      case "server" -> {}
      case "true" -> form.put("muc#roomconfig_enablelogging", "1");
      case "false" -> form.put("muc#roomconfig_enablelogging", "0");
      default -> throw new IllegalArgumentException("--archive is true, false or server");
    }
    return form;
  }

  @Override
  public void run(Load load) throws IOException, InterruptedException {
    Options options = load.options();
    Trace trace = RoomsTrace.of(options);
    RoomReplay.Settings settings =
        new RoomReplay.Settings(
            options.text("service"),
            options.whole("history"),
            form(options),
            RoomsTrace.lead(options),
            options.number("seconds"),
            options.number("drain"));
    new RoomReplay(load, trace, settings, tags(options, trace)).run();
  }

  private static IntFunction<@Nullable String> tags(Options options, Trace trace) {
    if (options.whole("storm") == 0) {
      return _ -> null;
    }
    long begin = RoomsTrace.stormBegin(options);
    long end = RoomsTrace.stormEnd(options);
    return message -> {
      long millis = trace.messages().get(message).millis();
      return millis < begin ? BEFORE : millis < end ? DURING : AFTER;
    };
  }

  @Override
  public Conclusion conclude(Outcome outcome) {
    Options options = outcome.options();
    double late = options.number("late");
    List<Result.Figure> figures = new ArrayList<>(RoomFigures.of(outcome, late));
    figures.addAll(OutcomeFigures.latency(outcome, BEFORE, "other rooms before the storm"));
    figures.addAll(OutcomeFigures.latency(outcome, DURING, "other rooms during the storm"));
    figures.addAll(OutcomeFigures.latency(outcome, AFTER, "other rooms after the storm"));
    List<String> notes = new ArrayList<>();
    var joins = outcome.latencies().get(ReplayTags.JOIN);
    double micros = outcome.serverMicros();
    if (joins != null && outcome.count(Counters.RECEIVED) == 0 && !Double.isNaN(micros)) {
      figures.add(
          OutcomeFigures.figure(
              "cpu-per-entry",
              "CPU of the server an entry and departure",
              micros / joins.getTotalCount(),
              "us"));
    }
    if (options.whole("storm") > 0) {
      notes.add(
          "A storm is long: times of other rooms count as in it for --storm-seconds after its"
              + " beginning.");
    }
    if (options.number("copies") <= 0) {
      notes.add("Without messages there is no verdict about copies.");
    }
    List<Result.Verdict> verdicts =
        options.number("copies") <= 0 ? List.of() : List.of(RoomFigures.complete(outcome, late));
    return new Conclusion(figures, verdicts, List.of(), notes);
  }
}
