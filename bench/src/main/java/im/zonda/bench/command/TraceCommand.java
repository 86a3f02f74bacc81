package im.zonda.bench.command;

import im.zonda.bench.report.TracePage;
import im.zonda.bench.trace.Multiplication;
import im.zonda.bench.trace.Trace;
import im.zonda.bench.trace.TraceCheck;
import im.zonda.bench.trace.TraceFile;
import im.zonda.bench.trace.TraceStatistics;
import im.zonda.bench.trace.log.Columns;
import im.zonda.bench.trace.log.TraceImport;
import im.zonda.bench.trace.synth.Arena;
import im.zonda.bench.trace.synth.TraceRecipe;
import im.zonda.bench.trace.synth.TraceSynthesis;
import im.zonda.json.JsonText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `zonda bench trace`.
@Command(
    name = "trace",
    description = "Make, import, check and multiply traces of rooms, which 'bench replay' repeats.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "A trace is a text file, packed by gzip or not: lines of time in ms, event, player, room and"
          + " bytes. It has no texts, and names are hashes if it was imported.",
      "TRACE is such a file, or arena: the preset with 2,600 players in 53 rooms for an hour."
    })
public final class TraceCommand implements Runnable {
  private static final String OUT = "The file that is written; packed if its name ends in .gz.";
  private static final String TRACE = "A file, or arena.";

  @Spec private CommandSpec spec;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the specification
  public TraceCommand() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing required command");
  }

  /// `zonda bench trace synth`.
  @Command(
      name = "synth",
      description = "Make a trace from a seed: the same bytes on each machine.")
  int synth(
      @Option(names = "--preset", defaultValue = TraceRecipe.ARENA, hidden = true) String preset,
      @Option(names = "--seed", defaultValue = "7", description = "Makes the trace.") long seed,
      @Option(names = "--players", defaultValue = "2600", description = "Players, each in a room.")
          int players,
      @Option(names = "--rooms", defaultValue = "53", description = "Rooms of different sizes.")
          int rooms,
      @Option(
              names = "--largest",
              defaultValue = "427",
              description = "Players of the largest room.")
          int largest,
      @Option(names = "--minutes", defaultValue = "60", description = "The length.") double minutes,
      @Option(names = "--out", required = true, paramLabel = "FILE", description = OUT) Path out)
      throws IOException {
    if (!preset.equals(TraceRecipe.ARENA)) {
      throw new IllegalArgumentException("unknown preset " + preset + "; there is arena");
    }
    Arena arena = new Arena(players, rooms, largest, Math.round(minutes * 60_000), seed);
    return write(TraceSynthesis.make(arena), out);
  }

  /// `zonda bench trace import`.
  @Command(
      name = "import",
      description = {
        "Make a trace of the log of another system: CSV, values between tabs, or JSON lines.",
        "Names become hashes, and of texts only the length is kept. The lines need not be sorted."
            + " A log of messages only is enough."
      })
  int importLog(
      @Parameters(paramLabel = "FILE", description = "The log, packed by gzip or not.") Path file,
      @Option(
              names = "--columns",
              defaultValue = "",
              description =
                  "Names of the columns, such as time=at,player=user,room=channel,text=message."
                      + " Fields: time, event, player, room, to, bytes, text.")
          String columns,
      @Option(
              names = "--events",
              defaultValue = "",
              description = "What the log's words mean, such as enter=join,exit=leave,msg=say.")
          String events,
      @Option(
              names = "--time",
              defaultValue = "auto",
              description = "How times are written: millis, seconds, iso or auto.")
          String time,
      @Option(
              names = "--salt",
              required = true,
              paramLabel = "FILE",
              description = "A file of at least 16 secret bytes, for the hashes of names.")
          Path salt,
      @Option(
              names = "--linger",
              defaultValue = "600",
              description =
                  "Seconds from the last message of a player to the departure, if the log has"
                      + " none.")
          double linger,
      @Option(names = "--out", required = true, paramLabel = "FILE", description = OUT) Path out)
      throws IOException {
    return write(
        TraceImport.read(
            file,
            Columns.parse(columns, events),
            clock(time),
            Files.readAllBytes(salt),
            Math.round(linger * 1e3)),
        out);
  }

  private static TraceImport.@Nullable Clock clock(String time) {
    return switch (time) {
      case "auto" -> null;
      case "millis" -> TraceImport.Clock.MILLIS;
      case "seconds" -> TraceImport.Clock.SECONDS;
      case "iso" -> TraceImport.Clock.ISO;
      default ->
          throw new IllegalArgumentException(
              "--time " + time + " is none of auto, millis, seconds, iso");
    };
  }

  /// `zonda bench trace check`.
  @Command(
      name = "check",
      description = "Print all faults of a trace with their lines. Exits with 1 if there are any.")
  int check(
      @Parameters(paramLabel = "FILE", description = "The trace.") Path file,
      @Option(
              names = "--max-room",
              defaultValue = "0",
              description = "The most players of a room. By default what the trace says of itself.")
          int maxRoom)
      throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    long faults = TraceCheck.check(file, maxRoom, out::println);
    out.println(file + ": " + (faults == 0 ? "no faults" : "faults: " + faults));
    out.flush();
    return faults == 0 ? 0 : 1;
  }

  /// `zonda bench trace stats`.
  @Command(name = "stats", description = "Print numbers that describe a trace.")
  int stats(
      @Mixin Source source, @Option(names = "--json", description = "Print JSON.") boolean json)
      throws IOException {
    Trace trace = source.trace();
    TraceStatistics numbers = TraceStatistics.of(trace);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(JsonText.of(numbers.counts()));
    } else {
      out.print(numbers.text());
      out.println("SHA-256                      " + trace.hash());
    }
    out.flush();
    return 0;
  }

  /// `zonda bench trace plot`.
  @Command(
      name = "plot",
      description = "Draw a trace on a page: players, messages, sizes of rooms, gaps, lengths.")
  int plot(
      @Mixin Source source,
      @Option(
              names = "--out",
              defaultValue = "trace.html",
              paramLabel = "FILE",
              description = "The page (default: trace.html).")
          Path out)
      throws IOException {
    Files.writeString(out, TracePage.html(source.name(), source.trace()));
    PrintWriter print = spec.commandLine().getOut();
    print.println("Page: " + out);
    print.flush();
    return 0;
  }

  /// `zonda bench trace multiply`.
  @Command(
      name = "multiply",
      description = {
        "Multiply a trace by copies of whole rooms with their players: more players mean more rooms,"
            + " not fuller ones."
      })
  int multiply(
      @Mixin Source source,
      @Option(names = "--out", required = true, paramLabel = "FILE", description = OUT) Path out)
      throws IOException {
    return write(source.trace(), out);
  }

  private int write(Trace trace, Path out) throws IOException {
    trace.write(TraceFile.writer(out));
    TraceStatistics numbers = TraceStatistics.of(trace);
    PrintWriter print = spec.commandLine().getOut();
    print.printf(
        Locale.ROOT,
        "%s: %,.0f players, %,.0f rooms, the largest %,.0f; %,.0f messages in %,.0f s, %,.0f copies"
            + " a second%nSHA-256 %s%n",
        out,
        numbers.count("players"),
        numbers.count("rooms"),
        numbers.count("largest-room"),
        numbers.count("messages"),
        numbers.count("seconds"),
        numbers.count("copies-per-second"),
        trace.hash());
    print.flush();
    return 0;
  }

  /// A trace and what is done to it.
  static final class Source {
    @Parameters(paramLabel = "TRACE", description = TRACE)
    private String source;

    @Option(names = "--seed", defaultValue = "7", description = "Of the preset and of shifts.")
    private long seed;

    @Option(names = "--times", defaultValue = "1", description = "Clones of each player and room.")
    private int times;

    @Option(
        names = "--shift",
        defaultValue = "30",
        description = "The most seconds by which a clone is moved.")
    private double shift;

    @Option(names = "--speed", defaultValue = "1", description = "Divides all times.")
    private double speed;

    @Option(
        names = "--mix",
        defaultValue = "0",
        description = "Percent of the players whose clones exchange stays in rooms.")
    private double mix;

    @Option(
        names = "--max-room",
        defaultValue = "0",
        description = "Refuse more players than that in a room; 0 for no limit.")
    private int maxRoom;

    @Option(
        names = "--from",
        defaultValue = "-1",
        description =
            "Where the part begins, in seconds. By default the part with the most copies.")
    private double from;

    @Option(
        names = "--length",
        defaultValue = "0",
        description = "Seconds of the part that is used; 0 for the whole trace.")
    private double length;

    @Option(
        names = "--linger",
        defaultValue = "600",
        description = "Seconds from the last message to a departure that the trace does not have.")
    private double linger;

    /// Made by picocli.
    @SuppressWarnings("NullAway.Init") // picocli sets the fields
    Source() {}

    String name() {
      return times == 1 ? source : source + " times " + times;
    }

    Trace trace() throws IOException {
      Multiplication rule =
          new Multiplication(times, Math.round(shift * 1e3), speed, mix / 100, maxRoom, seed);
      return new TraceRecipe(source, seed, from, length, linger, rule).make();
    }
  }
}
