/// Bounds of what clients, servers and accounts may use, as parts of the configuration.
@NullMarked
package im.zonda.config.limits;

import org.jspecify.annotations.NullMarked;
