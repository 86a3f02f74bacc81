/// Group chat in rooms (XEP-0045) and what belongs to it.
///
/// [im.zonda.module.muc.Room] is who is in a room, who may what, and what it is like: nothing else,
/// and no stanzas. The commands read stanzas, ask and change the room, and tell the occupants by
/// [im.zonda.module.muc.RoomBroadcast]. A room's [im.zonda.module.muc.RoomHome] holds all that one
/// room has; everything about it happens there, one after the other, so that all see one order.
@NullMarked
package im.zonda.module.muc;

import org.jspecify.annotations.NullMarked;
