/// Hash functions.
@NullMarked
package im.zonda.hash;

import org.jspecify.annotations.NullMarked;
