package im.zonda.module.muc.archive;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.ServiceHomes;
import im.zonda.module.Xep;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.DateTimes;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Occupant;
import im.zonda.stanza.Message;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageArchive.Filter;
import im.zonda.store.MessageArchive.Portion;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.StanzaIds;
import im.zonda.store.StoreException;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Replaces retracted messages with tombstones in a room's history and archive. A tombstone keeps
/// the sender and the ids, and drops the content.
@Xep(
    number = 424,
    version = "0.4.2",
    title = "Message Retraction",
    note = "Tombstones in rooms only; between two people retractions are ordinary messages")
public final class Retraction {
  private static final Logger log = LoggerFactory.getLogger(Retraction.class);

  private final ModuleContext context;
  private final MessageArchive archive;
  private final StanzaIds stanzaIds;
  private final Supplier<ServiceHomes<RoomHome>> places;

  /// @param places supplies the room homes, which exist only later
  public Retraction(ModuleContext context, Supplier<ServiceHomes<RoomHome>> places) {
    this.context = context;
    this.archive = context.port(MessageArchive.class);
    this.stanzaIds = context.port(StanzaIds.class);
    this.places = places;
  }

  /// A message of a room.
  ///
  /// @param remembered the copy in the history, or null
  /// @param archived the copy in the archive, or null
  record Found(@Nullable Message remembered, @Nullable Message archived) {
    /// Returns one of the copies, or null.
    @Nullable Message any() {
      return archived == null ? remembered : archived;
    }
  }

  /// Parses an id that a room has assigned; empty if it is not such an id.
  OptionalLong parseId(@Nullable String id) {
    return id == null ? OptionalLong.empty() : stanzaIds.decode(id);
  }

  /// Returns the id by which clients know a message of a room.
  String stanzaId(Message message, Jid room, long id) {
    return stanzaIds.ofStored(message, room, id);
  }

  /// Whether this is the id of a message of a room.
  boolean isStanzaId(Message message, Jid room, long id) {
    OptionalLong found = stanzaIds.find(message, room);
    return found.isPresent() && found.getAsLong() == id;
  }

  /// Finds a message by its id. Blocks.
  Found find(LiveRoom live, long id) {
    return new Found(live.history().find(id), findArchived(live.room().jid(), id));
  }

  private @Nullable Message findArchived(Jid room, long id) {
    Filter only = new Filter(null, Long.MIN_VALUE, Long.MAX_VALUE, Set.of(id), null);
    List<Entry> entries = archive.page(room, only, new Portion(false, 1, Long.MAX_VALUE)).entries();
    return entries.isEmpty() ? null : entries.getFirst().message();
  }

  /// Replaces both copies of a message with tombstones; they are durable on return.
  ///
  /// @param retracted the payload of the tombstones
  void replaceWithTombstones(LiveRoom live, long id, Found found, Element retracted) {
    Message archived = found.archived();
    if (archived != null) {
      archive.replace(live.room().jid(), id, tombstone(archived, retracted));
    }
    live.history().replace(id, message -> tombstone(message, retracted));
  }

  /// If this message retracts an earlier one of the same user (section 5), replaces that with a
  /// tombstone. Does not block: the archive is changed in a separate task.
  void retractOwn(LiveRoom live, Occupant author, Message message) {
    Element retract = message.payload(MucNames.RETRACT);
    OptionalLong named = parseId(retract == null ? null : retract.attribute("id"));
    if (named.isEmpty() || message.id() == null) {
      return;
    }
    long id = named.getAsLong();
    String by = author.id().toString();
    Element retracted = retractedElement(message.id()).build();
    Message remembered = live.history().find(id);
    if (remembered != null && isBy(by, remembered)) {
      live.history().replace(id, old -> tombstone(old, retracted));
    }
    Jid room = live.room().jid();
    runAtHome(author.user(), room, () -> replaceArchived(room, id, by, retracted));
  }

  /// Runs a blocking task at the user's own home, so that it does not delay other users. For users
  /// of other servers and nodes it runs at the room's home.
  private void runAtHome(Jid user, Jid room, Runnable task) {
    if (!context.atHome(user, home -> task.run())) {
      places.get().submit(room, true, home -> task.run());
    }
  }

  private void replaceArchived(Jid room, long id, String author, Element retracted) {
    try {
      Message archived = findArchived(room, id);
      if (archived != null && isBy(author, archived)) {
        archive.replace(room, id, tombstone(archived, retracted));
      }
    } catch (StoreException e) {
      // The archive has the retraction itself, which clients apply when they read it.
      log.atWarn().addKeyValue("room", room).setCause(e).log("room_tombstone_failed");
    }
  }

  private static boolean isBy(String author, Message message) {
    Element id = message.payload(MucNames.OCCUPANT_ID);
    return id != null
        && author.equals(id.attribute("id"))
        && !message.has(MucNames.RETRACT)
        && !message.has(MucNames.RETRACTED);
  }

  /// Starts the payload of a tombstone.
  ///
  /// @param by the id of the retracting message
  Element.Builder retractedElement(@Nullable String by) {
    return Element.builder(MucNames.RETRACTED)
        .attribute("id", by)
        .attribute("stamp", DateTimes.of(context.clock().instant()));
  }

  private static Message tombstone(Message old, Element retracted) {
    List<Element> payloads = new ArrayList<>();
    for (Element payload : old.payloads()) {
      if (payload.name().equals(MucNames.OCCUPANT_ID)
          || payload.name().equals(MucNames.X_USER)
          || (payload.name().equals(StanzaIds.NAME) && isByRoom(payload, old.from()))) {
        payloads.add(payload);
      }
    }
    payloads.add(retracted);
    return Message.of(Message.Type.GROUPCHAT, old.from(), null, old.id(), payloads);
  }

  private static boolean isByRoom(Element stanzaId, @Nullable Jid occupant) {
    return occupant != null && occupant.bare().toString().equals(stanzaId.attribute("by"));
  }
}
