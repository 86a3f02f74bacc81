package im.zonda.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import im.zonda.config.ServerConfig;
import im.zonda.operation.Call;
import im.zonda.operation.Caller;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import im.zonda.operation.execution.OtherNodes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// The log of a running server.
///
/// @param recent the last lines
/// @param config the configuration in force
/// @param nodes the other nodes of the cluster
public record LogOperations(RecentLines recent, Supplier<ServerConfig> config, OtherNodes nodes) {
  /// From which level on events are logged.
  public enum Threshold {
    OFF,
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE
  }

  /// A logger with a level of its own.
  public record Named(
      @Field("the logger: the class or package of the events") String logger,
      @Field("from which level on it logs") Threshold level) {}

  /// A logger of a node with a level of its own.
  public record Leveled(
      @Field(Field.NODE) @Nullable String node,
      @Field("the logger: the class or package of the events") String logger,
      @Field("from which level on it logs") Threshold level) {}

  /// Loggers.
  public record Levels(@Field("the loggers with a level of their own") List<Leveled> loggers) {}

  /// Which lines.
  public record Chosen(
      @Field(value = "how many lines", fallback = "50", min = 0, max = RecentLines.MOST) int lines,
      @Field(value = "only lines of this level and above", fallback = "trace") Threshold level,
      @Field("only lines after this one, by its number") @Nullable Long after) {}

  /// Which lines are followed.
  public record Followed(
      @Field(value = "how many lines of before", fallback = "50", min = 0, max = RecentLines.MOST)
          int lines,
      @Field(value = "only lines of this level and above", fallback = "trace") Threshold level,
      @Field(
              value = "the name of a node of the cluster, if not the one that is asked, or all",
              max = 255)
          @Nullable String node) {}

  /// A line.
  public record Line(
      @Field(Field.NODE) @Nullable String node,
      @Field("its number at that node since the start; the numbers grow") @Nullable Long number,
      @Field("when it was logged") Instant time,
      @Field("its level") Threshold level,
      @Field(value = "the line as in the log", form = Form.LINES, max = 100_000) String text) {}

  /// Lines.
  public record Lines(@Field("the lines, the oldest first") List<Line> lines) {}

  /// Which event.
  public record Event(
      @Field(value = "the name of the event, such as store_failing", max = 100) String event) {}

  /// What an event means.
  public record Meaning(@Field("what it means, and what to do") String meaning) {}

  /// `log.explain`.
  public static final Operation<Event, Meaning> EXPLAIN =
      Operation.read("log.explain", Right.SERVER)
          .at(
              "GET /log/events/{event}",
              "Say what an event of the log means",
              Event.class,
              Meaning.class);

  /// `log.levels`.
  public static final Operation<Nothing, Levels> LEVELS =
      Operation.read("log.levels", Right.SERVER)
          .ofNodes()
          .at("GET /log/levels", "Show what is logged", Nothing.class, Levels.class);

  /// `log.set`.
  public static final Operation<Named, Nothing> SET =
      Operation.change("log.set", Right.SERVER)
          .ofNodes()
          .at(
              "POST /log/levels",
              "Log more or less of a package or class until the server is started again",
              Named.class,
              Nothing.class);

  /// `log.reset`.
  public static final Operation<Nothing, Nothing> RESET =
      Operation.change("log.reset", Right.SERVER)
          .ofNodes()
          .at("POST /log/reset", "Log again as configured", Nothing.class, Nothing.class);

  /// `log.show`.
  public static final Operation<Chosen, Lines> SHOW =
      Operation.read("log.show", Right.SERVER)
          .ofNodes()
          .at("GET /log", "Show the last lines of the log", Chosen.class, Lines.class);

  /// `log.tail`.
  public static final Operation<Followed, Line> TAIL =
      Operation.read("log.tail", Right.SERVER)
          .at("GET /log/tail", "Follow the log", Followed.class, Line.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(EXPLAIN, LEVELS, SET, RESET, SHOW, TAIL);

  /// The operations.
  public List<Offer<?, ?>> offers() {
    return List.of(
        EXPLAIN.by((_, wanted) -> explain(wanted.event())),
        LEVELS.by((_, _) -> levels()),
        SET.by(LogOperations::set),
        RESET.by((_, _) -> reset()),
        SHOW.by((_, chosen) -> Outcome.done(new Lines(last(chosen)))),
        TAIL.by((call, followed) -> tail(call.caller(), followed)));
  }

  private static Outcome<Meaning> explain(String event) {
    String meaning = EventMeanings.all().get(event);
    return meaning == null
        ? Outcome.notFound("There is no event " + event + ".")
        : Outcome.done(new Meaning(meaning));
  }

  private static @Nullable LoggerContext context() {
    return LoggerFactory.getILoggerFactory() instanceof LoggerContext found ? found : null;
  }

  private static <R extends Record> Outcome<R> unknown() {
    return Outcome.refused(Reason.NOT_APPLICABLE, "This process has a log of its program.");
  }

  private static Outcome<Levels> levels() {
    LoggerContext context = context();
    return context == null
        ? unknown()
        : Outcome.done(
            new Levels(
                context.getLoggerList().stream()
                    .filter(each -> each.getLevel() != null)
                    .map(each -> new Leveled(null, each.getName(), threshold(each.getLevel())))
                    .toList()));
  }

  private static Outcome<Nothing> set(Call call, Named named) {
    LoggerContext context = context();
    if (context == null) {
      return unknown();
    }
    if (!named.logger().matches("[A-Za-z][\\w.$-]{0,199}")) {
      return Outcome.invalid("logger", "A logger has the name of a package or a class.");
    }
    Logger logger = context.getLogger(named.logger());
    Level before = logger.getEffectiveLevel();
    logger.setLevel(Level.toLevel(named.level().name()));
    call.changed(named.logger(), word(before), word(logger.getEffectiveLevel()));
    return Nothing.done();
  }

  private static String word(Level level) {
    return level.toString().toLowerCase(Locale.ROOT);
  }

  private Outcome<Nothing> reset() {
    LoggerContext context = context();
    if (context == null) {
      return unknown();
    }
    for (Logger each : context.getLoggerList()) {
      if (!each.getName().equals(org.slf4j.Logger.ROOT_LOGGER_NAME)) {
        each.setLevel(null);
      }
    }
    LogSetup.apply(config.get().log());
    return Nothing.done();
  }

  /// The last lines that are chosen.
  List<Line> last(Chosen chosen) {
    List<RecentLines.Line> known = recent.after(0);
    Long after = chosen.after();
    // A number that is not known yet is one of before the start.
    long first = after == null || known.isEmpty() || known.getLast().number() < after ? 0 : after;
    List<Line> found =
        known.stream()
            .filter(each -> each.number() > first && isShown(each, chosen.level()))
            .map(LogOperations::line)
            .toList();
    return found.subList(Math.max(0, found.size() - chosen.lines()), found.size());
  }

  private Outcome<Line> tail(Caller caller, Followed followed) {
    String node = followed.node();
    if (node == null || node.equals(nodes.self())) {
      return new Outcome.Following<>(sink -> follow(followed, sink));
    }
    if (!node.equals(Operation.ALL_NODES) && !nodes.names().contains(node)) {
      return Outcome.invalid(
          Operation.NODE,
          "There is no node "
              + node
              + (nodes.names().isEmpty()
                  ? "; this server is no node of a cluster."
                  : "; there is " + String.join(", ", nodes.names()) + "."));
    }
    return new Outcome.Following<>(new LogOfNodes(this, caller, followed)::follow);
  }

  /// Gives the last lines to a sink, and then each that is logged here.
  void follow(Followed followed, Outcome.Sink<Line> sink) throws IOException, InterruptedException {
    List<RecentLines.Line> known = recent.after(0);
    long number = known.isEmpty() ? 0 : known.getLast().number();
    for (Line each : last(new Chosen(followed.lines(), followed.level(), null))) {
      sink.accept(each);
    }
    while (true) {
      for (RecentLines.Line each : recent.await(number)) {
        number = each.number();
        if (isShown(each, followed.level())) {
          sink.accept(line(each));
        }
      }
    }
  }

  private static boolean isShown(RecentLines.Line line, Threshold lowest) {
    return lowest != Threshold.OFF && line.level().isGreaterOrEqual(Level.toLevel(lowest.name()));
  }

  private static Line line(RecentLines.Line line) {
    return new Line(
        null,
        line.number(),
        line.time(),
        threshold(line.level()),
        new String(line.bytes(), StandardCharsets.UTF_8).stripTrailing());
  }

  private static Threshold threshold(Level level) {
    // Below the finest there is only what has every level.
    return level.toInt() < Level.TRACE_INT ? Threshold.TRACE : Threshold.valueOf(level.toString());
  }
}
