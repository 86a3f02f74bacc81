package im.zonda.app.settings.edit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseResult;

/// The text of a TOML file, in which single keys are set and removed. Everything else stays as it
/// is written, which is checked by reading the result.
public final class TomlText {
  private static final String HIDDEN = "\"(not shown)\"";

  private TomlText() {}

  /// The names of a dotted key, such as `host."example.org".contact`.
  ///
  /// @throws IllegalArgumentException if it is none
  public static List<String> path(String key) {
    try {
      List<String> path = Toml.parseDottedKey(key);
      if (!path.isEmpty()) {
        return path;
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(key + " is no key", e);
    }
    throw new IllegalArgumentException("no key is given");
  }

  /// A dotted key of these names.
  public static String key(List<String> path) {
    return path.stream()
        .map(name ->
            name.matches("[A-Za-z0-9_-]+")
                ? name
                : '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
        .collect(Collectors.joining("."));
  }

  /// The text with another value of a key.
  ///
  /// @param text valid TOML
  /// @param value in TOML; null removes the key
  /// @throws IllegalArgumentException with a sentence if the key is written in a way that only
  ///   people can change, or the value is no TOML
  public static String with(String text, List<String> path, @Nullable String value) {
    TomlScan scan = TomlScan.of(text);
    for (TomlScan.Entry each : scan.entries()) {
      if (each.path().equals(path) && !each.section().array()) {
        return checked(
            text,
            path,
            value == null
                ? text.substring(0, lineStart(text, each.start())) + text.substring(each.end())
                : text.substring(0, each.value()) + value + text.substring(each.valueEnd()));
      }
      if (path.size() > each.path().size()
          && path.subList(0, each.path().size()).equals(each.path())) {
        throw byHand(each.path());
      }
    }
    return value == null ? text : checked(text, path, added(text, scan, path, value));
  }

  private static IllegalArgumentException byHand(List<String> path) {
    return new IllegalArgumentException(
        key(path) + " is written in a way that only an editor can change: edit the file");
  }

  private static int lineStart(String text, int at) {
    return text.lastIndexOf('\n', at - 1) + 1;
  }

  private static String added(String text, TomlScan scan, List<String> path, String value) {
    List<String> outer = path.subList(0, path.size() - 1);
    TomlScan.Section section = null;
    for (TomlScan.Section each : scan.sections()) {
      if (each.path().equals(outer) && !each.array()) {
        section = each;
      }
    }
    if (section != null) {
      return inserted(text, section.end(), key(path.subList(outer.size(), path.size())), value);
    }
    TomlScan.Entry neighbour = null;
    for (TomlScan.Entry each : scan.entries()) {
      if (each.path().size() > outer.size()
          && each.path().subList(0, outer.size()).equals(outer)
          && each.section().path().size() < outer.size()) {
        neighbour = each;
      }
    }
    if (neighbour != null) {
      int from = neighbour.section().path().size();
      return inserted(text, neighbour.end(), key(path.subList(from, path.size())), value);
    }
    String end = text.isEmpty() ? "" : text.endsWith("\n") ? "\n" : "\n\n";
    return text
        + end
        + "["
        + key(outer)
        + "]\n"
        + key(List.of(path.getLast()))
        + " = "
        + value
        + "\n";
  }

  private static String inserted(String text, int at, String key, String value) {
    String before = at > 0 && text.charAt(at - 1) != '\n' ? "\n" : "";
    return text.substring(0, at) + before + key + " = " + value + "\n" + text.substring(at);
  }

  /// Nothing but that key has changed.
  private static String checked(String before, List<String> path, String after) {
    TomlParseResult parsed = Toml.parse(after);
    if (parsed.hasErrors()) {
      throw new IllegalArgumentException(
          key(path) + ": " + parsed.errors().getFirst().getMessage());
    }
    if (!others(Toml.parse(before), path).equals(others(parsed, path))) {
      throw byHand(path);
    }
    return after;
  }

  private static Map<String, Object> others(TomlParseResult table, List<String> path) {
    Map<String, Object> others = new LinkedHashMap<>();
    for (List<String> each : table.keyPathSet()) {
      if (!each.equals(path)) {
        Object value = Objects.requireNonNull(table.get(each));
        others.put(key(each), value instanceof TomlArray array ? array.toJson() : value);
      }
    }
    return others;
  }

  /// The text without the values of keys that must not be shown.
  ///
  /// @param text of a file, which need not be valid
  public static String without(String text, Predicate<List<String>> hidden) {
    if (Toml.parse(text).hasErrors()) {
      return "(a text that is no TOML, which is not shown)\n";
    }
    StringBuilder shown = new StringBuilder();
    int done = 0;
    for (TomlScan.Entry each : TomlScan.of(text).entries()) {
      boolean table = text.charAt(each.value()) == '{';
      if (hidden.test(each.path()) || (table && hidesAny(text, each, hidden))) {
        shown.append(text, done, each.value()).append(HIDDEN);
        done = each.valueEnd();
      }
    }
    return shown.append(text, done, text.length()).toString();
  }

  private static boolean hidesAny(
      String text, TomlScan.Entry entry, Predicate<List<String>> hidden) {
    TomlParseResult alone = Toml.parse("x = " + text.substring(entry.value(), entry.valueEnd()));
    return alone.keyPathSet().stream()
        .map(inner -> {
          List<String> whole = new ArrayList<>(entry.path());
          whole.addAll(inner.subList(1, inner.size()));
          return whole;
        })
        .anyMatch(hidden);
  }
}
