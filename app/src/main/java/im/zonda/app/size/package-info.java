/// How much each host has in the stores.
@NullMarked
package im.zonda.app.size;

import org.jspecify.annotations.NullMarked;
