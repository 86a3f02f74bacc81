package im.zonda.study;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/// The program of the studies.
@Command(
    name = "zonda study",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "STUDY",
    description = "Studies that need the source tree.",
    subcommands = RuntimeCommand.class)
public final class StudyMain {
  private StudyMain() {}

  /// Runs a study, and ends the process.
  public static void main(String[] arguments) {
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(StudyMain::endPrograms));
    System.exit(new CommandLine(new StudyMain()).execute(arguments));
  }

  /// Ends the servers and generators of a study that is cut. The database has an end of its own.
  private static void endPrograms() {
    ProcessHandle.current()
        .descendants()
        .filter(process -> process.info().command().orElse("").endsWith("/java"))
        .forEach(process -> {
          boolean _ = process.destroyForcibly();
        });
  }
}
