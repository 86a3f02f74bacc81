package im.zonda.app.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `zonda start`; its plain forms are read by [PlainStart].
@Command(
    name = "start",
    description = "Start the server in the foreground; stop it with Ctrl-C or SIGTERM.",
    footer = {
      "",
      "Examples:",
      "  zonda start",
      "  zonda start --config /etc/zonda/zonda.toml --data /var/lib/zonda"
    })
final class StartCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  @Option(
      names = PlainStart.EXIT_WHEN_READY,
      hidden = true,
      description = "Accept one connection and stop; for the start-up cache and for tests.")
  private boolean exitWhenReady;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  StartCommand() {}

  @Override
  public Integer call() throws Exception {
    return options.runServer(exitWhenReady, spec.commandLine().getOut());
  }
}
