/// Virtual hosts: their modules with declarations and ports, and the state saved over restarts.
@NullMarked
package im.zonda.host;

import org.jspecify.annotations.NullMarked;
