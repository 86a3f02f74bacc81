package im.zonda.console.chart;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Asks for what was measured.
public final class History {
  /// The name of the operation.
  public static final String OPERATION = "server.history";

  /// The component of its input that is a node of a cluster.
  public static final String NODE = "node";

  private History() {}

  /// The input of the operation.
  ///
  /// @param node empty for this node
  public static Map<String, Object> wanted(
      Inquiry inquiry, Range range, String node, List<String> metrics) {
    Map<String, Object> input = new LinkedHashMap<>();
    input.put("metrics", metrics);
    input.put("step", range.stored());
    input.put("since", inquiry.values().now().minus(range.length()).toString());
    input.put("points", String.valueOf(range.steps()));
    if (!node.isEmpty()) {
      input.put(NODE, node);
    }
    return input;
  }

  /// What was measured in a range; null if it is rejected.
  public static @Nullable Steps read(
      Inquiry inquiry, Range range, String node, List<String> metrics) {
    Map<String, @Nullable Object> data =
        inquiry.data(OPERATION, wanted(inquiry, range, node, metrics));
    return data == null ? null : Steps.read(data, range, inquiry.values().now());
  }
}
