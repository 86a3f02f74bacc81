package im.zonda.app.transfer.destination;

import im.zonda.app.transfer.ImportedRoom;
import im.zonda.app.transfer.Omission;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.muc.MucModule;
import im.zonda.stanza.Message;
import im.zonda.store.RoomStore;
import im.zonda.store.Stores;
import im.zonda.xml.Element;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Creates the rooms. Confined to one thread; calls block.
final class RoomWriter {
  private static final String CLIENT = "jabber:client";
  private static final int SALT_BYTES = 16;

  private final ImportTarget target;
  private final Journal journal;
  private final ImportReport report;
  private final Set<Jid> seen = new HashSet<>();

  RoomWriter(ImportTarget target, Journal journal, ImportReport report) {
    this.target = target;
    this.journal = journal;
    this.report = report;
  }

  /// Takes a room; it is durable when the call returns.
  void add(ImportedRoom room) {
    Stores stores = target.stores();
    boolean started = journal.isStarted(room.jid());
    String refusal = refuse(room.jid(), started);
    if (refusal != null) {
      report.omit(new Omission(room.origin(), room.jid().toString(), refusal));
    } else if (journal.isDone(room.jid())) {
      report.countDoneBefore();
    } else {
      List<RoomStore.Affiliation> affiliations = affiliationsOf(room);
      if (!target.dryRun() && stores != null) {
        journal.start(started ? List.of() : List.of(room.jid()));
        stores.rooms().save(stored(room, affiliations), affiliations);
        journal.finish(List.of(room.jid()));
      }
      report.count(Kind.ROOMS, 1);
      report.count(Kind.AFFILIATIONS, affiliations.size());
    }
  }

  private @Nullable String refuse(Jid room, boolean started) {
    String refusal = target.refuseRoom(room);
    Stores stores = target.stores();
    if (refusal != null) {
      return refusal;
    }
    if (stores != null
        && !started
        && (stores.rooms().find(room) != null || stores.accounts().find(room) != null)) {
      return "the room exists already, or an account has its address";
    }
    return seen.add(room) ? null : "the source has this room twice; the first one is taken";
  }

  /// Whether the room was taken, or would be, by this run or an earlier one.
  boolean hasTaken(Jid room) {
    return seen.contains(room);
  }

  private List<RoomStore.Affiliation> affiliationsOf(ImportedRoom room) {
    int most = target.config().rooms().affiliations();
    if (room.affiliations().size() <= most) {
      return room.affiliations();
    }
    report.omit(
        new Omission(
            room.origin(),
            "affiliations of " + room.jid() + " beyond the first " + most,
            "too many; raise rooms.affiliations first"));
    return room.affiliations().subList(0, most);
  }

  private RoomStore.Room stored(ImportedRoom room, List<RoomStore.Affiliation> affiliations) {
    Instant now = target.clock().instant().truncatedTo(ChronoUnit.MICROS);
    Instant created = room.created() == null ? now : room.created();
    Jid creator =
        affiliations.stream()
            .filter(each -> each.affiliation().equals("owner"))
            .map(RoomStore.Affiliation::user)
            .findFirst()
            .orElse(null);
    byte[] salt = new byte[SALT_BYTES];
    target.random().nextBytes(salt);
    ImportedRoom.Subject subject = room.subject();
    Instant time = subject == null || subject.time() == null ? now : subject.time();
    return MucModule.imported(
        new RoomStore.Room(room.jid(), creator, created, true, false, "", ""),
        room.config(),
        subject == null ? null : message(room.jid(), subject),
        time,
        target.config().rooms(),
        HexFormat.of().formatHex(salt));
  }

  private static @Nullable Message message(Jid room, ImportedRoom.Subject subject) {
    Jid from = room;
    try {
      from = subject.author().isEmpty() ? room : room.withResource(subject.author());
    } catch (JidFormatException e) {
      from = room; // the text matters more than the nickname
    }
    return Message.of(
        Message.Type.GROUPCHAT,
        from,
        null,
        null,
        List.of(Element.builder(CLIENT, "subject").text(subject.text()).build()));
  }
}
