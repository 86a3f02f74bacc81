/// The nodes of a cluster under load.
@NullMarked
package im.zonda.bench.scenario.cluster;

import org.jspecify.annotations.NullMarked;
