package im.zonda.app.settings;

import im.zonda.app.settings.plugin.AddedManifests;
import im.zonda.app.settings.toml.Place;
import im.zonda.config.ServerConfig;
import im.zonda.config.plugin.PluginValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/// Describes what a reload of the configuration changes.
public final class SettingsChange {
  /// The settings of one host, by the names of their keys and sections.
  private static final Map<String, Function<ServerConfig, Object>> OF_HOST =
      Map.of(
          "registration", ServerConfig::registration,
          "archive", ServerConfig::archive,
          "rooms", ServerConfig::rooms,
          "services", ServerConfig::services,
          "contact", ServerConfig::contact,
          "modules-off", ServerConfig::modulesOff,
          "tls", ServerConfig::tls,
          "limits", config -> config.limits().ofHost());

  private SettingsChange() {}

  /// One line for each host that was added, removed or changed, and for each key that needs a
  /// restart.
  ///
  /// @param before the configuration in force
  /// @param after what the server takes over
  /// @param wanted what was read
  public static List<String> describe(ServerConfig before, ServerConfig after, Settings wanted) {
    List<String> lines = new ArrayList<>();
    for (String host : before.hosts()) {
      if (!after.hosts().contains(host)) {
        lines.add("removed " + host);
      }
    }
    for (String host : after.hosts()) {
      if (!before.hosts().contains(host)) {
        lines.add("added " + host);
        continue;
      }
      List<String> changed =
          new ArrayList<>(
              OF_HOST.entrySet().stream()
                  .filter(entry -> differs(entry.getValue(), before.at(host), after.at(host)))
                  .map(Map.Entry::getKey)
                  .sorted()
                  .toList());
      changed.addAll(plugins(before.at(host).plugin(), after.at(host).plugin(), wanted.plugins()));
      if (!changed.isEmpty()) {
        lines.add("changed " + host + ": " + String.join(", ", changed));
      }
    }
    if (!before.s2s().equals(after.s2s())) {
      lines.add("changed s2s");
    }
    if (!before.log().equals(after.log())) {
      lines.add("changed log");
    }
    List<Keys.Key> keys = new ArrayList<>(Keys.leaves());
    keys.addAll(Keys.maps());
    for (Keys.Key key : keys) {
      if (!Objects.equals(Keys.valueOf(key, after), Keys.valueOf(key, wanted.config()))) {
        Place place = wanted.places().get(key.dotted());
        lines.add("needs a restart: " + key.dotted() + (place == null ? "" : " (" + place + ")"));
      }
    }
    return lines;
  }

  /// The sections of plugins that differ.
  private static List<String> plugins(
      Map<String, PluginValues> before, Map<String, PluginValues> after, AddedManifests added) {
    Set<String> names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    return names.stream()
        .filter(name -> !Objects.equals(before.get(name), after.get(name)))
        .map(name -> "plugin." + name + (added.of(name) == null ? " (not added)" : ""))
        .toList();
  }

  private static boolean differs(
      Function<ServerConfig, Object> setting, ServerConfig before, ServerConfig after) {
    return !setting.apply(before).equals(setting.apply(after));
  }
}
