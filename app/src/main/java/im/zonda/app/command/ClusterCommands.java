package im.zonda.app.command;

import im.zonda.app.cluster.ClusterCommand;
import im.zonda.config.ServerConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `zonda cluster`.
@Command(
    name = "cluster",
    description = "Nodes of a cluster (in development).",
    synopsisSubcommandLabel = "COMMAND")
final class ClusterCommands implements Runnable {
  private static final long LOOK_MILLIS = 500;

  @Spec private CommandSpec spec;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the specification
  ClusterCommands() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing required subcommand");
  }

  /// `zonda cluster status`.
  @Command(
      name = "status",
      description = "Print the members and their segments, as the running node knows them.")
  int status(@Mixin ConfigOptions options) throws Exception {
    print(run(options, ClusterCommand.STATUS, "text"));
    return 0;
  }

  /// `zonda cluster drain`.
  @Command(
      name = "drain",
      description = {
        "Empty the running node: it accepts no more clients, gives its homes to the other nodes, and"
            + " sends its clients to them.",
        "It stays a member until it is stopped. A node that is stopped is drained before."
      })
  int drain(@Mixin ConfigOptions options) throws Exception {
    ServerConfig config = options.read().config();
    String answer = options.runInServer(config, ClusterCommand.DRAIN, List.of("begin"));
    String before = "";
    while (true) {
      String[] lines = answer.split("\n", 2);
      if (!lines[1].equals(before)) {
        print(lines[1]);
        before = lines[1];
      }
      switch (lines[0]) {
        case "drained" -> {
          return 0;
        }
        case "failed", "none" -> throw new IOException("the node has not been drained");
        default -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
      }
      answer = options.runInServer(config, ClusterCommand.DRAIN, List.of("progress"));
    }
  }

  /// `zonda cluster join`.
  @Command(
      name = "join",
      description = "Undo a drain: the running node takes homes and clients again.")
  int join(@Mixin ConfigOptions options) throws Exception {
    print(run(options, ClusterCommand.JOIN));
    return 0;
  }

  private static String run(ConfigOptions options, String command, String... arguments)
      throws Exception {
    return options.runInServer(options.read().config(), command, List.of(arguments));
  }

  private void print(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(text);
    out.flush();
  }
}
