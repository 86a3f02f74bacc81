package im.zonda.module.muc.home;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.Room;
import im.zonda.stanza.Message;
import im.zonda.xml.Element;
import org.jspecify.annotations.Nullable;

/// The real JID of a message's author in the room's archive (XEP-0313, section 6.1.2). Stored as an
/// `<x/>` payload of the archived message; the room's broadcast does not have it.
public final class ArchivedAuthor {
  /// The room was non-anonymous when the message was sent (status 100).
  private static final Element NON_ANONYMOUS =
      Element.builder(MucNames.USER, "status").attribute("code", "100").build();

  private ArchivedAuthor() {}

  /// The payload that records the author of a message.
  ///
  /// @param session the full address of the sender, or null if it is not known
  public static Element of(Room room, Occupant sender, @Nullable Jid session) {
    Element.Builder x =
        Element.builder(MucNames.X_USER)
            .child(
                Element.builder(MucNames.USER, "item")
                    .attribute("affiliation", sender.affiliation().value())
                    .attribute("jid", (session == null ? sender.user() : session).toString())
                    .attribute("role", sender.role().value())
                    .build());
    if (room.config().nonAnonymous()) {
      x.child(NON_ANONYMOUS);
    }
    return x.build();
  }

  /// The bare address of the author of an archived message, or null if it is not known.
  public static @Nullable Jid find(Message archived) {
    Element x = archived.payload(MucNames.X_USER);
    Element item = x == null ? null : x.child("item");
    String jid = item == null ? null : item.attribute("jid");
    try {
      return jid == null ? null : Jid.stored(jid).bare();
    } catch (JidFormatException e) {
      return null;
    }
  }

  /// Returns an archived message as it was broadcast.
  public static Message removeFrom(Message archived) {
    return archived.withoutPayloads(payload -> payload.name().equals(MucNames.X_USER));
  }

  /// Returns an archived message for a reader who may see real JIDs. An author whose real JID was
  /// hidden from ordinary occupants stays hidden from them, even if the room has become
  /// non-anonymous since.
  ///
  /// @param all whether to show authors who were hidden when they wrote
  public static Message showIn(Message archived, boolean all) {
    Element x = archived.payload(MucNames.X_USER);
    Element item = x == null ? null : x.child("item");
    if (x == null || item == null || (!all && !x.children().contains(NON_ANONYMOUS))) {
      return removeFrom(archived);
    }
    return removeFrom(archived).withPayload(Element.builder(MucNames.X_USER).child(item).build());
  }
}
