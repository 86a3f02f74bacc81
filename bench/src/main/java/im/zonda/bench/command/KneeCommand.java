package im.zonda.bench.command;

import im.zonda.bench.plot.Numbers;
import im.zonda.bench.result.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/// `zonda bench knee`: the greatest load that a server carries within limits.
@Command(
    name = "knee",
    description = {
      "Find the greatest load that a server carries: run a scenario with twice the load until a rule"
          + " or a limit is missed, then halve the distance.",
      "Rules on the generator do not count, since it shares the machine with the server."
    },
    footer = {
      "",
      "Other options are those of the scenario.",
      "Examples:",
      "  zonda bench knee chat --from 1000 --limit delivery-p99=100",
      "  zonda bench knee cluster --nodes 3 --from 50 --limit login-p99=1000 --limit message-online-p99=1000"
    })
final class KneeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "SCENARIO", description = "The scenario.")
  private String scenario;

  @Option(
      names = "--of",
      paramLabel = "OPTION",
      defaultValue = "rate",
      description = "The option that is the load, a whole number (default: rate).")
  private String of;

  @Option(
      names = "--from",
      paramLabel = "LOAD",
      required = true,
      description = "The load of the first run.")
  private long from;

  @Option(
      names = "--to",
      paramLabel = "LOAD",
      defaultValue = "1000000",
      description = "The greatest load (default: 1000000).")
  private long to;

  @Option(
      names = "--within",
      paramLabel = "PERCENT",
      defaultValue = "10",
      description = "The distance at which the search ends (default: 10).")
  private int within;

  @Option(
      names = "--limit",
      paramLabel = "FIGURE=MOST",
      description = "A figure of the run that may not be greater; several times for several.")
  private List<String> limits = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "bench-runs/knee",
      description = "The folder with a folder for each run (default: bench-runs/knee).")
  private Path out;

  @Unmatched private List<String> others = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  KneeCommand() {}

  @Override
  public Integer call() throws IOException {
    return FileCommands.orExplain(spec, this::run);
  }

  private int run() throws IOException {
    KneeSearch search = new KneeSearch(from, to, within);
    Map<String, Double> most = limits();
    ScenarioRuns runs = new ScenarioRuns(spec.parent().commandLine(), scenario, out);
    String reason = "";
    for (OptionalLong next = search.next(); next.isPresent(); next = search.next()) {
      long load = next.getAsLong();
      String label = of + "-" + load;
      List<String> words = new ArrayList<>(others);
      words.addAll(List.of("--" + of, Long.toString(load)));
      int code = runs.run(label, words);
      if (code > 1) {
        return code; // an option is wrong, for each load
      }
      Result result = runs.results().get(label);
      String missed = result == null ? "the run has not ended" : missed(result, most);
      reason = missed.isEmpty() ? reason : missed;
      search.tried(load, missed.isEmpty());
    }
    if (!runs.results().isEmpty()) {
      runs.report("knee.html", answer(search, reason));
    }
    return search.held() == 0 ? 1 : 0;
  }

  private String answer(KneeSearch search, String reason) {
    OptionalLong failed = search.failed();
    if (search.held() == 0) {
      return "The server carries no " + of + " of those tried: " + reason + ".";
    }
    String carries =
        String.format(Locale.ROOT, "The server carries a %s of %,d", of, search.held());
    return carries
        + (failed.isPresent()
            ? String.format(Locale.ROOT, "; with %,d %s.", failed.getAsLong(), reason)
            : ", the greatest that was asked for.");
  }

  private Map<String, Double> limits() {
    Map<String, Double> most = new LinkedHashMap<>();
    for (String each : limits) {
      int equals = each.indexOf('=');
      if (equals < 1 || !each.substring(equals + 1).matches("\\d+(\\.\\d+)?")) {
        throw new IllegalArgumentException("--limit " + each + " is not FIGURE=MOST");
      }
      most.put(each.substring(0, equals), Double.valueOf(each.substring(equals + 1)));
    }
    return most;
  }

  /// The rule or the limit that a run missed, as a part of a sentence; empty if it held all.
  ///
  /// @param most the greatest value of each figure that has a limit
  /// @throws IllegalArgumentException if the run has no such figure
  static String missed(Result result, Map<String, Double> most) {
    for (Result.Verdict verdict : result.verdicts()) {
      if (!verdict.met() && !verdict.againstGenerator()) {
        return "a rule is missed (" + verdict.rule() + ")";
      }
    }
    for (Map.Entry<String, Double> limit : most.entrySet()) {
      Result.Figure figure =
          result.figures().stream()
              .filter(each -> each.name().equals(limit.getKey()))
              .findFirst()
              .orElseThrow(() ->
                  new IllegalArgumentException(
                      "the scenario has no figure "
                          + limit.getKey()
                          + "; it has "
                          + result.figures().stream().map(Result.Figure::name).toList()));
      if (!(figure.value() <= limit.getValue())) {
        return figure.name() + " is " + Numbers.of(figure.value(), figure.unit());
      }
    }
    return "";
  }
}
