package im.zonda.bench.command;

import im.zonda.bench.compare.Comparison;
import im.zonda.bench.compare.Pairs;
import im.zonda.bench.compare.RunComparison;
import im.zonda.bench.compare.RunComparisonPage;
import im.zonda.bench.compare.ServerTurn;
import im.zonda.bench.compare.Turn;
import im.zonda.bench.load.Options;
import im.zonda.bench.load.Scenario;
import im.zonda.bench.report.ReportFiles;
import im.zonda.bench.report.ReportMarkdown;
import im.zonda.bench.result.Result;
import im.zonda.bench.result.ResultJson;
import im.zonda.bench.run.CommonOptions;
import im.zonda.bench.run.Progress;
import im.zonda.bench.run.RunSettings;
import im.zonda.bench.run.Runner;
import im.zonda.bench.scenario.Scenarios;
import im.zonda.bench.target.Target;
import im.zonda.bench.target.Targets;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `zonda bench compare`.
@Command(
    name = "compare",
    sortOptions = false,
    description = {
      "Compare the files of two runs, or two servers by turns: A B, B A, A B...",
      "Both servers run all the time; what an operation costs is compared pair by pair."
    },
    footer = {
      "",
      "A and B are folders of runs or their run.json; a folder of several runs of the same load gives"
          + " pairs. Or they are servers: zonda, zonda-volatile, ejabberd, ejabberd-volatile,"
          + " prosody, prosody-volatile, openfire.",
      "",
      "Examples:",
      "  zonda bench compare runs/before runs/after",
      "  zonda bench compare zonda zonda --scenario chat --a zonda=../before/zonda --rigorous",
      "  zonda bench compare zonda zonda --b server-jvm=-XX:+UseZGC --with seconds=20"
    })
final class CompareCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "A", description = "What is compared with.")
  private String a;

  @Parameters(index = "1", paramLabel = "B", description = "What is looked at.")
  private String b;

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      defaultValue = "burst",
      description = "The load of a turn (default: burst).")
  private String scenario;

  @Option(
      names = "--with",
      paramLabel = "NAME=VALUE",
      description = "An option of the scenario; of all, seconds=10 and warm-up=2 are usual here.")
  private Map<String, String> with = new TreeMap<>();

  @Option(names = "--a", paramLabel = "NAME=VALUE", description = "An option of server A.")
  private Map<String, String> ofA = new TreeMap<>();

  @Option(names = "--b", paramLabel = "NAME=VALUE", description = "An option of server B.")
  private Map<String, String> ofB = new TreeMap<>();

  @Option(
      names = "--pairs",
      paramLabel = "N",
      defaultValue = "10",
      description = "Pairs of turns, from 4 to 1000 (default: 10).")
  private int pairs;

  @Option(
      names = "--rigorous",
      description = "Measure A against A too: what this machine shows where there is nothing.")
  private boolean rigorous;

  @Option(
      names = "--out",
      paramLabel = "PATH",
      defaultValue = "compare",
      description = "The folder of the files (default: compare).")
  private Path out;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  CompareCommand() {}

  @Override
  public Integer call() throws Exception {
    if (isRun(a) && isRun(b)) {
      return FileCommands.orExplain(spec, this::files);
    }
    Options options;
    Scenario load;
    Target first;
    Target second;
    try {
      if (pairs < 4 || pairs > 1_000) {
        throw new IllegalArgumentException("--pairs " + pairs + " is not from 4 to 1000");
      }
      load = Scenarios.of(scenario);
      Map<String, String> given = new TreeMap<>(Map.of("seconds", "10", "warm-up", "2"));
      given.putAll(with);
      options = CommonOptions.complete(load, given);
      Options optionsOfA = complete(ofA, "--a");
      Options optionsOfB = complete(ofB, "--b");
      first = target(a, optionsOfA);
      second = target(b, optionsOfB);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    SignalEnd end = SignalEnd.ofThisThread();
    try {
      return servers(load, options, first, second);
    } finally {
      end.release();
    }
  }

  private static boolean isRun(String path) {
    return Files.exists(Path.of(path)) && !Targets.SERVERS.contains(path);
  }

  private static Options complete(Map<String, String> given, String option) {
    Map<String, String> values = new TreeMap<>();
    Targets.OPTIONS.forEach(one -> values.put(one.name(), one.usual()));
    given.forEach((name, value) -> {
      if (values.put(name, value) == null) {
        throw new IllegalArgumentException(option + ": a server has no option " + name);
      }
    });
    return new Options(values);
  }

  private static Target target(String server, Options options) throws IOException {
    List<Target> targets = Targets.of(server, options);
    if (targets.size() != 1) {
      throw new IllegalArgumentException(server + " is not one server");
    }
    return targets.getFirst();
  }

  private int files() throws IOException {
    List<Result> before = ResultJson.readAll(Path.of(a));
    List<Result> after = ResultJson.readAll(Path.of(b));
    RunComparison comparison = new RunComparison(before, after);
    PrintWriter text = spec.commandLine().getOut();
    text.println(comparison.answer());
    text.println();
    text.print(ReportMarkdown.table(RunComparison.columns(), comparison.rows()));
    Path page = Files.createDirectories(out).resolve(ReportFiles.PAGE);
    Files.writeString(page, RunComparisonPage.html(before, after));
    text.println();
    text.println("Report: " + page);
    return 0;
  }

  private int servers(Scenario load, Options options, Target first, Target second)
      throws Exception {
    Instant begun = InstantSource.system().instant();
    Progress quiet =
        new Progress(new PrintWriter(Writer.nullWriter()), false, load.plan(options).time());
    RunSettings settings = new RunSettings(0, "secret", words(), out);
    ServerTurn.Run run =
        (target, side, turn) ->
            new Runner(
                    load,
                    options,
                    settings.in(out.resolve("turns").resolve(turn + "-" + side)),
                    InstantSource.system(),
                    quiet)
                .run(target);
    try (ServerTurn turn = new ServerTurn(first, second, run, null)) {
      say("warming both up");
      double _ = turn.run(Turn.Side.A);
      double _ = turn.run(Turn.Side.B);
      Pairs measured = Pairs.run(turn, pairs, done -> say("pair " + done + " of " + pairs));
      Pairs same =
          rigorous
              ? Pairs.ofSame(turn, pairs, done -> say("A against A, " + done + " of " + pairs))
              : null;
      String nameA = "A (" + name(a, ofA) + ")";
      String nameB = "B (" + name(b, ofB) + ")";
      Comparison comparison = new Comparison(nameA, nameB, turn.unit(), measured, same);
      Result.Run whole = run(turn.last(Turn.Side.A).run(), begun);
      Result result =
          comparison.result(
              whole, turn.last(Turn.Side.B).machine(), turn.last(Turn.Side.B).subject());
      ResultJson.write(Files.createDirectories(out).resolve(ResultJson.FILE), result);
      PrintWriter text = spec.commandLine().getOut();
      text.println(comparison.judgement().sentence());
      result.notes().forEach(text::println);
      text.println("Report: " + ReportFiles.write(out));
      return result.verdicts().stream().allMatch(Result.Verdict::met) ? 0 : 1;
    }
  }

  /// What ran, over all turns.
  private Result.Run run(Result.Run turn, Instant begun) {
    Map<String, String> parameters = new TreeMap<>(turn.parameters());
    parameters.put("scenario", scenario);
    return new Result.Run(
        "compare",
        words(),
        parameters,
        turn.seed(),
        begun,
        (InstantSource.system().millis() - begun.toEpochMilli()) / 1e3,
        turn.processes());
  }

  private static String name(String server, Map<String, String> options) {
    List<String> words = new ArrayList<>(List.of(server));
    options.forEach((name, value) -> words.add(name + "=" + value));
    return String.join(" ", words);
  }

  private void say(String what) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(what);
    err.flush();
  }

  private List<String> words() {
    List<String> words = new ArrayList<>(List.of("zonda"));
    words.addAll(spec.commandLine().getParseResult().originalArgs());
    return words;
  }
}
