package im.zonda.app.metric;

import im.zonda.metric.Label;
import im.zonda.metric.Meter;
import java.util.StringJoiner;

/// The page that lists every meter.
public final class MetricReference {
  private static final String HEAD =
      """
      # Metrics

      <!-- Generated from the definitions of the meters; CONTRIBUTING.md says how. -->

      What the server counts and measures: at `/metrics` of the API and of the control socket in the text format of
      Prometheus, as JSON by `server.metrics`, and by `zonda top`. Nothing is counted for an account, a room or another
      server. Times are histograms with bounds from 0.1 ms to 10 s; `server.metrics` has their percentiles of the last
      minute. What the server does not have, such as a cluster, has no series. `host` is `all` if there are more than
      50 hosts.

      | Meter | Kind | Labels | What it is |
      |---|---|---|---|
      """;

  private static final String FOOT =
      """

      `server.history` has the last 12 minutes in steps of five seconds, the last 24 hours in minutes, and the last 30
      days in steps of 15 minutes. Minutes and more are stored every five minutes and at the end, by node, so that they
      are known after a restart and at other nodes. It has them of these:
      """;

  private MetricReference() {}

  /// The page.
  public static String markdown() {
    StringBuilder page = new StringBuilder(HEAD);
    for (Meter each : StandardMeters.ALL) {
      page.append(
          "| `%s` | %s | %s | %s |\n"
              .formatted(each.name(), kind(each.kind()), labels(each), each.help()));
    }
    StringJoiner names = new StringJoiner(", ", "", ".\n");
    MeterHistory.METERS.stream().sorted().forEach(each -> names.add("`" + each + "`"));
    return page.append(FOOT).append(names).toString();
  }

  private static String kind(Meter.Kind kind) {
    return switch (kind) {
      case COUNTER -> "counter";
      case GAUGE -> "gauge";
      case TIMING -> "histogram";
      case SUMMARY -> "summary";
    };
  }

  private static String labels(Meter meter) {
    StringJoiner labels = new StringJoiner(", ");
    for (Label each : meter.labels()) {
      String values = String.join(", ", each.values());
      labels.add("`" + each.name() + "`" + (values.isEmpty() ? "" : " (" + values + ")"));
    }
    return labels.toString();
  }
}
