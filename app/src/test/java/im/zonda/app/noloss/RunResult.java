package im.zonda.app.noloss;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.history.History;
import im.zonda.testkit.history.LedgerReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// What came of a run.
///
/// @param report the judgement
/// @param line the result in one line
public record RunResult(LedgerReport report, String line) {
  private static final int STORIES = 40;

  /// An empty folder among those of the build, so that what a failure leaves can be read.
  public static Path emptyFolder(String name) throws IOException {
    Path folder = Path.of("target", "no-loss", name).toAbsolutePath();
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    return Files.createDirectories(folder);
  }

  /// Asserts that nothing is wrong, and that something was acknowledged at all.
  ///
  /// @param folder of the report
  public void assertClean(Path folder) {
    String violations = String.join("\n", report.violations());
    assertThat(report.clean())
        .as("%s\n%s\nsee %s", line, violations, folder.resolve("report.txt"))
        .isTrue();
    assertThat(report.counts().acknowledged()).isPositive();
  }

  /// Writes the line, every fault, and what the history says of the first messages with faults.
  public void write(Path file, Path history) throws IOException {
    StringBuilder text = new StringBuilder(line).append('\n');
    report.violations().forEach(how -> text.append("violation: ").append(how).append('\n'));
    Set<String> told = new HashSet<>();
    for (Map.Entry<String, List<History.Key>> fault : report.faults().entrySet()) {
      for (History.Key key : fault.getValue()) {
        text.append(fault.getKey()).append(": ").append(key).append('\n');
        if (told.size() < STORIES) {
          told.add(key.toString());
        }
      }
    }
    if (!told.isEmpty()) {
      text.append("\nfrom history.txt (ms, event, message, session, stanza-id):\n");
      try (var lines = Files.lines(history)) {
        lines
            .filter(line -> told.contains(message(line)))
            .forEach(line -> text.append(line).append('\n'));
      }
    }
    Files.writeString(file, text.toString());
  }

  private static String message(String line) {
    String[] words = line.split(" ", 4);
    return words.length < 3 ? "" : words[2];
  }
}
