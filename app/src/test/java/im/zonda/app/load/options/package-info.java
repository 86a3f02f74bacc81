/// Command-line options of the load drivers.
@NullMarked
package im.zonda.app.load.options;

import org.jspecify.annotations.NullMarked;
