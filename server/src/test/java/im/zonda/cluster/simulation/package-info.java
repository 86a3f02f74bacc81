/// Whole clusters in one thread, where a seed decides what happens next.
@NullMarked
package im.zonda.cluster.simulation;

import org.jspecify.annotations.NullMarked;
