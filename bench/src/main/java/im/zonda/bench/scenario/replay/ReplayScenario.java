package im.zonda.bench.scenario.replay;

import im.zonda.bench.load.Conclusion;
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
import im.zonda.bench.trace.Multiplication;
import im.zonda.bench.trace.Trace;
import im.zonda.bench.trace.TraceStatistics;
import im.zonda.bench.trace.synth.TraceRecipe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A recording of a community, or one that is made from a seed, repeated: 2,600 players in 53 rooms
/// as in the document of 2010, multiplied by copies of whole rooms.
public final class ReplayScenario implements Scenario {
  private static final double PLAYERS_A_SECOND = 500;
  private static final int REST_SECONDS = 15;

  @Override
  public String name() {
    return "replay";
  }

  @Override
  public String summary() {
    return "Players enter and leave rooms and speak as in a trace, multiplied or not.";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option("trace", TraceRecipe.ARENA, "a file, or arena: 2,600 players in 53 rooms"),
        new Option("times", "1", "clones of each player and room"),
        new Option("shift", "30", "the most seconds by which a clone is moved"),
        new Option("speed", "1", "divides all times of the trace"),
        new Option("mix", "0", "percent of the players whose clones exchange stays"),
        new Option("max-room", "427", "the most players that a room may have; 0 for no limit"),
        new Option("from", "auto", "where the part begins in seconds; auto: where it is busiest"),
        new Option("linger", "600", "seconds to a departure that the trace does not have"),
        new Option("late", "250", "milliseconds after which a copy is late"),
        new Option("history", "0", "messages that a room sends to one who enters"),
        new Option("drain", "30", "seconds at the end for what has not arrived"),
        new Option("service", "rooms", "the domain of the rooms, before the server's"),
        new Option("warm-up", "30", "seconds of the trace before the measured part"),
        new Option("seconds", "120", "how long is measured"),
        new Option("seed", "7", "makes the trace and moves the clones"));
  }

  private static TraceRecipe recipe(Options options) {
    String from = options.text("from");
    int seed = options.whole("seed");
    return new TraceRecipe(
        options.text("trace"),
        seed,
        from.equals("auto") ? -1 : options.number("from"),
        lead(options) + options.number("seconds"),
        options.number("linger"),
        new Multiplication(
            options.whole("times"),
            Math.round(options.number("shift") * 1e3),
            options.number("speed"),
            options.number("mix") / 100,
            options.whole("max-room"),
            seed));
  }

  private static double lead(Options options) {
    if (options.text("warm-up").equals("auto")) {
      throw new IllegalArgumentException(
          "--warm-up must be a number: the trace goes on while it is measured");
    }
    return options.number("warm-up");
  }

  private static Trace trace(Options options) {
    try {
      return recipe(options).make();
    } catch (IOException e) {
      throw new UncheckedIOException("the trace cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public Plan plan(Options options) {
    Trace trace = trace(options);
    TraceStatistics numbers = TraceStatistics.of(trace);
    double seconds = trace.millis() / 1e3;
    if (seconds < lead(options) + options.number("seconds")) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "the trace has %.0f s, less than --warm-up and --seconds", seconds));
    }
    int players = trace.players().size();
    return new Plan(
        players,
        0,
        false,
        (int) numbers.count("players-online-most"),
        Duration.ofSeconds((long) (seconds + players / PLAYERS_A_SECOND + REST_SECONDS)),
        words(trace, numbers));
  }

  private static String words(Trace trace, TraceStatistics numbers) {
    return String.format(
        Locale.ROOT,
        "%,d players, at most %,.0f at a time, in %,d rooms with at most %,.0f; in %,.0f s %,.0f"
            + " messages with %,.0f copies a second, at most %,.0f in a second, %,.0f entries and"
            + " departures. SHA-256 of the trace: %s.",
        trace.players().size(),
        numbers.count("players-online-most"),
        trace.rooms().size(),
        numbers.count("largest-room"),
        numbers.count("seconds"),
        numbers.count("messages"),
        numbers.count("copies-per-second"),
        numbers.count("copies-in-busiest-second"),
        2 * numbers.count("joins"),
        trace.hash());
  }

  @Override
  public void run(Load load) throws IOException, InterruptedException {
    Options options = load.options();
    RoomReplay.Settings settings =
        new RoomReplay.Settings(
            options.text("service"),
            options.whole("history"),
            Map.of(),
            lead(options),
            options.number("seconds"),
            options.number("drain"));
    new RoomReplay(load, trace(options), settings, _ -> null).run();
  }

  @Override
  public Conclusion conclude(Outcome outcome) {
    Options options = outcome.options();
    double late = options.number("late");
    Trace trace = trace(options);
    TraceStatistics numbers = TraceStatistics.of(trace);
    List<Result.Figure> figures = new ArrayList<>(RoomFigures.of(outcome, late));
    figures.add(figure("players", "players", numbers.count("players")));
    figures.add(
        figure(
            "players-online", "players at a time, at most", numbers.count("players-online-most")));
    figures.add(figure("rooms", "rooms", numbers.count("rooms")));
    figures.add(
        figure("largest-room", "players of the largest room", numbers.count("largest-room")));
    List<String> notes = new ArrayList<>();
    notes.add("SHA-256 of the trace: " + trace.hash());
    notes.add("The trace: " + words(trace, numbers));
    long postponed = outcome.totals().getOrDefault(ReplayTags.POSTPONED, 0L);
    if (postponed > 0) {
      notes.add(
          postponed
              + " messages were sent when their senders had entered, later than due; their times"
              + " count from when they were due.");
    }
    return new Conclusion(
        figures, List.of(RoomFigures.complete(outcome, late)), List.of(sizes(numbers)), notes);
  }

  private static Result.Figure figure(String name, String label, double value) {
    return OutcomeFigures.figure(name, label, value, "");
  }

  private static Result.Table sizes(TraceStatistics numbers) {
    List<List<String>> rows = new ArrayList<>();
    int[] sizes = numbers.sizes();
    int[] bounds = {400, 200, 100, 50, 20, 10, 5, 0};
    int above = Integer.MAX_VALUE;
    for (int bound : bounds) {
      int most = above;
      long count = Arrays.stream(sizes).filter(size -> size > bound && size <= most).count();
      rows.add(
          List.of(
              above == Integer.MAX_VALUE ? "more than " + bound : (bound + 1) + " to " + above,
              Long.toString(count)));
      above = bound;
    }
    return new Result.Table("Rooms by players", List.of("players at a time", "rooms"), rows);
  }
}
