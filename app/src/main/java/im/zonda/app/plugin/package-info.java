/// Plugins that an administrator has added: their jars in the database, from which every node of a
/// cluster starts them, and the operations on them.
@NullMarked
package im.zonda.app.plugin;

import org.jspecify.annotations.NullMarked;
