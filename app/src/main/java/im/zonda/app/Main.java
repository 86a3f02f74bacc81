package im.zonda.app;

import im.zonda.app.settings.SettingsException;
import im.zonda.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The program.
///
/// It ends with 0 when all was done, 1 when something failed, 2 when the command line or the
/// configuration is wrong.
@Command(
    name = "zonda",
    description = "A real-time collaboration server on XMPP.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    subcommands = {
      StartCommand.class,
      UserCommand.class,
      ConfigCommand.class,
      VersionCommand.class,
      CommandLine.HelpCommand.class
    },
    footer = {
      "",
      "In a source tree, too: `zonda test` runs all tests, `zonda prepare` builds without starting.",
      "ZONDA_JAVA names the Java installation, ZONDA_JAVA_OPTS adds options of the JVM."
    })
public final class Main implements Runnable {
  /// The command line or the configuration is wrong.
  static final int WRONG = 2;

  /// Something failed.
  static final int FAILED = 1;

  @Spec private CommandSpec spec;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the specification
  Main() {}

  /// Runs a command.
  public static void main(String[] arguments) {
    PrintWriter out = new PrintWriter(System.out, true, System.out.charset());
    PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
    System.exit(commandLine(out, err).execute(arguments));
  }

  /// The commands, writing there.
  static CommandLine commandLine(PrintWriter out, PrintWriter err) {
    return new CommandLine(new Main())
        .setOut(out)
        .setErr(err)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler((failure, command, parsed) -> {
          command.getErr().println(command.getColorScheme().errorText(words(failure)));
          return exitCode(failure);
        });
  }

  private static int exitCode(Exception failure) {
    return failure instanceof SettingsException || failure instanceof IllegalArgumentException
        ? WRONG
        : FAILED;
  }

  /// What a person is told of a failure. What is not foreseen is logged whole.
  private static String words(Exception failure) {
    return switch (failure) {
      case SettingsException wrong -> {
        int count = wrong.problems().size();
        yield wrong.getMessage() + "\n" + (count == 1 ? "1 mistake" : count + " mistakes");
      }
      case IOException _, UncheckedIOException _, StoreException _, IllegalArgumentException _ -> {
        LoggerFactory.getLogger(Main.class).atDebug().setCause(failure).log("command_failed");
        yield "zonda: " + failure.getMessage();
      }
      default -> {
        LoggerFactory.getLogger(Main.class).atError().setCause(failure).log("command_failed");
        yield "zonda: an internal failure: " + failure;
      }
    };
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing required command");
  }
}
