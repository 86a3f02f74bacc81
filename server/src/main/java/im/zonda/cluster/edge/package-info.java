/// The connections of clients at a node, towards the homes of their sessions.
@NullMarked
package im.zonda.cluster.edge;

import org.jspecify.annotations.NullMarked;
