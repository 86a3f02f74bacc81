package im.zonda.bench.command;

import im.zonda.bench.load.Option;
import im.zonda.bench.load.Scenario;
import im.zonda.bench.run.CommonOptions;
import im.zonda.bench.scenario.Scenarios;
import im.zonda.bench.target.Targets;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/// `zonda bench`.
@Command(
    name = "bench",
    description = {
      "Put a load on an XMPP server, a new one or one that runs, and report what it does and costs.",
      "`zonda bench SCENARIO --help` shows the options of a scenario."
    },
    synopsisSubcommandLabel = "SCENARIO",
    subcommands = {
      CompareCommand.class,
      FileCommands.ReportCommand.class,
      FileCommands.TrendCommand.class,
      FileCommands.PagesCommand.class,
      TraceCommand.class,
      MatrixCommand.class,
      KneeCommand.class
    },
    footer = {
      "",
      "Examples:",
      "  zonda bench burst",
      "  zonda bench chat --rate 5000 --server zonda,ejabberd,prosody",
      "  zonda bench sessions --sessions 50000 --edges 3 --security tls",
      "  zonda bench profile chat --server zonda,zonda-volatile --rate 4000",
      "  zonda bench login --address 192.0.2.7:5222 --domain example.org --dry-run"
    })
public final class BenchCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the specification
  private BenchCommand() {}

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    spec.commandLine().usage(out);
    CommandSpec common =
        CommandSpec.forAnnotatedObject(new ScenarioCommand(Scenarios.ALL.getFirst(), false));
    CommonOptions.ALL.forEach(option -> common.addOption(option(option)));
    Targets.OPTIONS.forEach(option -> common.addOption(option(option)));
    out.println();
    out.println("Options of every scenario:");
    out.print(new CommandLine.Help(common).optionList());
    out.flush();
    return 0;
  }

  /// Adds the command, with a subcommand for each scenario.
  public static void addTo(CommandLine commands) {
    CommandLine bench = new CommandLine(new BenchCommand());
    addScenarios(bench, false);
    CommandLine profile = new CommandLine(new ProfileCommand());
    addScenarios(profile, true);
    bench.addSubcommand(profile);
    bench.addSubcommand("tsung", new CommandLine(TsungCommand.specification()));
    commands.addSubcommand(bench);
  }

  private static void addScenarios(CommandLine parent, boolean profiled) {
    for (Scenario scenario : Scenarios.ALL) {
      CommandSpec spec = CommandSpec.forAnnotatedObject(new ScenarioCommand(scenario, profiled));
      spec.name(scenario.name());
      spec.usageMessage().description(scenario.summary());
      CommonOptions.of(scenario).forEach(option -> spec.addOption(option(option)));
      Targets.OPTIONS.forEach(option -> spec.addOption(option(option)));
      if (profiled) {
        spec.addOption(
            OptionSpec.builder(ScenarioCommand.CHECK)
                .arity("0")
                .type(boolean.class)
                .description("Measure by turns what the recording itself costs.")
                .build());
      }
      parent.addSubcommand(scenario.name(), new CommandLine(spec));
    }
  }

  static OptionSpec option(Option option) {
    boolean flag = option.usual().equals("false");
    boolean plain = flag || option.usual().isEmpty();
    OptionSpec.Builder builder =
        OptionSpec.builder("--" + option.name())
            .description(
                option.meaning().replace("%", "%%")
                    + (plain ? "." : " (default: " + option.usual() + ")."));
    return flag
        ? builder.arity("0").type(boolean.class).build()
        : builder.arity("1").type(String.class).paramLabel("VALUE").build();
  }
}
