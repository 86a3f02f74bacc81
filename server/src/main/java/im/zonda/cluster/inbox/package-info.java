/// The queue of a node's tasks, which come from its homes and from other nodes.
@NullMarked
package im.zonda.cluster.inbox;

import org.jspecify.annotations.NullMarked;
