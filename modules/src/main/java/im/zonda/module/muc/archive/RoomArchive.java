package im.zonda.module.muc.archive;

import im.zonda.jid.Jid;
import im.zonda.module.Custody;
import im.zonda.module.ModuleContext;
import im.zonda.module.mam.ArchiveQueries;
import im.zonda.module.muc.home.ArchivedAuthor;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.stanza.ForgedPayloads;
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
public final class RoomArchive {
  private static final String HINTS = "urn:xmpp:hints";
  private static final QName STORE = new QName(HINTS, "store");
  private static final QName NO_STORE = new QName(HINTS, "no-store");
  private static final QName NO_PERMANENT_STORE = new QName(HINTS, "no-permanent-store");

  private final MessageLog log;
  private final Retraction retraction;
  private final boolean archives;

  public RoomArchive(ModuleContext context, Retraction retraction) {
    this.retraction = retraction;
    log = context.stores().messages();
    archives = ArchiveQueries.available(context.config());
  }

  /// A message as the room tells it.
  ///
  /// @param id its place in the log and its time
  /// @param message from the occupant, to nobody yet
  public record Kept(long id, Message message) {}

  /// Whether the archive has messages at all.
  boolean archives() {
    return archives;
  }

  /// Makes the room's own message of one that an occupant has sent, and keeps it if it is worth it;
  /// null if it must be kept and cannot be now.
  ///
  /// What is not kept has an id by the room only if there is something in it to refer to: in a room
  /// with an archive, clients go on reading from the last id that they have seen.
  public @Nullable Kept keep(LiveRoom live, Occupant sender, Message message, Custody custody) {
    Room room = live.room();
    long id = log.nextId();
    boolean archived = isArchived(live);
    boolean worthKeeping = isWorthKeeping(message);
    Message own =
        ForgedPayloads.removeFrom(message, room.jid())
            .withPayload(MucNames.OCCUPANT_ID, occupantId(sender))
            .withAddresses(sender.address(), null);
    if (!archived || worthKeeping || message.hasBody()) {
      own = own.withPayload(MucNames.STANZA_ID, stanzaId(room.jid(), id));
    }
    if (archived && worthKeeping) {
      Message kept = own.withPayload(ArchivedAuthor.of(room, sender, message.from()));
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
  public static byte[] occupantId(Occupant occupant) {
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
