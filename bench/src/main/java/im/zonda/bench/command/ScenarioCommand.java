package im.zonda.bench.command;

import im.zonda.bench.load.Option;
import im.zonda.bench.load.Options;
import im.zonda.bench.load.Plan;
import im.zonda.bench.load.Scenario;
import im.zonda.bench.profile.ProfileRun;
import im.zonda.bench.report.ReportFiles;
import im.zonda.bench.result.Result;
import im.zonda.bench.run.CommonOptions;
import im.zonda.bench.run.Progress;
import im.zonda.bench.run.RunSettings;
import im.zonda.bench.run.Runner;
import im.zonda.bench.target.Target;
import im.zonda.bench.target.Targets;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `zonda bench SCENARIO` and `zonda bench profile SCENARIO`.
@Command(sortOptions = false, sortSynopsis = false)
final class ScenarioCommand implements Callable<Integer> {
  private static final DateTimeFormatter FOLDER =
      DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

  /// The flag of profiles that has the cost of the recording measured.
  static final String CHECK = "--check";

  private final Scenario scenario;
  private final boolean profiled;
  private final InstantSource clock = InstantSource.system();

  @Spec private CommandSpec spec;

  @CommandLine.Option(
      names = "--server",
      paramLabel = "NAMES",
      defaultValue = "zonda",
      description =
          "What is started: zonda (the default), zonda-volatile (without archive and durable"
              + " messages), ejabberd, prosody, openfire, ejabberd-volatile and prosody-volatile"
              + " (without archive); several with commas run one after the other and are"
              + " compared.")
  private String servers;

  @CommandLine.Option(
      names = "--password",
      paramLabel = "WORD",
      defaultValue = "secret",
      description = "The password of the accounts at --address (default: secret).")
  private String password;

  @CommandLine.Option(
      names = "--processes",
      paramLabel = "N",
      defaultValue = "auto",
      description =
          "How many processes make the load (default: auto, as many as the limit of open files asks"
              + " for).")
  private String processes;

  @CommandLine.Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The folder of the run's files (default: bench-runs/SCENARIO-TIME).")
  private @Nullable Path out;

  @CommandLine.Option(
      names = "--dry-run",
      description = "Say what the load is and needs, and do nothing.")
  private boolean dryRun;

  @SuppressWarnings("NullAway.Init") // picocli sets the other fields
  ScenarioCommand(Scenario scenario, boolean profiled) {
    this.scenario = scenario;
    this.profiled = profiled;
  }

  @Override
  public Integer call() throws Exception {
    List<Target> targets;
    Options options;
    Plan plan;
    try {
      options = CommonOptions.complete(scenario, given(CommonOptions.of(scenario)));
      plan = scenario.plan(options);
      targets = Targets.of(servers, targetOptions());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    RunSettings settings = new RunSettings(processes(), password, words(), Path.of("bench-runs"));
    PrintWriter text = spec.commandLine().getOut();
    describe(text, plan, settings);
    return dryRun ? 0 : run(targets, options, plan, settings);
  }

  private void describe(PrintWriter text, Plan plan, RunSettings settings) {
    text.println(plan.words());
    long seconds = plan.time().toSeconds();
    int needed = settings.processesFor(plan.sockets());
    text.printf(
        Locale.ROOT,
        "%,d accounts; %,d sockets in %s; about %s.%n",
        plan.accounts(),
        plan.sockets(),
        needed == 1 ? "one process" : needed + " processes",
        seconds >= 120 ? plan.time().toMinutes() + " minutes" : seconds + " seconds");
    text.flush();
  }

  private int run(List<Target> targets, Options options, Plan plan, RunSettings settings)
      throws Exception {
    Path folder =
        out == null
            ? settings
                .out()
                .resolve(
                    (profiled ? "profile-" : "")
                        + scenario.name()
                        + "-"
                        + FOLDER.format(clock.instant()))
            : out;
    PrintWriter text = spec.commandLine().getOut();
    List<Result> results = new ArrayList<>();
    for (Target target : targets) {
      String name = target.subject().name();
      Path own = targets.size() == 1 ? folder : folder.resolve(name);
      try {
        Result result = run(target, options, plan, settings.in(own));
        ResultText.print(text, name, result);
        results.add(result);
      } catch (IOException e) {
        if (targets.size() == 1) {
          throw e;
        }
        // One server that fails costs its own figures only.
        text.println();
        text.println(name + ": no result: " + e.getMessage());
      }
      text.flush();
    }
    if (results.isEmpty()) {
      return 1;
    }
    text.println();
    text.println("Report: " + ReportFiles.write(folder));
    text.flush();
    boolean complete = results.size() == targets.size();
    return complete && results.stream().allMatch(ScenarioCommand::isMet) ? 0 : 1;
  }

  private static boolean isMet(Result result) {
    return result.verdicts().stream().allMatch(Result.Verdict::met);
  }

  @SuppressWarnings("SystemConsoleNull") // since JDK 25 it is null again without a terminal
  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  private Result run(Target target, Options options, Plan plan, RunSettings settings)
      throws Exception {
    Progress progress =
        new Progress(spec.commandLine().getErr(), isTerminal(), plan.time().plusSeconds(10));
    SignalEnd end = SignalEnd.ofThisThread();
    try (target) {
      return profiled
          ? new ProfileRun(scenario, options, settings, clock, progress).run(target, isChecked())
          : new Runner(scenario, options, settings, clock, progress).run(target);
    } finally {
      progress.end();
      end.release();
    }
  }

  private boolean isChecked() {
    return spec.commandLine().getParseResult().hasMatchedOption(CHECK);
  }

  private int processes() {
    if (processes.equals("auto")) {
      return 0;
    }
    if (!processes.matches("[1-9]\\d{0,2}")) {
      throw new ParameterException(
          spec.commandLine(), "--processes " + processes + ": it is a number or auto");
    }
    return Integer.parseInt(processes);
  }

  /// Those of a target, complete.
  private Options targetOptions() {
    Map<String, String> values = new TreeMap<>();
    Targets.OPTIONS.forEach(option -> values.put(option.name(), option.usual()));
    values.putAll(scenario.usualTarget());
    values.putAll(given(Targets.OPTIONS));
    return new Options(values);
  }

  /// The values of options that were given.
  private Map<String, String> given(List<Option> options) {
    Map<String, String> given = new TreeMap<>();
    for (Option option : options) {
      OptionSpec found = spec.findOption("--" + option.name());
      if (found != null && spec.commandLine().getParseResult().hasMatchedOption(found)) {
        given.put(option.name(), found.getValue().toString());
      }
    }
    return given;
  }

  private List<String> words() {
    return words(spec, spec.commandLine().getParseResult().originalArgs());
  }

  /// The command line of a run, also of one that another command has begun with the options alone.
  static List<String> words(CommandSpec command, List<String> given) {
    Deque<String> names = new ArrayDeque<>();
    for (CommandSpec each = command; each != null; each = each.parent()) {
      names.push(each.name());
    }
    List<String> words = new ArrayList<>(names);
    List<String> said = words.subList(1, words.size());
    boolean whole = given.size() >= said.size() && given.subList(0, said.size()).equals(said);
    words.addAll(whole ? given.subList(said.size(), given.size()) : given);
    return words;
  }
}
