/// Pages of plugins: one of each, and one to add them.
@NullMarked
package im.zonda.console.plugin;

import org.jspecify.annotations.NullMarked;
