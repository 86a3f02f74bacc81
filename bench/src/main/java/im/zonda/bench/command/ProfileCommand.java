package im.zonda.bench.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `zonda bench profile`.
@Command(
    name = "profile",
    description = {
      "Run a scenario and say what the server's CPU time is for: shares of network, XML, addresses,"
          + " storage and others, exceptions, and what is allocated.",
      "The server is a Java process of this user; its recording by JDK Flight Recorder is kept."
    },
    synopsisSubcommandLabel = "SCENARIO",
    footer = {
      "",
      "Examples:",
      "  zonda bench profile burst --server zonda,zonda-volatile",
      "  zonda bench profile chat --rate 4000 --seconds 120",
      "  zonda bench profile chat --check",
      "  zonda bench profile login --address 192.0.2.7:5222 --domain example.org --pid 4711"
    })
final class ProfileCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the specification
  ProfileCommand() {}

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getOut());
    return 0;
  }
}
