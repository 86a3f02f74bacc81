package im.zonda.module.muc;

import im.zonda.module.Envelope;
import im.zonda.module.muc.RoomHome.LiveRoom;
import im.zonda.stanza.Message;

/// Takes messages of type `normal`, or errors, to the bare address of a room that exists. They come
/// from anyone, in the room or not. May block.
@FunctionalInterface
interface RoomMessage {
  /// Takes one, or returns false to leave it.
  boolean take(RoomHome home, LiveRoom live, Message message, Envelope cause);
}
