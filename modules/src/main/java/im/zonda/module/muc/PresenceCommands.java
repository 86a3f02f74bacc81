package im.zonda.module.muc;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.OccupantPresence.Event;
import im.zonda.module.muc.RoomHome.LiveRoom;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Presence;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import java.util.List;

/// What presence to a room does: someone enters, is away, is called otherwise, leaves (XEP-0045,
/// sections 7.2, 7.6, 7.7 and 7.14).
final class PresenceCommands {
  private static final int MOST_BYTES = 8_192;

  private final ModuleContext context;
  private final Rooms settings;
  private final RoomBroadcast broadcast;
  private final RoomEntry entry;
  private final RoomExit exit;

  PresenceCommands(
      ModuleContext context,
      Rooms settings,
      RoomBroadcast broadcast,
      RoomEntry entry,
      RoomExit exit) {
    this.context = context;
    this.settings = settings;
    this.broadcast = broadcast;
    this.entry = entry;
    this.exit = exit;
  }

  void take(RoomHome home, Presence presence, Envelope cause) {
    Jid session = presence.from();
    Jid address = presence.to();
    if (session == null || !session.isFull() || address == null) {
      return;
    }
    LiveRoom live = home.live();
    switch (presence.type()) {
      case AVAILABLE -> {
        if (address.resource() == null) {
          entry.refuse(presence, StanzaError.of(ErrorCondition.JID_MALFORMED));
        } else if (isTooLong(presence)) {
          entry.refuse(presence, tooLong());
        } else {
          available(home, presence, session, address, cause);
        }
      }
      case UNAVAILABLE -> {
        if (live != null) {
          List<Element> said = isTooLong(presence) ? List.of() : OccupantPresence.said(presence);
          exit.leave(home, live, session, presence.id(), said, Event.NONE);
        }
      }
      case ERROR -> {
        if (live != null) {
          exit.returned(live, presence);
        }
      }
      case SUBSCRIBE, SUBSCRIBED, UNSUBSCRIBE, UNSUBSCRIBED, PROBE -> {
        // A room has no roster.
      }
    }
  }

  /// What an occupant says of itself is kept for each, and told to everyone who comes (reliability
  /// row 75).
  private static boolean isTooLong(Presence presence) {
    return presence.writtenSize() > MOST_BYTES;
  }

  private static StanzaError tooLong() {
    ErrorCondition condition = ErrorCondition.NOT_ACCEPTABLE;
    return new StanzaError(condition, condition.type(), "this presence is too long", null);
  }

  private void available(
      RoomHome home, Presence presence, Jid session, Jid address, Envelope cause) {
    LiveRoom live = home.live();
    Occupant who = live == null ? null : live.room().occupant(session);
    Seat seat = who == null ? null : who.seat(session);
    if (live == null || who == null || seat == null) {
      entry.enter(home, presence, session, address, cause);
      return;
    }
    long delay = seat.changes().pace(context.clock().millis(), settings.presenceRate());
    if (!entry.slowDown(cause, delay)) {
      entry.refuse(presence, RoomEntry.tooMuch());
    } else if (!seat.reserve(presence)) {
      entry.refuse(presence, RoomEntry.noMemory());
    } else if (!who.address().equals(address)) {
      rename(live, who, presence, address);
    } else if (presence.has(MucNames.ENTER)) {
      entry.enterAgain(live, who, seat, presence);
    } else {
      who.mainIs(seat);
      List<Element> said = OccupantPresence.said(presence);
      broadcast.available(live.room(), who, said, Event.NONE);
      toOwn(who, presence, said);
    }
  }

  private void toOwn(Occupant who, Presence presence, List<Element> said) {
    for (Seat seat : who.seats()) {
      boolean author = seat.session().equals(presence.from());
      broadcast.toSelf(who, seat, author ? presence.id() : null, said, Event.NONE);
    }
  }

  /// Section 7.6. All sessions of an occupant are called alike.
  private void rename(LiveRoom live, Occupant who, Presence presence, Jid address) {
    Room room = live.room();
    String nick = address.resource();
    Jid session = presence.from();
    Occupant other = nick == null ? null : room.named(nick);
    if (nick == null || session == null || !Nickname.isFit(nick)) {
      entry.refuse(presence, StanzaError.of(ErrorCondition.NOT_ACCEPTABLE));
      return;
    }
    boolean free = room.nickIsFree(session, nick) && (other == null || other.equals(who));
    if (!free) {
      entry.refuse(presence, StanzaError.of(ErrorCondition.CONFLICT));
      return;
    }
    Event event = new Event(List.of(303), nick, null, null, null);
    broadcast.unavailable(room, who, List.of(), who.main().session(), event);
    who.seats().forEach(seat -> broadcast.goneToSelf(who, seat, null, List.of(), event));
    room.rename(who, address);
    List<Element> said = OccupantPresence.said(presence);
    broadcast.available(room, who, said, Event.NONE);
    toOwn(who, presence, said);
  }
}
