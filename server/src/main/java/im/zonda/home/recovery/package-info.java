/// Replication of sessions to the other nodes of a cluster, and their recovery after the loss of a
/// node. A server without a cluster uses the `NONE` of each port, and nothing else of this package.
@NullMarked
package im.zonda.home.recovery;

import org.jspecify.annotations.NullMarked;
