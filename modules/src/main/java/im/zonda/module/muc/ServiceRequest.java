package im.zonda.module.muc;

import im.zonda.module.IqReply;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;

/// Answers one kind of IQ request to the room service itself. May block.
@FunctionalInterface
interface ServiceRequest {
  /// Answers.
  IqReply answer(Iq iq, Element payload);
}
