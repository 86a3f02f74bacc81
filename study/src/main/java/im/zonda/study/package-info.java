/// Studies that need the source tree.
@NullMarked
package im.zonda.study;

import org.jspecify.annotations.NullMarked;
