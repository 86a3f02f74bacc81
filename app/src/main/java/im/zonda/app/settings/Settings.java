package im.zonda.app.settings;

import im.zonda.app.settings.plugin.AddedManifests;
import im.zonda.app.settings.toml.Place;
import im.zonda.config.ServerConfig;
import java.util.Map;

/// A configuration, with the origin of each value.
///
/// @param config the configuration
/// @param places the places of the keys that were set, by dotted key; all others are defaults
/// @param plugins the plugins that are added, which say what their settings are
public record Settings(ServerConfig config, Map<String, Place> places, AddedManifests plugins) {}
