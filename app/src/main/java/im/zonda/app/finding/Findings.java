package im.zonda.app.finding;

import im.zonda.app.finding.Finding.Level;
import im.zonda.json.JsonText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A list of findings in the order of the checks.
public record Findings(List<Finding> all) {
  private static final int SHORTEST = 12;
  private static final String SEPARATOR = "\t";

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

  private long count(Level level) {
    return all.stream().filter(each -> each.level() == level).count();
  }

  /// One JSON object and a line end.
  public String json() {
    List<Object> findings = new ArrayList<>();
    for (Finding each : all) {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("level", each.level().name().toLowerCase(Locale.ROOT));
      members.put("subject", each.subject());
      members.put("text", each.text());
      members.put("advice", each.advice());
      findings.add(members);
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("problems", count(Level.PROBLEM));
    json.put("warnings", count(Level.WARNING));
    json.put("ok", count(Level.OK));
    json.put("findings", findings);
    return JsonText.of(json) + "\n";
  }

  /// The findings as lines that [#decode] reads.
  public String encode() {
    StringBuilder text = new StringBuilder();
    for (Finding each : all) {
      List<String> fields = new ArrayList<>();
      fields.add(each.level().name());
      fields.add(each.subject());
      fields.add(each.text());
      fields.addAll(each.advice());
      text.append(String.join(SEPARATOR, fields)).append('\n');
    }
    return text.toString();
  }

  /// The findings in such lines.
  ///
  /// @throws IllegalArgumentException if they are no findings
  public static Findings decode(String lines) {
    List<Finding> all = new ArrayList<>();
    for (String line : lines.lines().toList()) {
      String[] fields = line.split(SEPARATOR, -1);
      if (fields.length < 3) {
        throw new IllegalArgumentException("no finding: " + line);
      }
      all.add(
          new Finding(
              Level.valueOf(fields[0]),
              fields[1],
              fields[2],
              Arrays.asList(fields).subList(3, fields.length)));
    }
    return new Findings(all);
  }
}
