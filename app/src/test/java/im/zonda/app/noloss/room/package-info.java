/// The no-loss checker over a room in which people talk.
@NullMarked
package im.zonda.app.noloss.room;

import org.jspecify.annotations.NullMarked;
