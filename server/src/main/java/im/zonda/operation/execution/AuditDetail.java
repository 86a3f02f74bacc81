package im.zonda.operation.execution;

import im.zonda.store.AuditStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Detail of an entry of the audit: the input without secrets, what was changed, and a reason. What
/// does not fit into [AuditStore#MAX_DETAIL_BYTES] is left out, a whole member of the input or a
/// whole change at a time, and `cut` says what: the names of the members, the number of changes,
/// and whether the reason is shorter than it was.
///
/// @param input null if it is not known
record AuditDetail(
    @Nullable Map<String, @Nullable Object> input,
    List<Map<String, @Nullable Object>> changes,
    @Nullable String reason) {
  /// The length of a reason beside which nothing else fits, in characters.
  private static final int SHORT_REASON = 500;

  /// The detail as JSON.
  ///
  /// @param json writes plain data
  String text(Function<Map<String, @Nullable Object>, String> json) {
    return new Draft(json).text();
  }

  /// What is kept so far.
  private final class Draft {
    private final Function<Map<String, @Nullable Object>, String> json;
    private final Map<String, @Nullable Object> kept = new LinkedHashMap<>();
    private final List<String> left = new ArrayList<>();
    private int count = changes.size();
    private @Nullable String text = reason;

    Draft(Function<Map<String, @Nullable Object>, String> json) {
      this.json = json;
      if (input != null) {
        kept.putAll(input);
      }
    }

    String text() {
      while (!fits() && (!kept.isEmpty() || count > 0)) {
        if (count == 0 || bytes(kept) > bytes(Map.of("changes", changes.subList(0, count)))) {
          dropLargest();
        } else {
          count = fitting();
        }
      }
      String all = text;
      if (!fits() && all != null && all.length() > SHORT_REASON) {
        text = all.substring(0, all.offsetByCodePoints(0, SHORT_REASON / 2));
      }
      return json.apply(members());
    }

    private void dropLargest() {
      String largest = "";
      int most = -1;
      for (Map.Entry<String, @Nullable Object> each : kept.entrySet()) {
        Map<String, @Nullable Object> alone = new LinkedHashMap<>();
        alone.put(each.getKey(), each.getValue());
        if (bytes(alone) > most) {
          most = bytes(alone);
          largest = each.getKey();
        }
      }
      kept.remove(largest);
      left.add(largest);
    }

    /// How many changes fit beside the rest; fewer than there are.
    private int fitting() {
      int low = 0;
      int high = count - 1;
      while (low < high) {
        count = (low + high + 1) / 2;
        if (fits()) {
          low = count;
        } else {
          high = count - 1;
        }
      }
      return low;
    }

    private boolean fits() {
      return bytes(members()) <= AuditStore.MAX_DETAIL_BYTES;
    }

    private int bytes(Map<String, @Nullable Object> members) {
      return json.apply(members).getBytes(StandardCharsets.UTF_8).length;
    }

    private Map<String, @Nullable Object> members() {
      Map<String, @Nullable Object> members = new LinkedHashMap<>();
      if (input != null) {
        members.put("input", kept);
      }
      if (count > 0) {
        members.put("changes", changes.subList(0, count));
      }
      if (text != null) {
        members.put("reason", text);
      }
      Map<String, @Nullable Object> cut = new LinkedHashMap<>();
      if (!left.isEmpty()) {
        cut.put("input", left);
      }
      if (count < changes.size()) {
        cut.put("changes", changes.size() - count);
      }
      if (text != null && !text.equals(reason)) {
        cut.put("reason", true);
      }
      if (!cut.isEmpty()) {
        members.put("cut", cut);
      }
      return members;
    }
  }
}
