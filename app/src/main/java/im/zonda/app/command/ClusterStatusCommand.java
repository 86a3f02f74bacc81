package im.zonda.app.command;

import im.zonda.app.cluster.ClusterCommand;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `zonda cluster`.
@Command(
    name = "cluster",
    description = "Nodes of a cluster (in development).",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true)
final class ClusterStatusCommand implements Runnable {
  @Spec private CommandSpec spec;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the specification
  ClusterStatusCommand() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing required subcommand");
  }

  /// `zonda cluster status`.
  @Command(
      name = "status",
      description = "Print the members and their segments, as the running node knows them.",
      mixinStandardHelpOptions = true)
  int status(@Mixin ConfigOptions options) throws Exception {
    String status =
        options.runInServer(options.read().config(), ClusterCommand.NAME, List.of("text"));
    PrintWriter out = spec.commandLine().getOut();
    out.print(status);
    out.flush();
    return 0;
  }
}
