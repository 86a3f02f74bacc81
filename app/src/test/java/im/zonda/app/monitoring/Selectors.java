package im.zonda.app.monitoring;

import im.zonda.app.metric.ScrapedText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The series that an expression of Prometheus asks for.
public final class Selectors {
  private static final Pattern METER =
      Pattern.compile("\\b((?:zonda|jvm|process)_[a-z0-9_]+)(?:\\{([^}]*)})?");
  private static final Pattern CONDITION = Pattern.compile("([a-z_]+)(=~|!~|!=|=)\"([^\"]*)\"");
  private static final Pattern BY = Pattern.compile("\\b(?:by|without|ignoring|on) \\(([^)]*)\\)");

  /// Labels that Prometheus gives, not the server.
  private static final Set<String> OF_PROMETHEUS = Set.of("instance", "job");

  private Selectors() {}

  /// What is wrong with the dashboard and the alerts, for a server that has said `scraped`.
  ///
  /// @param elsewhere the meters that this server has no series of
  public static List<String> problems(ScrapedText scraped, Set<String> elsewhere) {
    return Stream.concat(Dashboard.expressions(), AlertRules.expressions())
        .flatMap(each -> problems(each, scraped, elsewhere).stream())
        .toList();
  }

  /// What is wrong with an expression, for a server that has said `scraped`; empty if nothing is.
  static List<String> problems(String expression, ScrapedText scraped, Set<String> elsewhere) {
    List<String> problems = new ArrayList<>();
    Set<String> labels = new TreeSet<>();
    Matcher meter = METER.matcher(expression);
    int count = 0;
    while (meter.find()) {
      count++;
      String name = meter.group(1);
      if (elsewhere.contains(name)) {
        continue;
      }
      List<String> series = scraped.series(name);
      List<String> wanted = new ArrayList<>();
      Matcher condition = CONDITION.matcher(meter.group(2) == null ? "" : meter.group(2));
      while (condition.find()) {
        if (!OF_PROMETHEUS.contains(condition.group(1))) {
          wanted.add(condition.group(1) + condition.group(2) + "\"" + condition.group(3) + "\"");
        }
      }
      if (series.stream().noneMatch(each -> wanted.stream().allMatch(each::contains))) {
        problems.add("no series " + name + wanted + " for " + expression);
      }
      series.forEach(each -> labels.addAll(names(each)));
    }
    Matcher by = BY.matcher(expression);
    while (by.find()) {
      for (String label : by.group(1).split(", *", -1)) {
        if (!OF_PROMETHEUS.contains(label) && !labels.contains(label)) {
          problems.add("no label " + label + " for " + expression);
        }
      }
    }
    if (count == 0 && !expression.startsWith("up{")) {
      problems.add("no meter in " + expression);
    }
    return problems;
  }

  private static List<String> names(String series) {
    List<String> names = new ArrayList<>();
    Matcher label = CONDITION.matcher(series);
    while (label.find()) {
      names.add(label.group(1));
    }
    return names;
  }
}
