package im.zonda.module.muc.stanza;

import im.zonda.module.IqReply;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;

/// Answers one kind of IQ request to the address of a room, which may not exist. May block.
@FunctionalInterface
public interface AddressRequestHandler {
  /// Answers a request.
  ///
  /// @param home the home of the address
  /// @param iq the request, with the requester's real JID in `from`
  /// @param payload its payload
  IqReply answer(RoomHome home, Iq iq, Element payload);
}
