/// The jars of plugins and their class loaders.
@NullMarked
package im.zonda.host.plugin.jar;

import org.jspecify.annotations.NullMarked;
