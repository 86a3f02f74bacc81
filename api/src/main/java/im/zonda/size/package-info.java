/// How much each domain has in the stores.
@NullMarked
package im.zonda.size;

import org.jspecify.annotations.NullMarked;
