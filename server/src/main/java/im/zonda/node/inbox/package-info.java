/// The order in which a node does what it is told by its homes and by other nodes.
@NullMarked
package im.zonda.node.inbox;

import org.jspecify.annotations.NullMarked;
