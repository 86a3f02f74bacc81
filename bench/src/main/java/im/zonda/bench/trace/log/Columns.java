package im.zonda.bench.trace.log;

import im.zonda.bench.trace.EventKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which column of a log has which field of a trace, and which words mean which events.
///
/// @param names the column's name by field: `time`, `event`, `player`, `room`, `to`, `bytes`,
///   `text`
/// @param events the kind by the log's word
public record Columns(Map<String, String> names, Map<String, EventKind> events) {
  private static final List<String> FIELDS =
      List.of("time", "event", "player", "room", "to", "bytes", "text");

  /// Copies the maps.
  public Columns {
    names = Map.copyOf(names);
    events = Map.copyOf(events);
  }

  /// Reads the text of the options.
  ///
  /// @param columns such as `time=at,player=user,room=channel,text=message`; a field that is not
  ///   named has a column of its own name, if the log has one
  /// @param events such as `enter=join,msg=say`; the words of the format mean themselves
  /// @throws IllegalArgumentException if a field or event is unknown
  public static Columns parse(String columns, String events) {
    Map<String, String> names = new HashMap<>();
    FIELDS.forEach(field -> names.put(field, field));
    pairs(columns)
        .forEach((field, column) -> {
          if (!FIELDS.contains(field)) {
            throw new IllegalArgumentException(
                "unknown field \"" + field + "\"; the fields are " + String.join(", ", FIELDS));
          }
          names.put(field, column);
        });
    Map<String, EventKind> kinds = new HashMap<>();
    for (EventKind kind : EventKind.values()) {
      kinds.put(kind.word(), kind);
    }
    pairs(events).forEach((word, kind) -> kinds.put(word, EventKind.of(kind)));
    return new Columns(names, kinds);
  }

  private static Map<String, String> pairs(String text) {
    Map<String, String> pairs = new HashMap<>();
    for (String pair : text.isBlank() ? new String[0] : text.split(",", -1)) {
      int equals = pair.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("\"" + pair + "\" is not NAME=VALUE");
      }
      pairs.put(pair.substring(0, equals).strip(), pair.substring(equals + 1).strip());
    }
    return pairs;
  }

  /// The value of a field in a line of the log.
  ///
  /// @param line values by column
  /// @return null if the line has no such column, or the value is empty
  @Nullable String value(Map<String, String> line, String field) {
    String value = line.get(names.get(field));
    return value == null || value.isEmpty() ? null : value;
  }

  /// The kind of the event of a line. A line without one is a message.
  ///
  /// @throws IllegalArgumentException if the word is unknown
  EventKind kind(Map<String, String> line) {
    String word = value(line, "event");
    if (word == null) {
      return value(line, "to") == null ? EventKind.SAY : EventKind.DM;
    }
    EventKind kind = events.get(word);
    if (kind == null) {
      throw new IllegalArgumentException(
          "unknown event \"" + word + "\"; say what it is with --events " + word + "=KIND");
    }
    return kind;
  }
}
