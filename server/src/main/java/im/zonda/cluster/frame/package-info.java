/// What nodes of a cluster send each other, as values.
@NullMarked
package im.zonda.cluster.frame;

import org.jspecify.annotations.NullMarked;
