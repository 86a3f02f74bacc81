/// Occupant use cases (XEP-0045, section 7): entering and exiting a room, presence, messages,
/// private messages, and requests to other occupants.
@NullMarked
package im.zonda.module.muc.occupant;

import org.jspecify.annotations.NullMarked;
