package im.zonda.app.doctor.command;

import im.zonda.app.command.ConfigOptions;
import im.zonda.app.doctor.DoctorOperations;
import im.zonda.app.doctor.DoctorOperations.Examined;
import im.zonda.app.finding.Finding;
import im.zonda.app.finding.Findings;
import im.zonda.app.operation.run.Answer;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.config.ServerConfig;
import im.zonda.json.JsonText;
import im.zonda.operation.Operation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `zonda doctor`: what the operation of a running server has found; without one, the examination
/// in this process. That must also work if the stores cannot be opened.
@Command(
    name = "doctor",
    description = {
      "Look for what is wrong: limits, clock, memory, disk, permissions, database, ports,"
          + " certificates, DNS; and say what to do.",
      "Works with and without a running server; the server's own limits are known only while it"
          + " runs. Exit code 1 if there are problems; warnings do not count."
    },
    footer = {
      "",
      "Examples:",
      "  zonda doctor",
      "  zonda doctor --json",
      "  zonda doctor --node all"
    })
public final class DoctorCommand implements Callable<Integer> {
  private static final int PROBLEMS = 1;

  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Option(
      names = "--node",
      paramLabel = "NODE",
      description = "Examine this node of the cluster, or all of them: all.")
  private @Nullable String node;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  public DoctorCommand() {}

  @Override
  public Integer call() throws Exception {
    Findings findings = examine(options.read().config());
    PrintWriter out = spec.commandLine().getOut();
    out.print(json ? json(findings) : findings.lines() + findings.summary());
    out.flush();
    return findings.hasProblems() ? PROBLEMS : 0;
  }

  private static String json(Findings findings) {
    Examined examined = Examined.of(findings);
    return JsonText.of(DoctorOperations.DOCTOR.result().data(examined)) + "\n";
  }

  /// What a running server has found; what could not be examined is a problem.
  private Findings found(OperationRunner server) throws IOException {
    Map<String, @Nullable Object> given = new LinkedHashMap<>();
    if (node != null) {
      given.put(Operation.NODE, node);
    }
    Answer answer = server.run(DoctorOperations.DOCTOR, given, _ -> {});
    if (!(answer instanceof Answer.Partly(var result, List<String> failures))) {
      return server.read(DoctorOperations.DOCTOR, answer).toFindings();
    }
    List<Finding> all =
        new ArrayList<>(
            server.read(DoctorOperations.DOCTOR, new Answer.Done(result)).toFindings().all());
    failures.forEach(each ->
        all.add(Finding.problem("node", each, "look at the log of that node, or start it again")));
    return new Findings(all);
  }

  private Findings examine(ServerConfig config) throws Exception {
    try {
      if (node == null && !options.isServerRunning(config)) {
        return DoctorOperations.examineHere(config);
      }
      try (OperationRunner server = options.runningServer(config)) {
        return found(server);
      }
    } catch (AccessDeniedException e) {
      LoggerFactory.getLogger(DoctorCommand.class).atDebug().setCause(e).log("server_not_asked");
      List<Finding> all = new ArrayList<>(DoctorOperations.examineHere(config).all());
      all.set(
          0,
          Finding.warning(
              "server",
              "a server may be running, but this user may not ask it",
              "run the command as root or as the user that runs the server"));
      return new Findings(all);
    }
  }
}
