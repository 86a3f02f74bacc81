/// This server as a node of a cluster: the node, which connects its homes and streams with those of
/// other nodes, and its changes of incarnation. The parts of a node have packages of their own:
/// [im.zonda.cluster.forward], [im.zonda.cluster.session], [im.zonda.cluster.handover],
/// [im.zonda.cluster.replica] and [im.zonda.cluster.message].
///
/// A node runs one task at a time ([im.zonda.cluster.inbox.Inbox]); what homes do with what arrives
/// runs in their own mailboxes. Nothing here is loaded without a cluster.
@NullMarked
package im.zonda.cluster.node;

import org.jspecify.annotations.NullMarked;
