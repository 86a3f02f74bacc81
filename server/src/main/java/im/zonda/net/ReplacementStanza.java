package im.zonda.net;

import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import java.util.List;

/// What is sent in place of a stanza that cannot be written because of a defect.
///
/// The peer counts the stanzas that it gets (XEP-0198): without a replacement its next
/// acknowledgement would be one too low for each stanza after it, and the last one would never be
/// acknowledged. To end the stream instead would not help, because the stanza would be sent again
/// on the next one.
public final class ReplacementStanza {
  private ReplacementStanza() {}

  /// An error in place of the answer to a request; otherwise a headline without a body, which
  /// nobody displays, stores or answers. It has the same addresses: another server ends the stream
  /// for a stanza without them.
  public static Stanza of(Stanza unwritable) {
    if (unwritable instanceof Iq iq && !iq.isRequest()) {
      return Iq.of(
          Iq.Type.ERROR,
          iq.from(),
          iq.to(),
          iq.id(),
          StanzaError.of(ErrorCondition.INTERNAL_SERVER_ERROR).toElement());
    }
    return Message.of(Message.Type.HEADLINE, unwritable.from(), unwritable.to(), null, List.of());
  }
}
