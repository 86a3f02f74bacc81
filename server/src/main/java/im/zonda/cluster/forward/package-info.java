/// Stanzas that nodes forward to each other: which are on their way, accepted, in progress and
/// handled. Confined to the node's inbox.
@NullMarked
package im.zonda.cluster.forward;

import org.jspecify.annotations.NullMarked;
