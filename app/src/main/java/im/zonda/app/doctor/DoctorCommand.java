package im.zonda.app.doctor;

import im.zonda.app.command.ConfigOptions;
import im.zonda.app.finding.Finding;
import im.zonda.app.finding.Findings;
import im.zonda.config.ServerConfig;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `zonda doctor`.
@Command(
    name = "doctor",
    description = {
      "Look for what is wrong: limits, clock, memory, disk, permissions, database, ports,"
          + " certificates, DNS; and say what to do.",
      "Works with and without a running server; the server's own limits are known only while it"
          + " runs. Exit code 1 if there are problems; warnings do not count."
    },
    footer = {"", "Examples:", "  zonda doctor", "  zonda doctor --json"})
public final class DoctorCommand implements Callable<Integer> {
  private static final int PROBLEMS = 1;

  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  public DoctorCommand() {}

  @Override
  public Integer call() throws Exception {
    Findings findings = examine(options.read().config());
    PrintWriter out = spec.commandLine().getOut();
    out.print(json ? findings.json() : findings.lines() + findings.summary());
    out.flush();
    return findings.hasProblems() ? PROBLEMS : 0;
  }

  private Findings examine(ServerConfig config) throws Exception {
    try {
      return options.isServerRunning(config)
          ? Findings.decode(options.runInServer(config, DoctorInServer.NAME, List.of()))
          : here(config);
    } catch (AccessDeniedException e) {
      LoggerFactory.getLogger(DoctorCommand.class).atDebug().setCause(e).log("server_not_asked");
      List<Finding> all = new ArrayList<>(here(config).all());
      all.set(
          0,
          Finding.warning(
              "server",
              "a server may be running, but this user may not ask it",
              "run the command as root or as the user that runs the server"));
      return new Findings(all);
    }
  }

  private static Findings here(ServerConfig config) {
    return DoctorInServer.examine(config, null, InstantSource.system());
  }
}
