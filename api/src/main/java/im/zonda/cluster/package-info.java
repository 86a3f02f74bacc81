/// Which node is home of an address, and the row of the database that says which processes are the
/// cluster.
@NullMarked
package im.zonda.cluster;

import org.jspecify.annotations.NullMarked;
