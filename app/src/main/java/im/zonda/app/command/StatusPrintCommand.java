package im.zonda.app.command;

import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.status.StatusOperations;
import im.zonda.app.status.StatusText;
import im.zonda.json.JsonText;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `zonda status`.
@Command(
    name = "status",
    description =
        "Print what the running server does: users, certificates, addresses, memory, database,"
            + " caches.")
final class StatusPrintCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  StatusPrintCommand() {}

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    try (OperationRunner server = options.runningServer(options.read().config())) {
      if (json) {
        out.println(JsonText.of(server.result(StatusOperations.STATUS, Map.of())));
      } else {
        out.print(StatusText.of(server.ask(StatusOperations.STATUS, Map.of())));
      }
    }
    out.flush();
    return 0;
  }
}
