/// Sizes of hosts in the stores.
@NullMarked
package im.zonda.app.size;

import org.jspecify.annotations.NullMarked;
