/// Manifests of plugins, and the sections of plugins in the configuration.
@NullMarked
package im.zonda.app.settings.plugin;

import org.jspecify.annotations.NullMarked;
