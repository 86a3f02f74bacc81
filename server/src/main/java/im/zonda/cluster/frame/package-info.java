/// The frames and values that the nodes of a cluster send to each other.
@NullMarked
package im.zonda.cluster.frame;

import org.jspecify.annotations.NullMarked;
