/// Modules that are stopped, and modules that ask for more than they declare.
@NullMarked
package im.zonda.app.modules;

import org.jspecify.annotations.NullMarked;
