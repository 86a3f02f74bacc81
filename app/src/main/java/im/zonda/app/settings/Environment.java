package im.zonda.app.settings;

import im.zonda.app.settings.toml.Place;
import im.zonda.app.settings.toml.Problem;
import im.zonda.app.settings.toml.TomlValue;
import im.zonda.app.settings.toml.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Overrides keys of the file with environment variables: `ZONDA_C2S__LISTEN` is the key `listen`
/// of `[c2s]`. The elements of lists are separated by commas.
final class Environment {
  private static final String PREFIX = "ZONDA_";
  private static final Pattern OF_PLUGIN =
      Pattern.compile(PREFIX + "PLUGIN__([A-Z0-9]+(?:_[A-Z0-9]+)*)__([A-Z0-9]+(?:_[A-Z0-9]+)*)");

  private Environment() {}

  /// Changes `root`; reports variables that name a known section and an unknown key.
  ///
  /// Ignores other variables that begin with `ZONDA_`: the launcher has some, and container
  /// platforms create some for a service named zonda.
  static void override(
      TomlValue.Table root, Map<String, String> variables, List<Problem> problems) {
    if (variables.keySet().stream().noneMatch(name -> name.startsWith(PREFIX))) {
      return;
    }
    Map<String, Keys.Key> keys = new LinkedHashMap<>();
    Keys.leaves().forEach(key -> keys.put(variable(key.path()), key));
    for (Map.Entry<String, String> entry : new TreeMap<>(variables).entrySet()) {
      String name = entry.getKey();
      Keys.Key key = keys.get(name);
      if (key != null) {
        put(root, key, Place.variable(name), entry.getValue());
      } else if (OF_PLUGIN.matcher(name).matches()) {
        TomlValue value = new TomlValue.Scalar(Place.variable(name), entry.getValue());
        put(root, pathOfPlugin(name), value);
      } else if (namesSection(name)) {
        problems.add(
            new Problem(
                Place.variable(name),
                "unknown setting" + suggestion(name, List.copyOf(keys.keySet()))));
      }
    }
  }

  /// The variable for a key.
  static String variable(List<String> path) {
    return PREFIX + String.join("__", path).replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /// The key of a plugin for a variable.
  private static List<String> pathOfPlugin(String name) {
    Matcher matcher = OF_PLUGIN.matcher(name);
    List<String> path = new ArrayList<>(List.of("plugin"));
    if (matcher.matches()) {
      for (int i = 1; i <= matcher.groupCount(); i++) {
        path.add(matcher.group(i).toLowerCase(Locale.ROOT).replace('_', '-'));
      }
    }
    return path;
  }

  private static String suggestion(String name, List<String> known) {
    Map<String, String> byLowerCase = new LinkedHashMap<>();
    known.forEach(variable -> byLowerCase.put(variable.toLowerCase(Locale.ROOT), variable));
    String nearest = Words.nearest(name, byLowerCase.keySet());
    return nearest == null ? "" : "; did you mean " + byLowerCase.get(nearest) + "?";
  }

  private static boolean namesSection(String name) {
    return name.startsWith(PREFIX)
        && Keys.leaves().stream()
            .filter(key -> key.path().size() > 1)
            .anyMatch(key -> name.startsWith(variable(key.path().subList(0, 1)) + "__"));
  }

  private static void put(TomlValue.Table root, List<String> path, TomlValue value) {
    TomlValue.Table table = root;
    for (String section : path.subList(0, path.size() - 1)) {
      TomlValue inner = table.entries().get(section);
      if (inner instanceof TomlValue.Table found) {
        table = found;
      } else {
        TomlValue.Table made = new TomlValue.Table(value.place(), new LinkedHashMap<>());
        table.entries().put(section, made);
        table = made;
      }
    }
    table.entries().put(path.getLast(), value);
  }

  private static void put(TomlValue.Table root, Keys.Key key, Place place, String text) {
    TomlValue value = new TomlValue.Scalar(place, text);
    if (key.isCollection()) {
      List<TomlValue> values = new ArrayList<>();
      for (String part : text.split(",", -1)) {
        if (!part.isBlank()) {
          values.add(new TomlValue.Scalar(place, part.strip()));
        }
      }
      value = new TomlValue.Array(place, values);
    }
    put(root, key.path(), value);
  }
}
