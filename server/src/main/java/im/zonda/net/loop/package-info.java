/// Event loops of the network that measure their work.
@NullMarked
package im.zonda.net.loop;

import org.jspecify.annotations.NullMarked;
