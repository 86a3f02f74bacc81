/// The ordered link between two nodes, and the outbox of what has not reached its home.
@NullMarked
package im.zonda.cluster.link;

import org.jspecify.annotations.NullMarked;
