package im.zonda.app.top;

import im.zonda.app.cluster.ClusterOperations;
import im.zonda.app.federation.ServerLink;
import im.zonda.app.metric.MetricOperations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// State of the server at one moment, as its operations say it.
///
/// @param metrics the meters
/// @param links the links with other servers; none without federation
/// @param nodes the nodes of the cluster; none without one
record Frame(
    Map<String, List<MetricOperations.Value>> metrics,
    List<ServerLink> links,
    List<ClusterOperations.Seen> nodes) {
  /// A frame of some values.
  static Frame of(
      List<MetricOperations.Value> values,
      List<ServerLink> links,
      List<ClusterOperations.Seen> nodes) {
    Map<String, List<MetricOperations.Value>> byName = new LinkedHashMap<>();
    values.forEach(each -> byName.computeIfAbsent(each.name(), _ -> new ArrayList<>()).add(each));
    return new Frame(byName, links, nodes);
  }

  /// Whether there is a meter of that name.
  boolean has(String name) {
    return metrics.containsKey(name);
  }

  /// The series with that value of a label; null if there is none.
  MetricOperations.@Nullable Value find(String name, String label) {
    for (MetricOperations.Value each : metrics.getOrDefault(name, List.of())) {
      if (label.isEmpty() || each.labels().contains("\"" + label + "\"")) {
        return each;
      }
    }
    return null;
  }

  /// The value of a series, 0 if there is none.
  double value(String name, String label) {
    MetricOperations.Value found = find(name, label);
    return found == null ? 0 : found.value();
  }

  /// The growth of a series a second, 0 if there is none.
  double rate(String name, String label) {
    MetricOperations.Value found = find(name, label);
    return found == null || found.perSecond() == null ? 0 : found.perSecond();
  }

  /// The sum of all series.
  double sum(String name) {
    return metrics.getOrDefault(name, List.of()).stream()
        .mapToDouble(MetricOperations.Value::value)
        .sum();
  }

  /// The series of a meter with one label, by its value.
  Map<String, MetricOperations.Value> byLabel(String name) {
    Map<String, MetricOperations.Value> all = new LinkedHashMap<>();
    for (MetricOperations.Value each : metrics.getOrDefault(name, List.of())) {
      all.put(label(each.labels(), 0), each);
    }
    return all;
  }

  /// The value of one of the labels of a text such as `a="1",b="2"`.
  static String label(String labels, int index) {
    String[] parts = labels.split("\"", -1);
    return parts.length > 2 * index + 1 ? parts[2 * index + 1] : "";
  }
}
