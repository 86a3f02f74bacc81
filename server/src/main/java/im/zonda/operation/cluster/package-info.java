/// Operations of administration at other nodes of the cluster, and how fast these answer.
@NullMarked
package im.zonda.operation.cluster;

import org.jspecify.annotations.NullMarked;
