/// Tests of a server as a node of a cluster.
@NullMarked
package im.zonda.app.cluster;

import org.jspecify.annotations.NullMarked;
