package im.zonda.module.muc.stanza;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.Role;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.Seat;
import im.zonda.module.muc.stanza.OccupantPresence.Event;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.xml.Element;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Tells the occupants of a room what happens, all of them in the same order. What is the same for
/// all is made once; each copy has an addressee of its own and nothing more.
public final class RoomBroadcast {
  private final ModuleContext context;
  private final int quietAbove;

  /// @param quietAbove occupants above which the presence of ordinary ones is told to moderators
  ///   only; 0 is never
  public RoomBroadcast(ModuleContext context, int quietAbove) {
    this.context = context;
    this.quietAbove = quietAbove;
  }

  /// Sends a message to every session in the room.
  public void message(Room room, Message message) {
    Jid from = message.from();
    for (Occupant occupant : room.occupants()) {
      List<Seat> seats = occupant.seats();
      for (int i = 0; i < seats.size(); i++) {
        context.send(message.withAddresses(from, seats.get(i).session()));
      }
    }
  }

  /// Tells a session that has entered who is there (section 7.2.2).
  public void rosterTo(Room room, Occupant who, Seat seat) {
    boolean quiet = isQuiet(room);
    for (Occupant other : room.occupants()) {
      boolean told = other.isAnnounced() && !(quiet && isOrdinary(other));
      if (!other.equals(who) && (told || who.role() == Role.MODERATOR)) {
        Presence shown = shownTo(room, who, other);
        if (shown != null) {
          context.send(shown.withAddresses(other.address(), seat.session()));
        }
      }
    }
  }

  /// Tells an occupant that is a moderator now, or is none any more, whom it sees and how.
  public void sight(Room room, Occupant who) {
    boolean moderator = who.role() == Role.MODERATOR;
    boolean open = room.config().nonAnonymous();
    for (Occupant other : room.occupants()) {
      if (other.equals(who) || (other.isAnnounced() && (open || !moderator))) {
        continue;
      }
      Presence told =
          moderator
              ? shownTo(room, who, other)
              : OccupantPresence.unavailable(other, List.of(), null, Event.NONE);
      if (told != null) {
        for (Seat seat : who.seats()) {
          context.send(told.withAddresses(other.address(), seat.session()));
        }
      }
    }
  }

  /// Remembers the presence of all anew: others than before may see true addresses.
  public void reshow(Room room) {
    boolean open = room.config().nonAnonymous();
    for (Occupant occupant : room.occupants()) {
      Seat main = occupant.main();
      Presence shown = main.shown();
      if (shown != null) {
        List<Element> said = OccupantPresence.said(shown);
        main.shown(
            OccupantPresence.available(occupant, said, open ? main.session() : null, Event.NONE)
                .packed());
      }
    }
  }

  /// Tells everyone else of an occupant's presence as it is now, and remembers that form of it.
  ///
  /// @param said what its client says of itself
  public void available(Room room, Occupant who, List<Element> said, Event event) {
    Seat main = who.main();
    boolean open = room.config().nonAnonymous();
    Presence plain =
        OccupantPresence.available(who, said, open ? main.session() : null, Event.NONE);
    main.shown(plain.packed());
    if (!who.isAnnounced()) {
      who.announced(isAnnounced(room, who));
    }
    Presence told =
        event.equals(Event.NONE)
            ? plain
            : OccupantPresence.available(who, said, open ? main.session() : null, event);
    others(
        room,
        who,
        told,
        open ? told : null,
        () -> OccupantPresence.available(who, said, main.session(), event));
  }

  /// Tells everyone else that an occupant is gone, or is about to have another nickname.
  ///
  /// @param jid the address of the session that it was last
  public void unavailable(Room room, Occupant who, List<Element> said, Jid jid, Event event) {
    boolean open = room.config().nonAnonymous();
    Presence plain = OccupantPresence.unavailable(who, said, open ? jid : null, event);
    others(
        room,
        who,
        plain,
        open ? plain : null,
        () -> OccupantPresence.unavailable(who, said, jid, event));
  }

  private void others(
      Room room,
      Occupant who,
      Presence plain,
      @Nullable Presence open,
      Supplier<Presence> withAddress) {
    Presence forModerators = open;
    for (Occupant other : room.occupants()) {
      if (other.equals(who)) {
        continue;
      }
      Presence told = plain;
      if (other.role() == Role.MODERATOR) {
        if (forModerators == null) {
          forModerators = withAddress.get();
        }
        told = forModerators;
      } else if (!who.isAnnounced()) {
        continue;
      }
      List<Seat> seats = other.seats();
      for (int i = 0; i < seats.size(); i++) {
        context.send(told.withAddresses(who.address(), seats.get(i).session()));
      }
    }
  }

  /// Tells one of an occupant's own sessions of its presence (status 110).
  public void toSelf(
      Occupant who, Seat seat, @Nullable String id, List<Element> said, Event event) {
    Presence presence = OccupantPresence.available(who, said, seat.session(), event.with(110));
    send(presence, who, seat, id);
  }

  /// Tells one of an occupant's own sessions that it is not there any more, or not by that name.
  public void goneToSelf(
      Occupant who, Seat seat, @Nullable String id, List<Element> said, Event event) {
    Presence presence = OccupantPresence.unavailable(who, said, seat.session(), event.with(110));
    send(presence, who, seat, id);
  }

  private void send(Presence presence, Occupant who, Seat seat, @Nullable String id) {
    Presence own =
        id == null ? presence : Presence.of(presence.type(), null, null, id, presence.payloads());
    context.send(own.withAddresses(who.address(), seat.session()));
  }

  /// An occupant's presence as `viewer` sees it.
  private static @Nullable Presence shownTo(Room room, Occupant viewer, Occupant other) {
    Presence shown = other.main().shown();
    if (shown == null || room.config().nonAnonymous() || viewer.role() != Role.MODERATOR) {
      return shown;
    }
    return OccupantPresence.available(
        other, OccupantPresence.said(shown), other.main().session(), Event.NONE);
  }

  /// Whether everyone is told of the occupant's presence.
  private boolean isAnnounced(Room room, Occupant who) {
    return room.config().broadcast().contains(who.role()) && !(isQuiet(room) && isOrdinary(who));
  }

  private boolean isQuiet(Room room) {
    return quietAbove > 0 && room.size() > quietAbove;
  }

  /// Whether the occupant has neither a role nor an affiliation of its own.
  private static boolean isOrdinary(Occupant who) {
    return who.role() != Role.MODERATOR && !who.affiliation().isAtLeast(Affiliation.MEMBER);
  }
}
