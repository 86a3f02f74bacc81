/// Which node is home of an address.
@NullMarked
package im.zonda.cluster;

import org.jspecify.annotations.NullMarked;
