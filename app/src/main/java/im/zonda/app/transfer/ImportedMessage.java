package im.zonda.app.transfer;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import java.time.Instant;

/// A message that an account or a room of another server has.
///
/// @param time when it was received or sent
/// @param with the other party: a contact, or the occupant in a room
/// @param message as the other server has delivered or sent it
/// @param waiting whether it has not been delivered; otherwise it is in the archive
public record ImportedMessage(Instant time, Jid with, Message message, boolean waiting) {}
