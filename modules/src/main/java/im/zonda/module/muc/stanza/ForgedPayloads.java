package im.zonda.module.muc.stanza;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.muc.room.MucNames;
import im.zonda.stanza.Message;
import im.zonda.store.StanzaIds;
import org.jspecify.annotations.Nullable;

/// Removes payloads from occupants' messages that only the room may add.
public final class ForgedPayloads {
  private ForgedPayloads() {}

  /// Returns the message without stanza ids and delays of the room, occupant ids, notices about
  /// occupants, and notices of moderation (reliability rows 63 and 64; XEP-0425, section 6).
  public static Message removeFrom(Message message, Jid room) {
    if (!message.has(StanzaIds.NAME)
        && !message.has(MucNames.OCCUPANT_ID)
        && !message.has(MucNames.DELAY)
        && !message.has(MucNames.X_USER)
        && !message.has(MucNames.RETRACT)
        && !message.has(MucNames.RETRACTED)) {
      return message;
    }
    return message.withoutPayloads(payload ->
        payload.name().equals(MucNames.OCCUPANT_ID)
            || payload.name().equals(MucNames.X_USER)
            || payload.name().equals(MucNames.RETRACTED)
            || (payload.name().equals(MucNames.RETRACT)
                && payload.child(MucNames.MODERATED) != null)
            || (payload.name().equals(StanzaIds.NAME) && isAddress(payload.attribute("by"), room))
            || (payload.name().equals(MucNames.DELAY)
                && isAddress(payload.attribute("from"), room)));
  }

  private static boolean isAddress(@Nullable String address, Jid room) {
    if (address == null) {
      return false;
    }
    try {
      return Jid.of(address.strip()).bare().equals(room);
    } catch (JidFormatException e) {
      return false;
    }
  }
}
