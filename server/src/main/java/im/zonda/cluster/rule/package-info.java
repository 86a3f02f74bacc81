/// The decisions about the cluster's members on which its invariants rest.
@NullMarked
package im.zonda.cluster.rule;

import org.jspecify.annotations.NullMarked;
