package im.zonda.module.muc.archive;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.module.mam.ArchiveQueries;
import im.zonda.module.muc.home.ArchivedAuthor;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.stanza.ForgedPayloads;
import im.zonda.stanza.Message;
import im.zonda.store.ClusterLog;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.MessageLog.Receipt;
import im.zonda.store.StanzaIdentity;
import im.zonda.store.StanzaIds;
import im.zonda.store.StoreException;
import im.zonda.xml.QName;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Stores messages of rooms in the message log (XEP-0313) and assigns their ids (XEP-0359,
/// XEP-0421).
public final class RoomArchive {
  private static final String HINTS = "urn:xmpp:hints";
  private static final QName STORE = new QName(HINTS, "store");
  private static final QName NO_STORE = new QName(HINTS, "no-store");
  private static final QName NO_PERMANENT_STORE = new QName(HINTS, "no-permanent-store");

  private final ModuleContext context;
  private final MessageLog log;
  private final ClusterLog clusterLog;
  private final StanzaIds stanzaIds;
  private final Retraction retraction;
  private final boolean enabled;

  public RoomArchive(ModuleContext context, Retraction retraction) {
    this.context = context;
    this.retraction = retraction;
    log = context.port(MessageLog.class);
    clusterLog = context.port(ClusterLog.class);
    stanzaIds = context.port(StanzaIds.class);
    enabled = ArchiveQueries.available(context.config());
  }

  /// A message as the room broadcasts it.
  ///
  /// @param id its id in the log, which contains its time
  /// @param message from the occupant's address, without a recipient
  public record BroadcastMessage(long id, Message message) {}

  /// Whether the server archives messages of rooms.
  boolean isEnabled() {
    return enabled;
  }

  /// Turns a message of an occupant into the room's own, and archives it if it is worth storing;
  /// null if it cannot be stored now. A message that has an entry keeps it
  /// ([im.zonda.module.Origin#entry]).
  ///
  /// In a room with an archive, a message that is not stored has a stanza id only if it has a body:
  /// clients resume reading the archive from the last id they have seen.
  public @Nullable BroadcastMessage store(
      RoomHome home, LiveRoom live, Occupant sender, Message message, Envelope cause) {
    Room room = live.room();
    long stored = cause.origin().entry();
    long id = stored == 0 ? log.nextId() : stored;
    boolean archived = isArchived(live);
    boolean storable = isStorable(message);
    Message own =
        ForgedPayloads.removeFrom(message, room.jid())
            .withPayload(MucNames.OCCUPANT_ID, occupantId(sender))
            .withAddresses(sender.address(), null);
    if (!archived || storable || message.hasBody()) {
      own = own.withPayload(StanzaIds.NAME, stanzaIds.element(room.jid(), id));
    }
    long identity = identity(room.jid(), message, cause);
    Receipt receipt = null;
    if (archived && storable && stored == 0) {
      Message kept = own.withPayload(ArchivedAuthor.of(room, sender, message.from()));
      try {
        Entry entry = new Entry(room.jid(), id, sender.address(), kept, identity);
        receipt = log.append(entry, Keep.ARCHIVE, false);
        context.awaitCommit(receipt, message, cause.origin());
      } catch (StoreException e) {
        return null;
      }
    }
    retraction.retractOwn(live, sender, own);
    home.taken().add(identity, receipt);
    return new BroadcastMessage(id, own);
  }

  /// By what the log recognises a message that is sent again; 0 without a cluster.
  private long identity(Jid room, Message message, Envelope cause) {
    return clusterLog.keepsOrigins()
        ? StanzaIdentity.at(cause.origin().identity(), room, message)
        : 0;
  }

  /// Whether a message is a second copy of one that this home of the room has just sent. If so, it
  /// has been handled when the first is in the log. False for a message without an id, which cannot
  /// be told from another one with the same number.
  public boolean isSecondCopy(RoomHome home, Message message, Envelope cause) {
    if (message.id() == null || !home.taken().has(identity(home.jid(), message, cause))) {
      return false;
    }
    Receipt last = home.taken().lastStored();
    if (last != null) {
      context.awaitCommit(last, message, cause.origin());
    }
    return true;
  }

  private boolean isArchived(LiveRoom live) {
    return enabled && live.stored() && live.room().config().archive();
  }

  /// Whether a message is worth storing: it says something, rather than that someone is typing.
  public static boolean isStorable(Message message) {
    if (message.has(MucNames.RETRACT)) {
      return true; // XEP-0424, section 5: whatever else is said
    }
    if (message.has(NO_STORE) || message.has(NO_PERMANENT_STORE)) {
      return false;
    }
    return message.hasBody() || message.has(MucNames.SUBJECT) || message.has(STORE);
  }

  /// Archives a message of the room itself; it is durable on return.
  ///
  /// @return the message with its stanza id
  Message storeOwn(LiveRoom live, Message message) {
    Jid room = live.room().jid();
    long id = log.nextId();
    Message own = message.withPayload(StanzaIds.NAME, stanzaIds.element(room, id));
    if (isArchived(live)) {
      log.append(new Entry(room, id, room, own), Keep.ARCHIVE, false);
      log.flush();
    }
    return own;
  }

  /// Returns the `<occupant-id/>` payload of an occupant.
  public static byte[] occupantId(Occupant occupant) {
    String id = "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='" + occupant.id() + "'/>";
    return id.getBytes(StandardCharsets.UTF_8);
  }
}
