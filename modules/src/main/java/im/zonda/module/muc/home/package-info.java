/// The home of one room address: the room in memory, its history, its limits, and how it is stored
/// and loaded.
///
/// A [im.zonda.module.muc.home.RoomHome] is confined to the mailbox of its address, so all that
/// happens to a room happens in one order.
@NullMarked
package im.zonda.module.muc.home;

import org.jspecify.annotations.NullMarked;
