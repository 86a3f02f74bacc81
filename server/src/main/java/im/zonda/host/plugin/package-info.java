/// Plugins in a running server: what a plugin sees of the server, what it has declared, and how
/// both are cut when it is stopped.
@NullMarked
package im.zonda.host.plugin;

import org.jspecify.annotations.NullMarked;
