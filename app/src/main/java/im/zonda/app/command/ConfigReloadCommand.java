package im.zonda.app.command;

import im.zonda.app.hosts.ConfigOperations;
import im.zonda.app.operation.run.OperationRunner;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `zonda config reload`.
@Command(
    name = "reload",
    description = "Have the running server read its configuration again.",
    footer = {
      "",
      "If anything is wrong, all errors are reported and nothing changes. Settings that need a"
          + " restart are named."
    })
final class ConfigReloadCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  ConfigReloadCommand() {}

  @Override
  public Integer call() throws Exception {
    try (OperationRunner server = options.runningServer(options.read().config())) {
      spec.commandLine().getOut().print(server.ask(ConfigOperations.RELOAD, Map.of()).text());
    }
    spec.commandLine().getOut().flush();
    return 0;
  }
}
