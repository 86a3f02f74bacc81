/// The configuration as values.
@NullMarked
package im.zonda.config;

import org.jspecify.annotations.NullMarked;
