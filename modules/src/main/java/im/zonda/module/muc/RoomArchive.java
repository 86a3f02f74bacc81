package im.zonda.module.muc;

import im.zonda.jid.Jid;
import im.zonda.module.Custody;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.RoomHome.LiveRoom;
import im.zonda.stanza.Message;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.StoreException;
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

  private final MessageLog log;
  private final boolean archives;

  RoomArchive(ModuleContext context) {
    log = context.stores().messages();
    archives = context.config().storage().archive() && context.config().storage().durable();
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
  @Nullable Kept keep(LiveRoom live, Occupant sender, Message message, Custody custody) {
    Jid room = live.room().jid();
    long id = log.nextId();
    Message own =
        MessageCommands.withoutForged(message, room)
            .withPayload(MucNames.OCCUPANT_ID, occupantId(sender))
            .withPayload(MucNames.STANZA_ID, stanzaId(room, id))
            .withAddresses(sender.address(), null);
    boolean archived = archives && live.stored() && live.room().config().archive();
    if (!archived || !isWorthKeeping(message)) {
      return new Kept(id, own);
    }
    try {
      Entry entry = new Entry(room, id, sender.address(), own);
      custody.awaitCommit(log.append(entry, Keep.ARCHIVE, false), message);
      return new Kept(id, own);
    } catch (StoreException e) {
      return null;
    }
  }

  private static boolean isWorthKeeping(Message message) {
    if (message.has(NO_STORE) || message.has(NO_PERMANENT_STORE)) {
      return false;
    }
    return message.hasBody() || message.has(MucNames.SUBJECT) || message.has(STORE);
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
