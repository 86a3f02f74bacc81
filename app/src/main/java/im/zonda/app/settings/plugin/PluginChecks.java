package im.zonda.app.settings.plugin;

import im.zonda.app.settings.toml.TomlString;
import im.zonda.app.settings.toml.Words;
import im.zonda.config.ServerConfig;
import im.zonda.config.plugin.PluginValue;
import im.zonda.config.plugin.PluginValues;
import im.zonda.host.plugin.manifest.CheckedSettings;
import im.zonda.host.plugin.manifest.PluginManifest;
import im.zonda.host.plugin.manifest.SettingType;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/// Checks of the sections of plugins.
///
/// @param added the plugins that are added
/// @param report takes the dotted key and what is wrong with it
public record PluginChecks(AddedManifests added, BiConsumer<String, String> report) {
  /// Reports values that are not valid for a plugin that is added.
  public void errors(ServerConfig config) {
    errors("plugin", config.plugin());
    new TreeMap<>(config.host())
        .forEach((domain, host) -> {
          if (host.plugin() != null) {
            errors("host." + domain + ".plugin", host.plugin());
          }
        });
  }

  private void errors(String path, Map<String, PluginValues> sections) {
    new TreeMap<>(sections)
        .forEach((name, values) -> {
          PluginManifest manifest = added.of(name);
          if (manifest != null) {
            CheckedSettings.faults(manifest, values)
                .forEach(fault ->
                    error(path + "." + name + "." + fault.setting(), manifest, values, fault));
          }
        });
  }

  private void error(
      String key, PluginManifest manifest, PluginValues values, CheckedSettings.Fault fault) {
    report.accept(
        key,
        fault.known()
            ? key + " " + fault.text() + shown(manifest, values, fault.setting())
            : "unknown key "
                + key
                + Words.suggestion(fault.setting(), manifest.settings().keySet()));
  }

  private static String shown(PluginManifest manifest, PluginValues values, String setting) {
    var declared = manifest.settings().get(setting);
    if (declared == null || declared.type() == SettingType.SECRET) {
      return "";
    }
    return switch (values.values().get(setting)) {
      case PluginValue.Text text -> ", not " + TomlString.quoted(text.text());
      case PluginValue.Whole whole -> ", not " + whole.number();
      case PluginValue.Flag flag -> ", not " + flag.on();
      case PluginValue.Texts _, PluginValue.Variable _ -> "";
      case null -> "";
    };
  }

  /// Reports sections of plugins that are not added, which is no error: settings may be written
  /// before.
  public void warnings(ServerConfig config) {
    warnings("plugin", config.plugin());
    new TreeMap<>(config.host())
        .forEach((domain, host) -> {
          if (host.plugin() != null) {
            warnings("host." + domain + ".plugin", host.plugin());
          }
        });
    added.unreadable().forEach(text -> report.accept("plugin", text));
  }

  private void warnings(String path, Map<String, PluginValues> sections) {
    for (String name : new TreeMap<>(sections).keySet()) {
      if (added.of(name) == null) {
        String hint = Words.suggestion(name, added.byName().keySet());
        report.accept(path + "." + name, "no plugin " + name + " is added" + hint);
      }
    }
  }
}
