package im.zonda.console.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads results of operations as plain data: what is missing is empty.
final class PlainData {
  private PlainData() {}

  static Map<?, ?> member(@Nullable Map<?, ?> data, String name) {
    return data != null && data.get(name) instanceof Map<?, ?> found ? found : Map.of();
  }

  static long number(Map<?, ?> data, String name) {
    return data.get(name) instanceof Number found ? found.longValue() : 0;
  }

  static String string(Map<?, ?> data, String name) {
    return Objects.toString(data.get(name), "");
  }

  static List<Map<?, ?>> list(@Nullable Map<?, ?> data, String name) {
    List<Map<?, ?>> all = new ArrayList<>();
    if (data != null && data.get(name) instanceof List<?> found) {
      for (Object each : found) {
        if (each instanceof Map<?, ?> one) {
          all.add(one);
        }
      }
    }
    return all;
  }
}
