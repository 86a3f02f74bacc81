package im.zonda.app.trace.otlp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A part of the way of a message as OTLP has it (opentelemetry/proto/trace/v1/trace.proto).
///
/// @param trace the message: all nodes know it by this number
/// @param id the span; not 0
/// @param parent the span of the message as a whole, or 0 if this is it
/// @param name what happens
/// @param start microseconds since 1970
/// @param end microseconds since 1970
/// @param attributes texts and numbers by their names
/// @param failure why the message was not delivered, as a sentence; null if it was not stopped here
record Span(
    long trace,
    long id,
    long parent,
    String name,
    long start,
    long end,
    Map<String, Object> attributes,
    @Nullable String failure) {
  private static final int INTERNAL = 1;
  private static final int SERVER = 2;
  private static final int ERROR = 2;
  private static final long ROOT = 0x5a6f6e6461L;

  /// The span of a message as a whole, by whose number each node finds it.
  static long root(long trace) {
    return mixed(trace ^ ROOT);
  }

  /// The span of a step.
  ///
  /// @param step its number at that node
  static long of(String node, long step) {
    return mixed(step ^ mixed(node.hashCode()));
  }

  /// Each bit of the result depends on all bits of `value`; not 0.
  private static long mixed(long value) {
    long hash = value;
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    hash ^= hash >>> 33;
    return hash == 0 ? 1 : hash;
  }

  /// The span as JSON: ids in hex, numbers of 64 bits as texts, words of sets as numbers.
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("traceId", hex(mixed(trace)) + hex(trace));
    json.put("spanId", hex(id));
    if (parent != 0) {
      json.put("parentSpanId", hex(parent));
    }
    json.put("name", name);
    json.put("kind", parent == 0 ? SERVER : INTERNAL);
    json.put("startTimeUnixNano", nanos(start));
    json.put("endTimeUnixNano", nanos(Math.max(start, end))); // a clock may be set back
    json.put("attributes", attributes(attributes));
    if (failure != null) {
      json.put("status", Map.of("code", ERROR, "message", failure));
    }
    return json;
  }

  private static String hex(long value) {
    return String.format("%016x", value);
  }

  private static String nanos(long micros) {
    return micros + "000";
  }

  /// Attributes as OTLP has them.
  static List<Map<String, Object>> attributes(Map<String, Object> given) {
    List<Map<String, Object>> attributes = new ArrayList<>();
    given.forEach((key, value) -> {
      Map<String, Object> typed =
          value instanceof Number
              ? Map.of("intValue", value.toString())
              : Map.of("stringValue", value.toString());
      Map<String, Object> attribute = new LinkedHashMap<>();
      attribute.put("key", key);
      attribute.put("value", typed);
      attributes.add(attribute);
    });
    return attributes;
  }
}
