package im.zonda.app.command;

import im.zonda.app.cluster.ClusterOperations;
import im.zonda.app.cluster.ClusterText;
import im.zonda.app.operation.run.Answer;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.json.JsonText;
import im.zonda.operation.Operation;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `zonda cluster`.
@Command(
    name = "cluster",
    description = "Nodes of a cluster (in development).",
    synopsisSubcommandLabel = "COMMAND")
final class ClusterCommands implements Runnable {
  private static final long LOOK_MILLIS = 500;
  private static final String NODE = "--node";
  private static final String OTHER = "Another node of the cluster than that of this data folder.";

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
  int status(
      @Mixin ConfigOptions options,
      @Option(names = NODE, paramLabel = "NODE", description = OTHER) @Nullable String node,
      @Option(names = "--json", description = "Print JSON.") boolean json)
      throws Exception {
    try (OperationRunner server = options.runningServer(options.read().config())) {
      print(
          json
              ? JsonText.of(server.result(ClusterOperations.STATUS, given(node))) + "\n"
              : ClusterText.of(server.ask(ClusterOperations.STATUS, given(node))));
    }
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
  int drain(
      @Mixin ConfigOptions options,
      @Option(names = NODE, paramLabel = "NODE", description = OTHER) @Nullable String node)
      throws Exception {
    try (OperationRunner server = options.runningServer(options.read().config())) {
      if (server.run(ClusterOperations.DRAIN, given(node), _ -> {})
          instanceof Answer.Refused(var _, String text)) {
        throw new IOException(text);
      }
      String before = "";
      while (true) {
        ClusterOperations.Shown now = server.ask(ClusterOperations.STATUS, given(node));
        if (!now.activity().equals(before)) {
          print(now.activity() + "\n");
          before = now.activity();
        }
        switch (now.phase()) {
          case "drained" -> {
            return 0;
          }
          case "failed", "none" -> throw new IOException("the node has not been drained");
          default -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
        }
      }
    }
  }

  /// `zonda cluster join`.
  @Command(
      name = "join",
      description = "Undo a drain: the running node takes homes and clients again.")
  int join(
      @Mixin ConfigOptions options,
      @Option(names = NODE, paramLabel = "NODE", description = OTHER) @Nullable String node)
      throws Exception {
    try (OperationRunner server = options.runningServer(options.read().config())) {
      server.result(ClusterOperations.JOIN, given(node));
      print("the node takes homes and clients again\n");
    }
    return 0;
  }

  private static Map<String, @Nullable Object> given(@Nullable String node) {
    Map<String, @Nullable Object> given = new LinkedHashMap<>();
    if (node != null) {
      given.put(Operation.NODE, node);
    }
    return given;
  }

  private void print(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(text);
    out.flush();
  }
}
