/// The guard between the server and the handlers of a plugin: threads of the plugin's own, limits
/// of time, and what becomes of a plugin that breaks them.
@NullMarked
package im.zonda.host.plugin.guard;

import org.jspecify.annotations.NullMarked;
