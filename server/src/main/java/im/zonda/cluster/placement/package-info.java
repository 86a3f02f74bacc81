/// Which node is the home of a name, and which its standby: the table that all nodes of a cluster
/// agree on.
@NullMarked
package im.zonda.cluster.placement;

import org.jspecify.annotations.NullMarked;
