package im.zonda.app.command;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `zonda edge`.
@Command(
    name = "edge",
    description =
        "Start an edge in the foreground: it keeps the connections of clients for a server.")
final class EdgeCommand implements Callable<Integer> {
  private final Program program;
  @Spec private CommandSpec spec;

  @Option(
      names = {"-c", "--config"},
      required = true,
      paramLabel = "FILE",
      description = "Configuration file of the edge.")
  private Path config;

  /// Made for picocli, which sets the fields.
  @SuppressWarnings("NullAway.Init")
  EdgeCommand(Program program) {
    this.program = program;
  }

  @Override
  public Integer call() throws Exception {
    return program.edge().run(config, spec.commandLine().getOut());
  }
}
