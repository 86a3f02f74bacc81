/// Sizes of domains in the stores.
@NullMarked
package im.zonda.size;

import org.jspecify.annotations.NullMarked;
