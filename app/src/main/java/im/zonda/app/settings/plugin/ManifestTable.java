package im.zonda.app.settings.plugin;

import im.zonda.app.settings.toml.Place;
import im.zonda.app.settings.toml.Problem;
import im.zonda.app.settings.toml.TomlValue;
import im.zonda.config.annotation.UnitText;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// One table of a manifest.
///
/// @param table what is written
/// @param path its name with a full stop at the end; empty for the top
/// @param problems takes the errors
record ManifestTable(TomlValue.Table table, String path, List<Problem> problems) {
  /// Errors in the order of the file.
  static List<Problem> sorted(List<Problem> problems) {
    return problems.stream()
        .sorted(
            Comparator.comparingInt((Problem problem) -> problem.place().line())
                .thenComparingInt(problem -> problem.place().column()))
        .toList();
  }

  /// A duration such as `30s`, also with a space before its unit; null if it is none.
  static @Nullable Duration duration(String text) {
    return UnitText.duration(text.replaceFirst(" ", ""));
  }

  /// A text that must be there; null, and reported, if it is not.
  @Nullable String required(String key, int most) {
    if (table.entries().get(key) == null) {
      problem(table.place(), path + key + " is missing");
      return null;
    }
    String text = text(key);
    if (text == null) {
      return null;
    }
    if (text.isBlank()) {
      problem(place(key), path + key + " is empty");
      return null;
    }
    if (text.length() > most) {
      problem(place(key), path + key + " is longer than " + most + " characters");
      return null;
    }
    return text;
  }

  /// One sentence without full stop, which must be there; null, and reported, if it is not.
  @Nullable String sentence(String key, int most) {
    String text = required(key, most);
    if (text != null
        && (!text.equals(text.strip())
            || text.endsWith(".")
            || text.chars().anyMatch(Character::isISOControl))) {
      problem(place(key), path + key + " must be one line without spaces around it and full stop");
      return null;
    }
    return text;
  }

  /// A text; null if it is not there, or is no text, which is reported.
  @Nullable String text(String key) {
    TomlValue value = table.entries().get(key);
    if (value instanceof TomlValue.Scalar scalar && scalar.value() instanceof String text) {
      return text;
    }
    if (value != null) {
      wrong(key, "a text");
    }
    return null;
  }

  /// Passes the texts of a list, with their places; other elements are reported.
  void eachText(String key, BiConsumer<String, Place> each) {
    TomlValue value = table.entries().get(key);
    if (value instanceof TomlValue.Array array) {
      for (TomlValue element : array.values()) {
        if (element instanceof TomlValue.Scalar scalar && scalar.value() instanceof String text) {
          each.accept(text, element.place());
        } else {
          problem(element.place(), path + key + " must be a list of texts");
        }
      }
    } else if (value != null) {
      wrong(key, "a list of texts");
    }
  }

  /// The place of a key, or of the table.
  Place place(String key) {
    TomlValue value = table.entries().get(key);
    return value == null ? table.place() : value.place();
  }

  /// Reports a value of a key.
  void wrong(String key, String expected) {
    problem(place(key), path + key + " must be " + expected);
  }

  /// Reports an error.
  void problem(Place place, String message) {
    problems.add(new Problem(place, message));
  }
}
