/// Hooks: the points at which modules filter, observe and decide on stanzas and sessions.
@NullMarked
package im.zonda.hook;

import org.jspecify.annotations.NullMarked;
