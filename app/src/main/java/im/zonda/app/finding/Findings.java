package im.zonda.app.finding;

import im.zonda.app.finding.Finding.Level;
import java.util.List;
import java.util.Locale;

/// A list of findings in the order of the checks.
public record Findings(List<Finding> all) {
  private static final int SHORTEST = 12;

  /// Copies the list.
  public Findings {
    all = List.copyOf(all);
  }

  /// Whether there is a problem.
  public boolean hasProblems() {
    return all.stream().anyMatch(Finding::isProblem);
  }

  /// A line for each finding, and its advice below it in lines that can be copied.
  public String lines() {
    int width =
        all.stream().mapToInt(each -> each.subject().length() + 1).reduce(SHORTEST, Math::max);
    String indent = " ".repeat(9 + width + 1);
    StringBuilder text = new StringBuilder();
    for (Finding each : all) {
      text.append(
          String.format(
              Locale.ROOT,
              "%-8s %-" + width + "s %s%n",
              each.level().word(),
              each.subject(),
              each.text()));
      each.advice().forEach(line -> text.append(indent).append(line).append('\n'));
    }
    return text.toString();
  }

  /// How many there are of each level, in a line.
  public String summary() {
    long problems = count(Level.PROBLEM);
    long warnings = count(Level.WARNING);
    return (problems == 0 ? "no problems" : problems == 1 ? "1 problem" : problems + " problems")
        + ", "
        + (warnings == 0 ? "no warnings" : warnings == 1 ? "1 warning" : warnings + " warnings")
        + ", "
        + count(Level.OK)
        + " ok\n";
  }

  /// How many there are of a level.
  public long count(Level level) {
    return all.stream().filter(each -> each.level() == level).count();
  }
}
