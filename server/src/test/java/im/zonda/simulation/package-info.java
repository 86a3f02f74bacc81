/// Whole servers in one thread, where a seed decides what happens next.
@NullMarked
package im.zonda.simulation;

import org.jspecify.annotations.NullMarked;
