package im.zonda.module.muc.stanza;

import im.zonda.module.IqReply;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;

/// Answers one kind of IQ request to the address of a room that does not exist. Runs in the mailbox
/// of the address. May block.
@FunctionalInterface
public interface FreeAddressHandler {
  IqReply answer(RoomHome home, Iq iq, Element payload);
}
