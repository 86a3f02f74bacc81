/// The configuration, as immutable values.
@NullMarked
package im.zonda.config;

import org.jspecify.annotations.NullMarked;
