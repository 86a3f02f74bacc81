package im.zonda.app.settings;

import im.zonda.config.ServerConfig;
import java.util.Map;

/// A configuration and where it comes from.
///
/// @param config the configuration
/// @param places where the keys that were written were written, by dotted key; the others are
///   defaults
public record Settings(ServerConfig config, Map<String, Place> places) {}
