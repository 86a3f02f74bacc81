package im.zonda.module.muc.stanza;

import im.zonda.module.IqReply;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;

/// Answers one kind of IQ request to a room. May block.
@FunctionalInterface
public interface RoomRequestHandler {
  /// Answers a request.
  ///
  /// @param home the home of the room
  /// @param live the room
  /// @param iq the request, with the requester's real JID in `from`
  /// @param payload its payload
  IqReply answer(RoomHome home, LiveRoom live, Iq iq, Element payload);
}
