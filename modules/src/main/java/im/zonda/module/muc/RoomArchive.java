package im.zonda.module.muc;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.Custody;
import im.zonda.module.ModuleContext;
import im.zonda.module.mam.ArchiveQueries;
import im.zonda.module.muc.RoomHome.LiveRoom;
import im.zonda.stanza.Message;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.StoreException;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Puts what is said in rooms into the message log (XEP-0313), and gives every message its ids
/// (XEP-0359, XEP-0421).
final class RoomArchive {
  private static final String HINTS = "urn:xmpp:hints";
  private static final QName STORE = new QName(HINTS, "store");
  private static final QName NO_STORE = new QName(HINTS, "no-store");
  private static final QName NO_PERMANENT_STORE = new QName(HINTS, "no-permanent-store");
  private static final Element OPEN =
      Element.builder(MucNames.USER, "status").attribute("code", "100").build();

  private final MessageLog log;
  private final Retraction retraction;
  private final boolean archives;

  RoomArchive(ModuleContext context, Retraction retraction) {
    this.retraction = retraction;
    log = context.port(MessageLog.class);
    archives = ArchiveQueries.available(context.config());
  }

  /// A message as the room tells it.
  ///
  /// @param id its place in the log and its time
  /// @param message from the occupant, to nobody yet
  record Kept(long id, Message message) {}

  /// Whether the archive has messages at all.
  boolean archives() {
    return archives;
  }

  /// Makes the room's own message of one that an occupant has sent, and keeps it if it is worth it;
  /// null if it must be kept and cannot be now.
  ///
  /// What is not kept has an id by the room only if there is something in it to refer to: in a room
  /// with an archive, clients go on reading from the last id that they have seen.
  @Nullable Kept keep(LiveRoom live, Occupant sender, Message message, Custody custody) {
    Room room = live.room();
    long id = log.nextId();
    boolean archived = isArchived(live);
    boolean worthKeeping = isWorthKeeping(message);
    Message own =
        MessageCommands.withoutForged(message, room.jid())
            .withPayload(MucNames.OCCUPANT_ID, occupantId(sender))
            .withAddresses(sender.address(), null);
    if (!archived || worthKeeping || message.hasBody()) {
      own = own.withPayload(MucNames.STANZA_ID, stanzaId(room.jid(), id));
    }
    if (archived && worthKeeping) {
      Message kept = own.withPayload(author(room, sender, message.from()));
      try {
        Entry entry = new Entry(room.jid(), id, sender.address(), kept);
        custody.awaitCommit(log.append(entry, Keep.ARCHIVE, false), message);
      } catch (StoreException e) {
        return null;
      }
    }
    retraction.byAuthor(live, sender, own);
    return new Kept(id, own);
  }

  private boolean isArchived(LiveRoom live) {
    return archives && live.stored() && live.room().config().archive();
  }

  private static boolean isWorthKeeping(Message message) {
    if (message.has(MucNames.RETRACT)) {
      return true; // XEP-0424, section 5: whatever else is said
    }
    if (message.has(NO_STORE) || message.has(NO_PERMANENT_STORE)) {
      return false;
    }
    return message.hasBody() || message.has(MucNames.SUBJECT) || message.has(STORE);
  }

  /// Who truly said it (XEP-0313, section 6.1.2), for the archive alone. Status 100 is there if
  /// everyone could see the address when it was said.
  private static Element author(Room room, Occupant sender, @Nullable Jid session) {
    Element.Builder x =
        Element.builder(MucNames.X_USER)
            .child(
                Element.builder(MucNames.USER, "item")
                    .attribute("affiliation", sender.affiliation().value())
                    .attribute("jid", (session == null ? sender.user() : session).toString())
                    .attribute("role", sender.role().value())
                    .build());
    if (room.config().nonAnonymous()) {
      x.child(OPEN);
    }
    return x.build();
  }

  /// The bare address of who truly said an archived message, or null if it is not known.
  static @Nullable Jid authorOf(Message archived) {
    Element x = archived.payload(MucNames.X_USER);
    Element item = x == null ? null : x.child("item");
    String jid = item == null ? null : item.attribute("jid");
    try {
      return jid == null ? null : Jid.of(jid).bare();
    } catch (JidFormatException e) {
      return null;
    }
  }

  /// An archived message as it was told in the room.
  static Message withoutAuthor(Message archived) {
    return archived.withoutPayloads(payload -> payload.name().equals(MucNames.X_USER));
  }

  /// An archived message for someone who may now see true addresses; an author whose address was
  /// hidden from ordinary occupants stays hidden from them, whatever the room has become.
  ///
  /// @param all whether authors are shown who were hidden when they spoke
  static Message withAuthor(Message archived, boolean all) {
    Element x = archived.payload(MucNames.X_USER);
    Element item = x == null ? null : x.child("item");
    if (x == null || item == null || (!all && !x.children().contains(OPEN))) {
      return withoutAuthor(archived);
    }
    return withoutAuthor(archived)
        .withPayload(Element.builder(MucNames.X_USER).child(item).build());
  }

  /// Keeps what the room itself says; durable when the call returns.
  ///
  /// @return the message with its id
  Message keepOwn(LiveRoom live, Message message) {
    Jid room = live.room().jid();
    long id = log.nextId();
    Message own = message.withPayload(MucNames.STANZA_ID, stanzaId(room, id));
    if (isArchived(live)) {
      log.append(new Entry(room, id, room, own), Keep.ARCHIVE, false);
      log.flush();
    }
    return own;
  }

  /// The `<occupant-id/>` of an occupant's stanzas.
  static byte[] occupantId(Occupant occupant) {
    return utf8("<occupant-id xmlns='urn:xmpp:occupant-id:0' id='" + occupant.id() + "'/>");
  }

  /// The `<stanza-id/>` by a room: its address holds nothing that XML would have escaped (RFC 7622,
  /// section 3.3.1).
  private static byte[] stanzaId(Jid room, long id) {
    return utf8("<stanza-id xmlns='urn:xmpp:sid:0' by='" + room + "' id='" + id + "'/>");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
