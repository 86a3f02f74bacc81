/// Server-sent events with what is new on pages.
@NullMarked
package im.zonda.console.live;

import org.jspecify.annotations.NullMarked;
