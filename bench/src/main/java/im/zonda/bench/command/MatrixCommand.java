package im.zonda.bench.command;

import im.zonda.bench.plot.Numbers;
import im.zonda.bench.report.Figures;
import im.zonda.bench.result.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/// `zonda bench matrix`: a scenario once for each combination of values.
@Command(
    name = "matrix",
    description = "Run a scenario once for each combination of values, and compare the runs.",
    footer = {
      "",
      "Other options are those of the scenario.",
      "Examples:",
      "  zonda bench matrix replay --vary times=1,2,5,10 --edges 2 --security tls",
      "  zonda bench matrix replay --times 10 --gc serial,parallel,shipped,zgc,shenandoah --edges 2 --security tls",
      "  zonda bench matrix replay --times 5 --pages default,thp,huge",
      "  zonda bench matrix rooms --vary keep-history=true,false"
    })
final class MatrixCommand implements Callable<Integer> {
  private static final String JVM = "--server-jvm";

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "SCENARIO", description = "The scenario.")
  private String scenario;

  @Option(
      names = "--vary",
      paramLabel = "NAME=V1,V2",
      description = "An option of the scenario with its values; several times for combinations.")
  private List<String> vary = new ArrayList<>();

  @Option(
      names = "--gc",
      split = ",",
      paramLabel = "NAME",
      description = "Collectors: shipped, g1, serial, parallel, zgc, shenandoah.")
  private List<String> collectors = new ArrayList<>();

  @Option(
      names = "--pages",
      split = ",",
      paramLabel = "NAME",
      description =
          "Pages of memory: default, thp (transparent huge pages), huge (reserved before; without"
              + " them the JVM warns and uses small ones).")
  private List<String> pages = new ArrayList<>();

  @Option(
      names = JVM,
      paramLabel = "OPTIONS",
      defaultValue = "",
      description = "Further options of the server's virtual machine in all runs.")
  private String java;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "bench-runs/matrix",
      description = "The folder with a folder for each run (default: bench-runs/matrix).")
  private Path out;

  @Unmatched private List<String> others = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  MatrixCommand() {}

  @Override
  public Integer call() throws IOException {
    return FileCommands.orExplain(spec, this::run);
  }

  private int run() throws IOException {
    ScenarioRuns runs = new ScenarioRuns(spec.parent().commandLine(), scenario, out);
    int worst = 0;
    for (Variants.Variant variant : new Variants(varied(), collectors, pages).all()) {
      worst = Math.max(worst, runs.run(variant.label(), words(variant)));
    }
    if (!runs.results().isEmpty()) {
      runs.report("matrix.html", answer(runs.results()));
    }
    return worst;
  }

  private Map<String, List<String>> varied() {
    Map<String, List<String>> options = new LinkedHashMap<>();
    for (String each : vary) {
      int equals = each.indexOf('=');
      if (equals < 1 || equals == each.length() - 1) {
        throw new IllegalArgumentException("--vary " + each + " is not NAME=V1,V2");
      }
      options.put(each.substring(0, equals), List.of(each.substring(equals + 1).split(",", -1)));
    }
    return options;
  }

  private List<String> words(Variants.Variant variant) {
    List<String> words = new ArrayList<>(others);
    variant.options().forEach((name, value) -> words.addAll(List.of("--" + name, value)));
    String options = (java + " " + variant.java()).strip();
    if (!options.isEmpty()) {
      words.addAll(List.of(JVM, options));
    }
    return words;
  }

  /// Which run had the shortest of the longest pauses, and which the longest.
  static String answer(Map<String, Result> results) {
    String least = "";
    String most = "";
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (Map.Entry<String, Result> each : results.entrySet()) {
      double pause = Figures.value(each.getValue(), "pause-max");
      if (pause < low) {
        low = pause;
        least = each.getKey();
      }
      if (pause > high) {
        high = pause;
        most = each.getKey();
      }
    }
    if (low == Double.POSITIVE_INFINITY) {
      return results.size() + " runs; the pauses of the server are unknown.";
    }
    return least.equals(most)
        ? "The longest pause of the server was " + Numbers.of(low, "ms") + "."
        : "The longest pause of the server was "
            + Numbers.of(low, "ms")
            + " with "
            + least
            + " and "
            + Numbers.of(high, "ms")
            + " with "
            + most
            + ".";
  }
}
