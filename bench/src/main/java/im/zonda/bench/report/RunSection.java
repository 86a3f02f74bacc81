package im.zonda.bench.report;

import im.zonda.bench.plot.Numbers;
import im.zonda.bench.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The last part of a page: missing figures, the command, and the machine.
final class RunSection {
  private final List<Result> results;

  RunSection(List<Result> results) {
    this.results = results;
  }

  void write(Html html) {
    List<String> missing = missing();
    if (!missing.isEmpty()) {
      html.heading(2, "Not measured, and notes").list(missing);
    }
    html.heading(2, "Repeat it");
    html.raw("<pre tabindex=\"0\">").element("code", "", command()).raw("</pre>");
    html.table("", List.of("setting", "value"), settings());
    html.heading(2, "Machine and servers");
    html.table("", List.of("machine", "value"), machine());
    html.table("", List.of("server", "version", "commit", "options"), subjects());
  }

  /// A sentence for each figure without a value, and the notes.
  List<String> missing() {
    return Stream.concat(
            results.stream().flatMap(RunSection::withoutValue),
            results.stream().flatMap(result -> result.notes().stream()))
        .distinct()
        .toList();
  }

  private static Stream<String> withoutValue(Result result) {
    return result.figures().stream()
        .filter(figure -> Double.isNaN(figure.value()))
        .map(figure -> "Not measured: " + figure.label() + ", " + Figures.subject(result) + ".");
  }

  String command() {
    return results.getFirst().run().command().stream()
        .map(RunSection::quoted)
        .collect(Collectors.joining(" "));
  }

  private static String quoted(String argument) {
    return argument.matches("[A-Za-z0-9_./:=,@%+-]+")
        ? argument
        : "'" + argument.replace("'", "'\\''") + "'";
  }

  List<List<String>> settings() {
    Result.Run run = results.getFirst().run();
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("scenario", run.scenario()));
    rows.add(List.of("measured", Numbers.of(run.seconds()) + " s"));
    rows.add(List.of("begun", run.started().toString()));
    rows.add(List.of("seed", String.valueOf(run.seed())));
    rows.add(List.of("processes of the generator", String.valueOf(run.processes())));
    new TreeMap<>(run.parameters()).forEach((name, value) -> rows.add(List.of("--" + name, value)));
    return rows;
  }

  List<List<String>> machine() {
    Result.Machine machine = results.getFirst().machine();
    return List.of(
        List.of("processors", machine.cores() + " x " + machine.cpu()),
        List.of("memory", Numbers.of(machine.memory() / 1024.0 / 1024 / 1024, "GiB")),
        List.of("system", machine.system()),
        List.of("Java of the generator", machine.java()));
  }

  List<List<String>> subjects() {
    return results.stream()
        .map(Result::subject)
        .map(subject ->
            List.of(
                subject.name(),
                subject.version(),
                subject.commit(),
                String.join(" ", subject.options())))
        .toList();
  }
}
