/// Replication of the state of homes to the standby of their segment: the sending side at the
/// home's node, and the replicas at the standby. Confined to the node's inbox.
@NullMarked
package im.zonda.cluster.replica;

import org.jspecify.annotations.NullMarked;
