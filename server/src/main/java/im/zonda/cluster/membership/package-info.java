/// The membership of this process in the cluster: the epoch with its clock, the row of the database
/// and the engine.
@NullMarked
package im.zonda.cluster.membership;

import org.jspecify.annotations.NullMarked;
