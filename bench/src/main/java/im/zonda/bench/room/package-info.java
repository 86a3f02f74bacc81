/// Occupants of rooms (XEP-0045) who enter, leave and send messages.
@NullMarked
package im.zonda.bench.room;

import org.jspecify.annotations.NullMarked;
