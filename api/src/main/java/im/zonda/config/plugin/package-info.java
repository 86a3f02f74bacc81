/// The configuration of plugins, as it is written: which settings a plugin has, only its manifest
/// knows.
@NullMarked
package im.zonda.config.plugin;

import org.jspecify.annotations.NullMarked;
