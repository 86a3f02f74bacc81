package im.zonda.app.settings.toml;

import im.zonda.runtime.FailureText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/// Reads a TOML file.
public final class TomlFile {
  /// Maximum size of a configuration file, in bytes.
  public static final int MAX_BYTES = 1 << 20;

  private TomlFile() {}

  /// Reads a file; messages call it `name`.
  ///
  /// @throws SettingsException if it cannot be read or is not TOML
  public static TomlValue.Table read(Path file, String name) throws SettingsException {
    return parse(text(file, name), name);
  }

  /// Parses `text`; messages call it `name`.
  public static TomlValue.Table parse(String text, String name) throws SettingsException {
    TomlParseResult result = Toml.parse(text);
    if (result.hasErrors()) {
      List<Problem> problems = new ArrayList<>();
      for (TomlParseError error : result.errors()) {
        problems.add(
            new Problem(place(name, error.position()), String.valueOf(error.getMessage())));
      }
      throw new SettingsException(problems);
    }
    return table(result, new Place(name, 1, 1), name);
  }

  private static String text(Path file, String name) throws SettingsException {
    Place place = new Place(name, 1, 1);
    String problem;
    try {
      if (Files.size(file) > MAX_BYTES) {
        problem = "is larger than " + MAX_BYTES + " bytes";
      } else {
        return Utf8File.read(file);
      }
    } catch (NoSuchFileException e) {
      problem = "does not exist";
    } catch (Utf8File.NotUtf8Exception e) {
      place = new Place(name, e.line(), e.column());
      problem = "is not UTF-8";
    } catch (IOException e) {
      problem = "cannot be read: " + FailureText.of(e);
    }
    throw new SettingsException(List.of(new Problem(place, problem)));
  }

  private static TomlValue.Table table(TomlTable table, Place place, String name) {
    Map<String, TomlValue> entries = new LinkedHashMap<>();
    for (String key : table.keySet()) {
      List<String> path = List.of(key);
      TomlPosition position = table.inputPositionOf(path);
      Object value = table.get(path);
      if (value != null) {
        entries.put(key, node(value, position == null ? place : place(name, position), name));
      }
    }
    return new TomlValue.Table(place, entries);
  }

  private static TomlValue node(Object value, Place place, String name) {
    return switch (value) {
      case TomlTable table -> table(table, place, name);
      case TomlArray array -> {
        List<TomlValue> values = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
          values.add(node(array.get(i), place(name, array.inputPositionOf(i)), name));
        }
        yield new TomlValue.Array(place, values);
      }
      default -> new TomlValue.Scalar(place, value);
    };
  }

  private static Place place(String name, @Nullable TomlPosition position) {
    return position == null
        ? new Place(name, 1, 1)
        : new Place(name, position.line(), position.column());
  }
}
