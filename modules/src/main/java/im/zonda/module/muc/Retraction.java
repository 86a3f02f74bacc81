package im.zonda.module.muc;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.Places;
import im.zonda.module.Xep;
import im.zonda.module.muc.RoomHome.LiveRoom;
import im.zonda.stanza.Message;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageArchive.Filter;
import im.zonda.store.MessageArchive.Portion;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.StoreException;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Puts a tombstone in the place of what is taken back, in a room's history and in its archive: who
/// said it, and under which ids, stays; what was said goes.
@Xep(
    number = 424,
    version = "0.4.2",
    title = "Message Retraction",
    note = "Tombstones in rooms only; between two people retractions are ordinary messages")
final class Retraction {
  private static final Logger log = LoggerFactory.getLogger(Retraction.class);

  /// Digits of the largest id.
  private static final int ID_DIGITS = 19;

  private final ModuleContext context;
  private final MessageArchive archive;
  private final Supplier<Places<RoomHome>> places;

  /// @param places the rooms, asked for when they are there
  Retraction(ModuleContext context, Supplier<Places<RoomHome>> places) {
    this.context = context;
    this.archive = context.port(MessageArchive.class);
    this.places = places;
  }

  /// What a room has under an id.
  ///
  /// @param remembered the message in the history, or null
  /// @param archived the message in the archive, or null
  record Found(@Nullable Message remembered, @Nullable Message archived) {
    /// One of them, or null if there is none.
    @Nullable Message any() {
      return archived == null ? remembered : archived;
    }
  }

  /// The number that an id by the room stands for, or -1 if it is not one that a room gives.
  static long number(@Nullable String id) {
    if (id == null || id.isEmpty() || id.length() > ID_DIGITS || id.startsWith("0")) {
      return -1;
    }
    if (!id.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return -1;
    }
    try {
      return Long.parseLong(id);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /// What the room has under that id. Blocks.
  Found find(LiveRoom live, long id) {
    return new Found(live.history().find(id), archived(live.room().jid(), id));
  }

  private @Nullable Message archived(Jid room, long id) {
    Filter only = new Filter(null, Long.MIN_VALUE, Long.MAX_VALUE, Set.of(id), null);
    List<Entry> entries = archive.page(room, only, new Portion(false, 1, Long.MAX_VALUE)).entries();
    return entries.isEmpty() ? null : entries.getFirst().message();
  }

  /// Puts tombstones in the place of what was found; durable when the call returns.
  ///
  /// @param retracted what the tombstones say
  void bury(LiveRoom live, long id, Found found, Element retracted) {
    Message archived = found.archived();
    if (archived != null) {
      archive.replace(live.room().jid(), id, tombstone(archived, retracted));
    }
    live.history().replace(id, message -> tombstone(message, retracted));
  }

  /// If this message of an occupant takes back what the same user has said (section 5), puts
  /// tombstones in its place. Does not block: the archive follows in a task of its own.
  void byAuthor(LiveRoom live, Occupant author, Message message) {
    Element retract = message.payload(MucNames.RETRACT);
    long id = number(retract == null ? null : retract.attribute("id"));
    if (id < 0 || message.id() == null) {
      return;
    }
    String by = author.id().toString();
    Element retracted = retracted(message.id()).build();
    Message remembered = live.history().find(id);
    if (remembered != null && isBy(by, remembered)) {
      live.history().replace(id, old -> tombstone(old, retracted));
    }
    Jid room = live.room().jid();
    aside(author.user(), room, () -> buryArchived(room, id, by, retracted));
  }

  /// Runs what blocks where it keeps nobody but the user himself from anything.
  private void aside(Jid user, Jid room, Runnable task) {
    if (user.domain().equals(context.domain().domain())) {
      context.atHome(user, home -> task.run());
    } else {
      places.get().at(room, true, home -> task.run());
    }
  }

  private void buryArchived(Jid room, long id, String author, Element retracted) {
    try {
      Message archived = archived(room, id);
      if (archived != null && isBy(author, archived)) {
        archive.replace(room, id, tombstone(archived, retracted));
      }
    } catch (StoreException e) {
      // The retraction itself is kept; clients that read it heed it.
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

  /// What a tombstone says, to be completed.
  ///
  /// @param by the id of the message that takes back
  Element.Builder retracted(@Nullable String by) {
    return Element.builder(MucNames.RETRACTED)
        .attribute("id", by)
        .attribute("stamp", Stamp.of(context.clock().instant()));
  }

  private static Message tombstone(Message old, Element retracted) {
    List<Element> payloads = new ArrayList<>();
    for (Element payload : old.payloads()) {
      if (payload.name().equals(MucNames.OCCUPANT_ID)
          || payload.name().equals(MucNames.X_USER)
          || (payload.name().equals(MucNames.STANZA_ID) && isByRoom(payload, old.from()))) {
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
