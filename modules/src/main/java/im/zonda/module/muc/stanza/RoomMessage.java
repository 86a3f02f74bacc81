package im.zonda.module.muc.stanza;

import im.zonda.module.Custody;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.stanza.Message;

/// Takes messages of type `normal`, or errors, to the bare address of a room that exists. They come
/// from anyone, in the room or not. May block.
@FunctionalInterface
public interface RoomMessage {
  /// Takes one, or returns false to leave it.
  boolean take(RoomHome home, LiveRoom live, Message message, Custody custody);
}
