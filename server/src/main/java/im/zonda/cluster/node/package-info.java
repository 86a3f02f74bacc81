/// One node of a cluster: links, homes, edge and epoch as one state machine.
@NullMarked
package im.zonda.cluster.node;

import org.jspecify.annotations.NullMarked;
