/// This server as a node of a cluster: brings stanzas to homes on other nodes, joins streams and
/// sessions on different nodes, moves homes when the placement changes, and has another node keep
/// copies of what would move, for the case that this one dies. Streams stay while the homes of
/// their sessions move or are lost ([im.zonda.link.keeper]).
///
/// One task at a time ([im.zonda.node.inbox.Inbox]); what homes do with what arrives runs in their
/// own mailboxes. Nothing here is loaded without a cluster.
@NullMarked
package im.zonda.node;

import org.jspecify.annotations.NullMarked;
