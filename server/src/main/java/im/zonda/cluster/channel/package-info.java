/// The ordered channel between two nodes, and the view of the local node for the parts that send.
@NullMarked
package im.zonda.cluster.channel;

import org.jspecify.annotations.NullMarked;
