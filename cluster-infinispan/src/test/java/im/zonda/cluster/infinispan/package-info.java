@NullMarked
package im.zonda.cluster.infinispan;

import org.jspecify.annotations.NullMarked;
