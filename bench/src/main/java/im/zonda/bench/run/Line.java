package im.zonda.bench.run;

import im.zonda.json.JsonReader;
import im.zonda.json.JsonText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A message between processes of the generator: a line of JSON with a kind.
final class Line {
  /// To a worker: run a scenario.
  static final String RUN = "run";

  /// To a worker: the phase it waits for begins.
  static final String BEGIN = "begin";

  /// To a worker: the server is warm.
  static final String WARM = "warm";

  /// To the parent: the worker has reached a phase.
  static final String PHASE = "phase";

  /// To the parent: the worker waits for the end of the warm-up.
  static final String WARMING = "warming";

  /// To the parent: how far the phase is.
  static final String PROGRESS = "progress";

  /// To the parent: what the last second has brought.
  static final String SECOND = "second";

  /// To the parent: the scenario has ended.
  static final String DONE = "done";

  /// To the parent: the scenario has failed.
  static final String FAILED = "failed";

  private final Map<String, @Nullable Object> members = new LinkedHashMap<>();

  private Line() {}

  static Line of(String kind) {
    return new Line().with("kind", kind);
  }

  static Line parse(String text) {
    Line line = new Line();
    line.members.putAll(JsonReader.object(text));
    return line;
  }

  Line with(String name, Object value) {
    members.put(name, value);
    return this;
  }

  String kind() {
    return text("kind");
  }

  String text(String name) {
    if (members.get(name) instanceof String text) {
      return text;
    }
    throw new IllegalStateException("no " + name + " in " + this);
  }

  long whole(String name) {
    if (members.get(name) instanceof Number number) {
      return number.longValue();
    }
    throw new IllegalStateException("no " + name + " in " + this);
  }

  boolean is(String name) {
    return Boolean.TRUE.equals(members.get(name));
  }

  /// A map of texts or numbers.
  Map<String, Object> map(String name) {
    Map<String, Object> map = new TreeMap<>();
    if (members.get(name) instanceof Map<?, ?> given) {
      given.forEach((key, value) -> {
        if (value != null) {
          map.put(key.toString(), value);
        }
      });
    }
    return map;
  }

  @Override
  public String toString() {
    return JsonText.of(members);
  }
}
