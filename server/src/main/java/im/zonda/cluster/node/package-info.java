/// This server as a node of a cluster: forwards stanzas to homes on other nodes, connects streams
/// to sessions on other nodes, moves homes when the placement changes, and replicates their state
/// to a standby. Streams stay open while the homes of their sessions move or are recovered
/// ([im.zonda.link.keeper]).
///
/// One task at a time ([im.zonda.cluster.inbox.Inbox]); what homes do with what arrives runs in their
/// own mailboxes. Nothing here is loaded without a cluster.
@NullMarked
package im.zonda.cluster.node;

import org.jspecify.annotations.NullMarked;
