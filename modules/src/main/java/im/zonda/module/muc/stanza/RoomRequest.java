package im.zonda.module.muc.stanza;

import im.zonda.module.IqReply;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;

/// Answers one kind of IQ request to a room that exists. May block.
@FunctionalInterface
public interface RoomRequest {
  /// Answers.
  ///
  /// @param home where the room is
  /// @param live the room
  /// @param iq the request, `from` being the true address
  /// @param payload its payload
  IqReply answer(RoomHome home, LiveRoom live, Iq iq, Element payload);
}
