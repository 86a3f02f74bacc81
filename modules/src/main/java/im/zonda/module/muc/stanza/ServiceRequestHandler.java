package im.zonda.module.muc.stanza;

import im.zonda.module.IqReply;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;

/// Answers one kind of IQ request to the room service itself. May block.
@FunctionalInterface
public interface ServiceRequestHandler {
  IqReply answer(Iq iq, Element payload);
}
