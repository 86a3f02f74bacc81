/// What the event loops of the network do, and how long it takes.
@NullMarked
package im.zonda.net.loop;

import org.jspecify.annotations.NullMarked;
