package im.zonda.app.settings.plugin;

import im.zonda.app.settings.toml.TomlString;
import im.zonda.config.annotation.UnitText;
import im.zonda.config.plugin.PluginValue;
import im.zonda.config.plugin.PluginValues;
import im.zonda.host.plugin.manifest.PluginManifest;
import im.zonda.host.plugin.manifest.SettingDeclaration;
import im.zonda.host.plugin.manifest.SettingType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A setting of a plugin with its value, for people.
///
/// @param name its name
/// @param value its value as TOML, never a secret
/// @param set whether the configuration sets it; otherwise it is the default
/// @param doc what it is; empty if the manifest does not declare it
/// @param takes what can be its value; empty if the manifest does not declare it
public record PluginSetting(String name, String value, boolean set, String doc, String takes) {
  /// The settings that the manifest declares, in its order, and then those that only the
  /// configuration has, whose values may be secrets and are not shown.
  ///
  /// @param manifest null if the plugin is not added
  public static List<PluginSetting> of(@Nullable PluginManifest manifest, PluginValues written) {
    List<PluginSetting> all = new ArrayList<>();
    if (manifest != null) {
      for (SettingDeclaration each : manifest.settings().values()) {
        PluginValue value = written.values().get(each.name());
        Object read = value == null ? each.usual() : each.read(value);
        all.add(
            new PluginSetting(
                each.name(),
                read == null ? TomlString.HIDDEN : toml(each, read),
                value != null,
                each.doc(),
                each.expectation()));
      }
    }
    new TreeMap<>(written.values())
        .keySet().stream()
            .filter(name -> manifest == null || !manifest.settings().containsKey(name))
            .forEach(name -> all.add(new PluginSetting(name, TomlString.HIDDEN, true, "", "")));
    return all;
  }

  /// A value, as [SettingDeclaration#read] returns it, as TOML; secrets are not shown.
  public static String toml(SettingDeclaration setting, Object value) {
    return switch (value) {
      case String text ->
          setting.type() == SettingType.SECRET && !text.isEmpty()
              ? TomlString.HIDDEN
              : TomlString.quoted(text);
      case Duration duration -> TomlString.quoted(UnitText.of(duration));
      case List<?> texts ->
          texts.stream()
              .map(text -> TomlString.quoted(text.toString()))
              .collect(Collectors.joining(", ", "[", "]"));
      default -> value.toString();
    };
  }
}
