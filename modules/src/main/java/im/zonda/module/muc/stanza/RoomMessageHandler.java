package im.zonda.module.muc.stanza;

import im.zonda.module.Envelope;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.stanza.Message;

/// Handles messages of type `normal` or `error` to the bare address of a room. They come from
/// anyone, in the room or not. May block.
@FunctionalInterface
public interface RoomMessageHandler {
  /// Handles a message, or returns false to leave it to other handlers.
  boolean handle(RoomHome home, LiveRoom live, Message message, Envelope cause);
}
