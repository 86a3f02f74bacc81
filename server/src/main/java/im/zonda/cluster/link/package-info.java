/// The ordered link between two nodes.
@NullMarked
package im.zonda.cluster.link;

import org.jspecify.annotations.NullMarked;
