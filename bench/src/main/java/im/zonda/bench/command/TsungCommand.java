package im.zonda.bench.command;

import im.zonda.bench.judge.Tsung;
import im.zonda.bench.judge.TsungLoad;
import im.zonda.bench.judge.TsungLog;
import im.zonda.bench.judge.TsungResult;
import im.zonda.bench.judge.TsungStory;
import im.zonda.bench.load.Options;
import im.zonda.bench.load.Plan;
import im.zonda.bench.report.ReportPage;
import im.zonda.bench.result.Result;
import im.zonda.bench.result.ResultJson;
import im.zonda.bench.sample.Sampler;
import im.zonda.bench.sample.Samples;
import im.zonda.bench.target.Target;
import im.zonda.bench.target.Targets;
import im.zonda.bench.xmpp.Endpoint;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `zonda bench tsung`.
@Command(
    name = "tsung",
    description = {
      "Have Tsung put a load on a server, as a second opinion.",
      "Tsung must be installed. Its figures stand beside the server's CPU and memory."
    },
    sortOptions = false,
    sortSynopsis = false)
final class TsungCommand implements Callable<Integer> {
  private static final Duration MARGIN = Duration.ofSeconds(30);
  private static final int CONTACTS = 30;

  /// Of the scenario that is only written.
  private static final int XMPP_PORT = 5222;

  private final InstantSource clock = InstantSource.system();

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "STORY",
      description =
          "office (quiet and active people), cluster (roster, message online and offline), story"
              + " (also vCard and group chat) or rooms.")
  private String story;

  @Option(
      names = "--server",
      paramLabel = "NAMES",
      defaultValue = "zonda",
      description = "What is started (default: zonda); several with commas.")
  private String servers;

  @Option(
      names = "--password",
      paramLabel = "WORD",
      defaultValue = "secret",
      description = "The password of the accounts at --address (default: secret).")
  private String password;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "20",
      description = "People who arrive in a second (default: 20).")
  private int rate;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description =
          "How long they arrive, in steps of ten, as Tsung writes its figures (default: 60).")
  private int seconds;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "bench-runs/tsung",
      description = "The folder of the run's files (default: bench-runs/tsung).")
  private Path out;

  @Option(names = "--dry-run", description = "Only write the scenario of Tsung.")
  private boolean dryRun;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  private TsungCommand() {}

  /// The command with the options of targets.
  static CommandSpec specification() {
    CommandSpec specification = CommandSpec.forAnnotatedObject(new TsungCommand());
    Targets.OPTIONS.forEach(option -> specification.addOption(BenchCommand.option(option)));
    return specification;
  }

  @Override
  public Integer call() throws Exception {
    TsungStory chosen;
    List<Target> targets;
    try {
      chosen = TsungStory.of(story);
      check();
      targets = Targets.of(servers, targetOptions());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    PrintWriter text = spec.commandLine().getOut();
    if (dryRun) {
      TsungLoad load =
          new TsungLoad(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), XMPP_PORT),
              "bench.test",
              "rooms.bench.test",
              password,
              rate,
              seconds);
      text.println(chosen.write(out, load));
      text.flush();
      return 0;
    }
    List<Result> results = new ArrayList<>();
    for (Target target : targets) {
      String name = target.subject().name();
      Path own = targets.size() == 1 ? out : out.resolve(name);
      Result result;
      SignalEnd end = SignalEnd.ofThisThread();
      try (target) {
        result = run(chosen, target, own);
      } finally {
        end.release();
      }
      ResultJson.write(own.resolve(ResultJson.FILE), result);
      ResultText.print(text, name, result);
      results.add(result);
    }
    Path report = out.resolve("report.html");
    Files.writeString(report, ReportPage.html(results));
    text.println();
    text.println("Report: " + report);
    text.flush();
    return results.stream().flatMap(r -> r.verdicts().stream()).allMatch(Result.Verdict::met)
        ? 0
        : 1;
  }

  private void check() {
    if (rate < 1 || rate > 1_000) {
      throw new IllegalArgumentException("--rate " + rate + " is not from 1 to 1000");
    }
    if (seconds < 10 || seconds % 10 != 0) {
      throw new IllegalArgumentException(
          "--seconds " + seconds + ": Tsung's figures are of ten seconds each");
    }
  }

  private Result run(TsungStory chosen, Target target, Path folder)
      throws IOException, InterruptedException {
    TsungLoad numbers =
        new TsungLoad(
            InetSocketAddress.createUnresolved("localhost", 0), "", "", password, rate, seconds);
    int accounts = numbers.users() + numbers.absent();
    Duration time = Duration.ofSeconds(seconds).plus(chosen.session()).plus(MARGIN);
    String words = numbers.users() + " people of Tsung's";
    target.start(new Plan(accounts, CONTACTS, true, numbers.users(), time, words));
    Endpoint endpoint = target.endpoints().getFirst();
    TsungLoad load =
        new TsungLoad(
            endpoint.address(),
            endpoint.domain(),
            target.service("rooms"),
            password,
            rate,
            seconds);
    Path scenario = chosen.write(folder, load);
    Instant started = clock.instant();
    TsungLog log;
    Samples samples;
    try (Sampler sampler = new Sampler(target.processes(), List.of())) {
      log = new Tsung(folder.toAbsolutePath()).run(scenario, time);
      samples = sampler.stop();
    }
    Result.Run run =
        new Result.Run(
            "tsung-" + chosen.word(), words(), parameters(), 0, started, samples.seconds(), 1);
    return TsungResult.of(run, target.subject(), load.users(), log, samples);
  }

  private Map<String, String> parameters() {
    return Map.of("rate", Integer.toString(rate), "seconds", Integer.toString(seconds));
  }

  private List<String> words() {
    return ScenarioCommand.words(spec, spec.commandLine().getParseResult().originalArgs());
  }

  /// Those of a target, complete.
  private Options targetOptions() {
    Map<String, String> values = new TreeMap<>();
    for (var option : Targets.OPTIONS) {
      OptionSpec found = spec.findOption("--" + option.name());
      if (found == null || !spec.commandLine().getParseResult().hasMatchedOption(found)) {
        values.put(option.name(), option.usual());
      } else {
        Object value = found.getValue();
        values.put(option.name(), value.toString());
      }
    }
    String security = values.getOrDefault("security", "");
    if (!security.equals("none")) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "--security %s: Tsung's stories have no TLS", security));
    }
    return new Options(values);
  }
}
