package im.zonda.bench.trace;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/// The lines `#key=value` at the beginning of a trace.
///
/// @param values by key, in their order
public record TraceHeader(SequencedMap<String, String> values) {
  /// The version of the format.
  public static final int VERSION = 1;

  /// The key of the version.
  public static final String VERSION_KEY = "zonda-trace";

  /// The key of the length of the trace in milliseconds.
  public static final String LENGTH = "length";

  /// The key of the most occupants that a room of the trace may have.
  public static final String MAX_ROOM = "max-room";

  /// Copies the map.
  public TraceHeader {
    values = new LinkedHashMap<>(values);
  }

  /// A header with the version and the keys that each trace has.
  ///
  /// @param millis the length of the trace
  public static TraceHeader of(long millis, int players, int rooms) {
    SequencedMap<String, String> values = new LinkedHashMap<>();
    values.put(VERSION_KEY, Integer.toString(VERSION));
    values.put("clock", "ms since start");
    values.put(LENGTH, Long.toString(millis));
    values.put("players", Integer.toString(players));
    values.put("rooms", Integer.toString(rooms));
    return new TraceHeader(values);
  }

  /// The same with one more line.
  public TraceHeader with(String key, String value) {
    SequencedMap<String, String> more = new LinkedHashMap<>(values);
    more.put(key, value);
    return new TraceHeader(more);
  }

  /// A whole number of the header.
  ///
  /// @param usual the value if the key is missing
  /// @throws IllegalArgumentException if the value is no whole number from 0
  public long whole(String key, long usual) {
    String value = values.get(key);
    if (value == null) {
      return usual;
    }
    try {
      long number = Long.parseLong(value);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("#" + key + "=" + value + " is no whole number", e);
    }
    throw new IllegalArgumentException("#" + key + "=" + value + " is negative");
  }

  /// The lines of the file.
  String text() {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, String> line : values.entrySet()) {
      text.append('#').append(line.getKey()).append('=').append(line.getValue()).append('\n');
    }
    return text.toString();
  }
}
