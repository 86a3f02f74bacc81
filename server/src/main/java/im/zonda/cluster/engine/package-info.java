/// The seam between the cluster's protocol and the engine that finds the processes, agrees on a
/// table of segments and carries frames.
@NullMarked
package im.zonda.cluster.engine;

import org.jspecify.annotations.NullMarked;
