package im.zonda.host.plugin.manifest;

import im.zonda.config.plugin.PluginValue;
import im.zonda.config.plugin.PluginValues;
import im.zonda.plugin.PluginSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The settings of a plugin, checked against its manifest.
public final class CheckedSettings implements PluginSettings {
  private final PluginManifest manifest;
  private final Path folder;
  private final Map<String, Object> values;

  private CheckedSettings(PluginManifest manifest, Path folder, Map<String, Object> values) {
    this.manifest = manifest;
    this.folder = folder;
    this.values = Map.copyOf(values);
  }

  /// A value that is not valid.
  ///
  /// @param setting the name of the setting
  /// @param known whether the manifest declares it
  /// @param text what is wrong, after the name of the setting: `must be a duration such as "30s"`;
  ///   contains no value
  public record Fault(String setting, boolean known, String text) {}

  /// All values that are not valid, in the order of their names.
  public static List<Fault> faults(PluginManifest manifest, PluginValues written) {
    List<Fault> faults = new ArrayList<>();
    new TreeMap<>(written.values())
        .forEach((name, value) -> {
          SettingDeclaration setting = manifest.settings().get(name);
          if (setting == null) {
            faults.add(new Fault(name, false, "is no setting of the plugin " + manifest.name()));
          } else if (setting.read(value) == null) {
            faults.add(new Fault(name, true, "must be " + setting.expectation()));
          }
        });
    return faults;
  }

  /// The settings with these values, and defaults for all others.
  ///
  /// @param folder the folder of the plugin, from which relative paths are meant
  /// @throws IllegalArgumentException if a value is not valid; names all that are not
  public static CheckedSettings of(PluginManifest manifest, PluginValues written, Path folder) {
    List<Fault> faults = faults(manifest, written);
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(
          faults.stream()
              .map(
                  fault -> "plugin." + manifest.name() + "." + fault.setting() + " " + fault.text())
              .collect(Collectors.joining("; ")));
    }
    Map<String, Object> values = new HashMap<>();
    manifest
        .settings()
        .forEach((name, setting) -> {
          PluginValue value = written.values().get(name);
          values.put(
              name, value == null ? setting.usual() : Objects.requireNonNull(setting.read(value)));
        });
    return new CheckedSettings(manifest, folder, values);
  }

  @Override
  public String text(String name) {
    return (String) value(name, SettingType.TEXT, SettingType.SECRET);
  }

  @Override
  public long number(String name) {
    return (Long) value(name, SettingType.NUMBER);
  }

  @Override
  public boolean flag(String name) {
    return (Boolean) value(name, SettingType.FLAG);
  }

  @Override
  public Duration duration(String name) {
    return (Duration) value(name, SettingType.DURATION);
  }

  @Override
  public List<String> texts(String name) {
    return ((List<?>) value(name, SettingType.TEXTS)).stream().map(String.class::cast).toList();
  }

  @Override
  public Path path(String name) {
    return folder.resolve((String) value(name, SettingType.PATH)).normalize();
  }

  private Object value(String name, SettingType... types) {
    SettingDeclaration setting = manifest.settings().get(name);
    if (setting == null) {
      throw new IllegalArgumentException(
          PluginManifest.FILE + " of " + manifest.name() + " declares no setting \"" + name + "\"");
    }
    if (!Arrays.asList(types).contains(setting.type())) {
      throw new IllegalArgumentException(
          "the setting \"" + name + "\" is of the type " + setting.type().word());
    }
    return Objects.requireNonNull(values.get(name));
  }

  /// Whether the values are the same: otherwise the plugin takes over a change.
  @Override
  public boolean equals(Object other) {
    return other instanceof CheckedSettings same
        && values.equals(same.values)
        && folder.equals(same.folder)
        && manifest.equals(same.manifest);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  /// The names only: values may be secrets.
  @Override
  public String toString() {
    return "settings of " + manifest.name() + " " + manifest.settings().keySet();
  }
}
