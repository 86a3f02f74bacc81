package im.zonda.app.settings.plugin;

import im.zonda.app.settings.toml.Problem;
import im.zonda.app.settings.toml.TomlValue;
import im.zonda.app.settings.toml.Words;
import im.zonda.config.plugin.PluginValue;
import im.zonda.host.plugin.manifest.PluginManifest;
import im.zonda.host.plugin.manifest.SettingDeclaration;
import im.zonda.host.plugin.manifest.SettingType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the declaration of one setting: a table `[settings.NAME]` of a manifest.
///
/// @param problems takes the errors
record DeclarationReader(List<Problem> problems) {
  private static final int MOST_DOC = 400;
  private static final int MOST_VALUES = 64;
  private static final Set<String> KEYS =
      Set.of("type", "default", "doc", "least", "most", "values");

  /// So it is known for a secret where there is no manifest: a change of the configuration rejects
  /// it before it is in the audit.
  private static final Pattern SECRET = Pattern.compile("(?:.*-)?(?:secret|password|token)");

  /// Reads a declaration; null if it cannot be read, which is reported.
  @Nullable SettingDeclaration read(String name, TomlValue written) {
    String path = "settings." + name;
    if (!(written instanceof TomlValue.Table found)) {
      problems.add(new Problem(written.place(), path + " must be a table"));
      return null;
    }
    ManifestTable table = new ManifestTable(found, path + ".", problems);
    if (!PluginManifest.isWords(name, SettingDeclaration.MOST_NAME)) {
      table.problem(
          found.place(),
          path
              + ": the name must be lower-case words joined by hyphens, at most "
              + SettingDeclaration.MOST_NAME
              + " characters");
    }
    found
        .entries()
        .forEach((key, value) -> {
          if (!KEYS.contains(key)) {
            table.problem(
                value.place(), "unknown key " + path + "." + key + Words.suggestion(key, KEYS));
          }
        });
    String doc = table.sentence("doc", MOST_DOC);
    SettingType type = type(table);
    if (type == null || doc == null) {
      return null;
    }
    if (type == SettingType.SECRET && !SECRET.matcher(name).matches()) {
      table.problem(
          found.place(), path + ": the name of a secret must end in secret, password or token");
    }
    SettingDeclaration setting =
        new SettingDeclaration(
            name,
            type,
            empty(type),
            doc,
            bound(table, "least", type),
            bound(table, "most", type),
            values(table, type));
    return withUsual(table, setting);
  }

  private static @Nullable SettingType type(ManifestTable table) {
    List<String> words = Arrays.stream(SettingType.values()).map(SettingType::word).toList();
    String word = table.required("type", Integer.MAX_VALUE);
    for (SettingType each : SettingType.values()) {
      if (each.word().equals(word)) {
        return each;
      }
    }
    if (word != null) {
      table.wrong("type", "one of " + String.join(", ", words) + Words.suggestion(word, words));
    }
    return null;
  }

  private static Object empty(SettingType type) {
    return switch (type) {
      case TEXT, SECRET, PATH -> "";
      case NUMBER -> 0L;
      case FLAG -> false;
      case DURATION -> Duration.ZERO;
      case TEXTS -> List.of();
    };
  }

  private static @Nullable Long bound(ManifestTable table, String key, SettingType type) {
    TomlValue written = table.table().entries().get(key);
    if (written == null) {
      return null;
    }
    if (!type.hasBounds()) {
      table.problem(
          written.place(), table.path() + key + " is for the types number and duration only");
      return null;
    }
    Object value = written instanceof TomlValue.Scalar scalar ? scalar.value() : written;
    if (type == SettingType.NUMBER) {
      if (value instanceof Long number) {
        return number;
      }
      table.wrong(key, "a whole number");
      return null;
    }
    Duration duration = value instanceof String text ? ManifestTable.duration(text) : null;
    if (duration == null) {
      table.wrong(key, "a duration such as \"30s\"");
      return null;
    }
    return duration.toMillis();
  }

  private static List<String> values(ManifestTable table, SettingType type) {
    TomlValue written = table.table().entries().get("values");
    if (written == null) {
      return List.of();
    }
    List<String> values = new ArrayList<>();
    table.eachText(
        "values",
        (text, place) -> {
          if (values.contains(text)) {
            table.problem(place, table.path() + "values contains \"" + text + "\" twice");
          } else {
            values.add(text);
          }
        });
    if (!type.hasWords()) {
      table.problem(written.place(), table.path() + "values is for the types text and texts only");
    } else if (written instanceof TomlValue.Array array
        && (array.values().isEmpty() || array.values().size() > MOST_VALUES)) {
      table.wrong("values", "a list of 1 to " + MOST_VALUES + " texts");
    }
    return values;
  }

  private static @Nullable SettingDeclaration withUsual(
      ManifestTable table, SettingDeclaration setting) {
    Long least = setting.least();
    Long most = setting.most();
    if (least != null && most != null && least > most) {
      table.problem(table.place("least"), table.path() + "least is larger than most");
      return null;
    }
    TomlValue written = table.table().entries().get("default");
    if (written == null) {
      if (!setting.allowsEmpty()) {
        table.problem(
            table.table().place(),
            table.path() + "default is missing; it must be " + setting.expectation());
      }
      return setting;
    }
    if (setting.type() == SettingType.SECRET) {
      table.problem(written.place(), table.path() + "default: a secret has none");
      return setting;
    }
    PluginValue value =
        WrittenValue.of(
            written,
            scalar ->
                setting.type() == SettingType.DURATION && scalar.value() instanceof String text
                    ? text.replaceFirst(" ", "")
                    : scalar.value());
    Object usual = value == null ? null : setting.read(value);
    if (usual == null) {
      table.wrong("default", setting.expectation());
      return setting;
    }
    return setting.withUsual(usual);
  }
}
