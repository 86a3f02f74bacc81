/// Command-line options of the load drivers.
@NullMarked
package im.zonda.bench.options;

import org.jspecify.annotations.NullMarked;
