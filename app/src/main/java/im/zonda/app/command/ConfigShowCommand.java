package im.zonda.app.command;

import im.zonda.app.settings.SettingsText;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `zonda config show`: as the operation `config.show`, which only a running server has; the
/// command must also work before there is one, and without stores.
@Command(
    name = "show",
    description = "Print the effective configuration and the origin of each value.")
final class ConfigShowCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  ConfigShowCommand() {}

  @Override
  public Integer call() throws Exception {
    spec.commandLine().getOut().print(SettingsText.show(options.read()));
    spec.commandLine().getOut().flush();
    return 0;
  }
}
