package im.zonda.app.command;

import im.zonda.app.status.Version;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `zonda version`.
@Command(name = "version", description = "Print the versions of Zonda and Java.")
final class VersionCommand implements Callable<Integer>, IVersionProvider {
  @Spec private CommandSpec spec;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the specification
  VersionCommand() {}

  @Override
  public String[] getVersion() {
    return new String[] {
      "zonda " + Version.withCommit(),
      "java " + Runtime.version() + " (" + System.getProperty("java.vendor") + ")"
    };
  }

  @Override
  public Integer call() {
    for (String line : getVersion()) {
      spec.commandLine().getOut().println(line);
    }
    return 0;
  }
}
