/// What pages show while it changes, as server-sent events.
@NullMarked
package im.zonda.console.live;

import org.jspecify.annotations.NullMarked;
