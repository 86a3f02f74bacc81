package im.zonda.app.settings;

import im.zonda.app.settings.edit.TomlText;
import im.zonda.app.settings.plugin.AddedManifests;
import im.zonda.app.settings.plugin.PluginKey;
import im.zonda.app.settings.plugin.PluginSetting;
import im.zonda.app.settings.toml.Place;
import im.zonda.app.settings.toml.TomlString;
import im.zonda.app.settings.toml.Words;
import im.zonda.config.ServerConfig;
import im.zonda.config.annotation.Setting.Form;
import im.zonda.config.plugin.PluginValues;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The keys of the configuration as an administrator reads and changes them.
public final class SettingsKeys {
  private static final Pattern SECRET_NAME = Pattern.compile("(?:.*-)?(?:secret|password|token)");
  private static final Pattern FILE = Pattern.compile("\\$\\{file:[^}]+}");

  private SettingsKeys() {}

  /// A key with its value.
  ///
  /// @param key its dotted name
  /// @param value the value that the files and the environment have, in TOML; empty if there is
  ///   none
  /// @param origin where that is from; null for the default
  /// @param meaning the meaning of the setting
  /// @param takes what can be its value
  /// @param waits whether the running server has another value until it is started again
  public record Described(
      String key,
      String value,
      @Nullable Place origin,
      String meaning,
      String takes,
      boolean waits) {}

  /// All keys that are not of single domains, in the order of their names.
  ///
  /// @param running the configuration in force
  public static List<Described> describe(Settings settings, ServerConfig running) {
    ServerConfig wanted = settings.config();
    ServerConfig after = running.withReloadable(wanted);
    List<Described> all = new ArrayList<>();
    for (Keys.Key key : Keys.leaves()) {
      Object value = Keys.valueOf(key, wanted);
      all.add(
          new Described(
              key.dotted(),
              value == null ? "" : written(key, value),
              settings.places().get(key.dotted()),
              key.meaning(),
              Keys.expectation(key),
              !Objects.equals(Keys.valueOf(key, after), value)));
    }
    addPlugins(all, settings);
    all.sort(Comparator.comparing(Described::key));
    return Collections.unmodifiableList(all);
  }

  private static void addPlugins(List<Described> all, Settings settings) {
    Map<String, PluginValues> sections = settings.config().plugin();
    Set<String> names = new TreeSet<>(settings.plugins().byName().keySet());
    names.addAll(sections.keySet());
    for (String name : names) {
      PluginValues written = sections.getOrDefault(name, PluginValues.NONE);
      for (PluginSetting each : PluginSetting.of(settings.plugins().of(name), written)) {
        String key = "plugin." + name + "." + each.name();
        all.add(
            new Described(
                key,
                each.value(),
                settings.places().get(key),
                each.doc().isEmpty() ? "setting of a plugin that is not added" : each.doc(),
                each.takes(),
                false));
      }
    }
  }

  private static String written(Keys.Key key, Object value) {
    return value instanceof Collection<?> values
        ? values.stream()
            .map(each -> TomlString.quoted(each.toString()))
            .collect(Collectors.joining(", ", "[", "]"))
        : Scalars.write(key, value);
  }

  /// A value as TOML, from what people write: a text without quotes, a list with commas or a line
  /// for each element, or TOML itself.
  ///
  /// @param plugins those that are added
  /// @throws IllegalArgumentException if there is no such key
  public static String toToml(List<String> path, String written, AddedManifests plugins) {
    PluginKey ofPlugin = PluginKey.of(path);
    Keys.Key key = find(path);
    String dotted = String.join(".", path);
    if (key == null && ofPlugin == null) {
      throw new IllegalArgumentException("unknown key " + dotted + nearest(dotted));
    }
    String text = written.strip();
    if (text.startsWith("[") || text.matches("(?s)([\"']).*\\1")) {
      return text;
    }
    if (key == null) {
      return Objects.requireNonNull(ofPlugin).toToml(text, plugins);
    }
    if (key.isCollection()) {
      return List.of(text.split("[,\\n]")).stream()
          .map(String::strip)
          .filter(each -> !each.isEmpty())
          .map(TomlString::quoted)
          .collect(Collectors.joining(", ", "[", "]"));
    }
    boolean plain =
        key.type() == boolean.class
            || (Scalars.isWholeNumber(key.type()) && text.matches("\\d{1,18}"));
    return plain ? text : TomlString.quoted(text);
  }

  private static String nearest(String dotted) {
    String nearest = Words.nearest(dotted, Keys.leaves().stream().map(Keys.Key::dotted).toList());
    return nearest == null ? "" : "; did you mean " + nearest + "?";
  }

  /// Whether the value of a key must not be shown.
  ///
  /// @param plugins those that are added
  public static boolean isSecret(List<String> path, AddedManifests plugins) {
    PluginKey ofPlugin = PluginKey.of(path);
    return isSecret(path) || (ofPlugin != null && ofPlugin.isSecret(plugins));
  }

  /// Whether the value of a key is a secret, as far as its name says so.
  private static boolean isSecret(List<String> path) {
    Keys.Key key = find(path);
    return (key != null && key.form() == Form.SECRET)
        || SECRET_NAME.matcher(path.getLast()).matches();
  }

  /// Rejects a value that is a secret. A reference to the file that has it is none.
  ///
  /// @throws IllegalArgumentException if it is one, or there can be no such key
  public static void rejectSecret(String key, @Nullable String value) {
    if (value != null
        && isSecret(TomlText.path(key))
        && !FILE.matcher(value.strip().replaceAll("^[\"']|[\"']$", "")).matches()) {
      throw new IllegalArgumentException(
          key + " is a secret: keep it in a file, and set ${file:/path/of/the/file}.");
    }
  }

  /// The key with these names; null if there is none that has a value.
  private static Keys.@Nullable Key find(List<String> path) {
    Class<?> record = ServerConfig.class;
    for (int i = 0; i < path.size(); i++) {
      Keys.Key key = Keys.of(record, path.subList(0, i)).get(path.get(i));
      if (key == null) {
        return null;
      }
      boolean last = i == path.size() - 1;
      if (key.isMap()) {
        i++; // its next name is a domain
        if (i >= path.size()) {
          return null;
        }
        if (key.valueType() == PluginValues.class) {
          return null; // only its manifest knows its keys
        }
        if (!key.valueType().isRecord()) {
          return i == path.size() - 1 || key.form() == Form.SECRET ? key : null;
        }
        record = key.valueType();
      } else if (key.isSection()) {
        record = key.type();
      } else {
        return last ? key : null;
      }
    }
    return null;
  }
}
