package im.zonda.app.command;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST;

import im.zonda.app.command.help.CommandGroups;
import im.zonda.app.command.help.FishCompletion;
import im.zonda.app.command.help.ManPages;
import im.zonda.app.command.help.Suggestions;
import im.zonda.app.compliance.ComplianceOperations;
import im.zonda.app.compliance.ComplianceText;
import im.zonda.app.demo.DemoSettings;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.status.Version;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.json.JsonText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The command `zonda` and its subcommands.
@Command(
    name = "zonda",
    description = "A real-time collaboration server on XMPP.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    subcommands = {
      StartCommand.class,
      EdgeCommand.class,
      StatusPrintCommand.class,
      S2sCommand.class,
      ClusterCommands.class,
      HostCommand.class,
      DatabaseCommand.class,
      ConfigCommand.class,
      VersionCommand.class,
      CommandLine.HelpCommand.class
    },
    commandListHeading = "",
    footer = {
      "",
      "`zonda help COMMAND` or `zonda COMMAND --help` says more, with examples.",
      "In a source tree, `zonda test` runs all tests, `zonda prepare` builds without starting and"
          + " `zonda package` makes packages.",
      "ZONDA_JAVA is the path of the Java installation; ZONDA_JAVA_OPTS are additional JVM options.",
      "ZONDA_CONFIG is the path of the configuration file for commands without --config.",
      "`zonda --offline COMMAND` installs and downloads nothing."
    })
public final class Commands implements Runnable {
  @Spec private CommandSpec spec;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the specification
  Commands() {}

  /// Creates the commands, which print to `out` and `err`.
  public static CommandLine of(Program program, PrintWriter out, PrintWriter err) {
    CommandLine commands = new CommandLine(new Commands(), new Factory(program));
    program.commands().forEach(commands::addSubcommand);
    program.operations().accept(commands);
    addHelpOption(commands);
    commands.getHelpSectionMap().put(SECTION_KEY_COMMAND_LIST, CommandGroups::list);
    return commands
        .setOut(out)
        .setErr(err)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler((failure, _) -> Suggestions.print(failure))
        .setExecutionExceptionHandler((failure, command, parsed) -> {
          command.getErr().println(command.getColorScheme().errorText(ExitCode.describe(failure)));
          return ExitCode.of(failure);
        });
  }

  /// Adds the option `--help` to all subcommands; picocli's own mixin has `--version`, too.
  private static void addHelpOption(CommandLine command) {
    for (CommandLine each : command.getSubcommands().values()) {
      CommandSpec spec = each.getCommandSpec();
      if (spec.findOption("--help") == null) {
        spec.addOption(
            OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Show this help message and exit.")
                .build());
      }
      addHelpOption(each);
    }
  }

  /// Creates the options that need the program; everything else is created by picocli.
  private record Factory(Program program) implements CommandLine.IFactory {
    @Override
    public <K> K create(Class<K> type) throws Exception {
      if (type == EdgeCommand.class) {
        return type.cast(new EdgeCommand(program));
      }
      return type == ConfigOptions.class
          ? type.cast(new ConfigOptions(program))
          : CommandLine.defaultFactory().create(type);
    }
  }

  /// `zonda compliance`.
  @Command(
      name = "compliance",
      description = {
        "Print what each host of the running server has of the XMPP Compliance Suites (XEP-0479).",
        "`off` is what a setting switches on, `no` is what Zonda does not have."
      })
  int compliance(
      @Mixin ConfigOptions options,
      @Option(names = "--json", description = "Print JSON.") boolean json)
      throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    try (OperationRunner server = options.runningServer(options.read().config())) {
      if (json) {
        out.println(JsonText.of(server.result(ComplianceOperations.SHOW, Map.of())));
      } else {
        out.print(ComplianceText.of(server.ask(ComplianceOperations.SHOW, Map.of())));
      }
    }
    out.flush();
    return 0;
  }

  /// `zonda demo`.
  @Command(
      name = "demo",
      description = {
        "Start a server on this machine with twenty people who talk in five rooms, to look around"
            + " in.",
        "Its accounts and messages are in a folder of their own (default: data-demo in the current"
            + " folder)."
      },
      footer = {"", "Example:", "  zonda demo town"})
  int demo(
      @Mixin ConfigOptions options,
      @Parameters(
              arity = "0..1",
              paramLabel = "FOLDER",
              defaultValue = "data-demo",
              description = "Folder of the demo.")
          Path folder)
      throws Exception {
    ConfigOptions demo = options.of(DemoSettings.write(folder), folder.resolve("data"));
    ServerConfig config = demo.read().config();
    PrintWriter out = spec.commandLine().getOut();
    out.println("Creating twenty people, if they are not there yet.");
    List<Jid> _ = demo.withStores(config, stores -> DemoSettings.createAccounts(stores.accounts()));
    out.println(DemoSettings.greeting());
    Thread.ofVirtual().name("demo").start(DemoSettings.people(config, out::println)::live);
    return demo.runServer(false, out);
  }

  /// `zonda completion`.
  @Command(
      name = "completion",
      description = "Print a script by which bash, zsh or fish complete commands and options.",
      footer = {
        "",
        "Examples:",
        "  source <(zonda completion)",
        "  zonda completion > ~/.local/share/bash-completion/completions/zonda",
        "  zonda completion --fish > ~/.config/fish/completions/zonda.fish"
      })
  int completion(@Option(names = "--fish", description = "For fish.") boolean fish) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(
        fish
            ? FishCompletion.of(spec.commandLine())
            : AutoComplete.bash("zonda", spec.commandLine()));
    out.flush();
    return 0;
  }

  /// `zonda manual`.
  @Command(
      name = "manual",
      description = "Write manual pages for man into a folder.",
      footer = {"", "Example:", "  zonda manual ~/.local/share/man/man1"})
  int manual(@Parameters(paramLabel = "FOLDER", description = "Folder, which is made.") Path folder)
      throws IOException {
    Files.createDirectories(folder);
    for (Map.Entry<String, String> page :
        ManPages.of(spec.commandLine(), Version.current()).entrySet()) {
      Files.writeString(folder.resolve(page.getKey()), page.getValue());
    }
    return 0;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing required command");
  }
}
