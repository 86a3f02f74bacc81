package im.zonda.app.settings.plugin;

import im.zonda.app.settings.toml.TomlString;
import im.zonda.app.settings.toml.Words;
import im.zonda.host.plugin.manifest.PluginManifest;
import im.zonda.host.plugin.manifest.SettingDeclaration;
import im.zonda.host.plugin.manifest.SettingType;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A key of the configuration that is a setting of a plugin, of the server or of a host.
///
/// @param plugin the name of the plugin
/// @param setting the name of the setting
public record PluginKey(String plugin, String setting) {
  /// The key with these names; null if it is none of a plugin.
  public static @Nullable PluginKey of(List<String> path) {
    List<String> own =
        path.size() == 5 && path.getFirst().equals("host") ? path.subList(2, 5) : path;
    return own.size() == 3 && own.getFirst().equals("plugin")
        ? new PluginKey(own.get(1), own.get(2))
        : null;
  }

  /// Whether the value must not be shown: a secret, or what could be one, because no manifest is
  /// known that says what it is.
  public boolean isSecret(AddedManifests added) {
    SettingDeclaration declared = declared(added.of(plugin));
    return declared == null || declared.type() == SettingType.SECRET;
  }

  private @Nullable SettingDeclaration declared(@Nullable PluginManifest manifest) {
    return manifest == null ? null : manifest.settings().get(setting);
  }

  /// A value as TOML, from what people write without quotes.
  ///
  /// @throws IllegalArgumentException if the plugin has no such setting
  public String toToml(String text, AddedManifests added) {
    PluginManifest manifest = added.of(plugin);
    SettingDeclaration declared = declared(manifest);
    if (manifest != null && declared == null) {
      throw new IllegalArgumentException(
          "the plugin "
              + plugin
              + " has no setting "
              + setting
              + Words.suggestion(setting, manifest.settings().keySet()));
    }
    boolean number = text.matches("-?\\d{1,18}");
    boolean flag = text.equals("true") || text.equals("false");
    if (declared == null) {
      return number || flag ? text : TomlString.quoted(text);
    }
    return switch (declared.type()) {
      case TEXT, SECRET, DURATION, PATH -> TomlString.quoted(text);
      case NUMBER -> number ? text : TomlString.quoted(text);
      case FLAG -> flag ? text : TomlString.quoted(text);
      case TEXTS ->
          List.of(text.split("[,\\n]", -1)).stream()
              .map(String::strip)
              .filter(each -> !each.isEmpty())
              .map(TomlString::quoted)
              .collect(Collectors.joining(", ", "[", "]"));
    };
  }
}
