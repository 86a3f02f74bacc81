package im.zonda.app.command;

import im.zonda.app.status.StatusCommand;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `zonda status`.
@Command(
    name = "status",
    description = "Print what the running server does: sessions, database, caches.")
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
    String status =
        options.runInServer(
            options.read().config(), StatusCommand.NAME, List.of(json ? "json" : "text"));
    PrintWriter out = spec.commandLine().getOut();
    out.print(status);
    out.flush();
    return 0;
  }
}
