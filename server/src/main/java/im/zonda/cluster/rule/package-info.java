/// The decisions of the cluster's protocol on which its invariants rest.
@NullMarked
package im.zonda.cluster.rule;

import org.jspecify.annotations.NullMarked;
