/// The ordered link between two nodes.
@NullMarked
package im.zonda.cluster.channel;

import org.jspecify.annotations.NullMarked;
