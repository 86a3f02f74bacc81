/// The stanzas that nodes have sent to each other, and which of them have been handled. Confined to
/// the node's inbox.
@NullMarked
package im.zonda.node.stanza;

import org.jspecify.annotations.NullMarked;
