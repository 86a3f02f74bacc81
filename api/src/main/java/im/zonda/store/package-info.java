/// The ports to what must last. Calls block unless they say otherwise.
@NullMarked
package im.zonda.store;

import org.jspecify.annotations.NullMarked;
