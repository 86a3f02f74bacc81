/// Which nodes are the legal cluster: one row of the database decides.
@NullMarked
package im.zonda.cluster.epoch;

import org.jspecify.annotations.NullMarked;
