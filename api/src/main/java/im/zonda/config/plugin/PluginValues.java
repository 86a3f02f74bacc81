package im.zonda.config.plugin;

import java.util.HashMap;
import java.util.Map;

/// The section of one plugin.
///
/// @param values the values by the names of the settings
public record PluginValues(Map<String, PluginValue> values) {
  /// A section without values.
  public static final PluginValues NONE = new PluginValues(Map.of());

  /// Copies the map.
  public PluginValues {
    values = Map.copyOf(values);
  }

  /// These values with those of `own`, which count where both have one.
  public PluginValues with(PluginValues own) {
    return new PluginValues(joined(values, own.values));
  }

  /// The sections of the server with those of a host, each as [#with].
  ///
  /// @param all the sections of the server, by the names of the plugins
  /// @param own the sections of a host, by the names of the plugins
  public static Map<String, PluginValues> of(
      Map<String, PluginValues> all, Map<String, PluginValues> own) {
    Map<String, PluginValues> both = new HashMap<>(all);
    own.forEach((name, values) -> both.merge(name, values, PluginValues::with));
    return both;
  }

  private static Map<String, PluginValue> joined(
      Map<String, PluginValue> all, Map<String, PluginValue> own) {
    Map<String, PluginValue> both = new HashMap<>(all);
    both.putAll(own);
    return both;
  }
}
