/// Copies of what would move with homes, for the case that their node dies: at the home's node and
/// at the standby. Confined to the node's inbox.
@NullMarked
package im.zonda.node.copy;

import org.jspecify.annotations.NullMarked;
