package im.zonda.console.page;

import im.zonda.console.page.Health.Finding;
import im.zonda.console.view.Tone;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Problems between the nodes of a cluster.
final class ClusterHealth {
  /// The operation that says how fast nodes answer each other.
  static final String LATENCY = "cluster.latency";

  /// The operation that lists nodes that are gone.
  static final String MISSING = "cluster.missing";

  /// What nodes in one network need is far less, in milliseconds.
  static final double SLOW = 250;

  /// A node that has not answered for longer than this is slow, in milliseconds.
  static final double AWAITED = 10_000;

  private ClusterHealth() {}

  /// What is found.
  static List<Finding> findings(Desk desk, ServerState state) {
    List<Finding> findings = new ArrayList<>();
    for (String node : state.silent()) {
      findings.add(finding(desk, Tone.BAD, "health.node.silent", node));
    }
    if (state.versions().isEmpty()) {
      return findings;
    }
    if (new TreeSet<>(state.versions().values()).size() > 1) {
      List<String> all = new ArrayList<>();
      state.versions().forEach((node, version) -> all.add(node + " " + version));
      findings.add(finding(desk, Tone.WARNING, "health.node.versions", String.join(", ", all)));
    }
    if (desk.may(MISSING)) {
      for (Map<?, ?> each : Health.list(desk.data(MISSING, Map.of()), "nodes")) {
        findings.add(finding(desk, Tone.BAD, "health.node.missing", Health.string(each, "name")));
      }
    }
    if (desk.may(LATENCY)) {
      slow(desk, findings);
    }
    return findings;
  }

  private static void slow(Desk desk, List<Finding> findings) {
    Map<String, List<String>> slow = new LinkedHashMap<>();
    for (Map<?, ?> each : Health.list(desk.data(LATENCY, Map.of()), "pairs")) {
      if (isSlow(each)) {
        slow.computeIfAbsent(Health.string(each, "to"), _ -> new ArrayList<>())
            .add(Health.string(each, "node"));
      }
    }
    slow.forEach((to, from) ->
        findings.add(
            new Finding(
                Tone.WARNING,
                desk.text("health.node.slow", to, String.join(", ", from)),
                Places.CLUSTER)));
  }

  /// Whether a node answers another one slowly, or not at all.
  static boolean isSlow(Map<?, ?> pair) {
    return number(pair, "median") > SLOW || number(pair, "waiting") > AWAITED;
  }

  /// A number of plain data with its fraction; 0 if there is none.
  static double number(Map<?, ?> data, String name) {
    return data.get(name) instanceof Number found ? found.doubleValue() : 0;
  }

  private static Finding finding(Desk desk, Tone tone, String key, String value) {
    return new Finding(tone, desk.text(key, value), Places.CLUSTER);
  }
}
