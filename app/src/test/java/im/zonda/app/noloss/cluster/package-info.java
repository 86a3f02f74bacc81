/// The no-loss checker over the nodes of a cluster.
@NullMarked
package im.zonda.app.noloss.cluster;

import org.jspecify.annotations.NullMarked;
