package im.zonda.module.muc.occupant;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Nickname;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.OccupantSession;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.stanza.MucErrors;
import im.zonda.module.muc.stanza.OccupantPresence;
import im.zonda.module.muc.stanza.OccupantPresence.Event;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Presence;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import java.util.List;
import java.util.function.Supplier;

/// Handles presence to a room: entering, changes of presence and nickname, exiting (XEP-0045,
/// sections 7.2, 7.6, 7.7 and 7.14).
public final class PresenceCommands {
  private static final int MAX_BYTES = 8_192;

  private final ModuleContext context;
  private final Supplier<Rooms> settings;
  private final RoomBroadcast broadcast;
  private final RoomEntry entry;
  private final RoomExit exit;

  public PresenceCommands(
      ModuleContext context,
      Supplier<Rooms> settings,
      RoomBroadcast broadcast,
      RoomEntry entry,
      RoomExit exit) {
    this.context = context;
    this.settings = settings;
    this.broadcast = broadcast;
    this.entry = entry;
    this.exit = exit;
  }

  public void handle(RoomHome home, Presence presence, Envelope cause) {
    Jid session = presence.from();
    Jid address = presence.to();
    if (session == null || !session.isFull() || address == null) {
      return;
    }
    LiveRoom live = home.live();
    switch (presence.type()) {
      case AVAILABLE -> {
        if (address.resource() == null) {
          entry.sendError(presence, StanzaError.of(ErrorCondition.JID_MALFORMED));
        } else if (isTooLong(presence)) {
          entry.sendError(presence, tooLong());
        } else {
          handleAvailable(home, presence, session, address, cause);
        }
      }
      case UNAVAILABLE -> {
        boolean sentByClient = cause.origin().session() != null;
        if (live != null && (sentByClient || !exit.asks(live, session, null))) {
          List<Element> payloads =
              isTooLong(presence) ? List.of() : OccupantPresence.clientPayloads(presence);
          exit.leave(home, live, session, presence.id(), payloads, Event.NONE);
        }
      }
      case ERROR -> {
        if (live != null) {
          exit.handleError(home, live, presence);
        }
      }
      case SUBSCRIBE, SUBSCRIBED, UNSUBSCRIBE, UNSUBSCRIBED, PROBE -> {
        // A room has no roster.
      }
    }
  }

  /// A presence is kept for each session and sent to everyone who enters (reliability row 75).
  private static boolean isTooLong(Presence presence) {
    return presence.writtenSize() > MAX_BYTES;
  }

  private static StanzaError tooLong() {
    ErrorCondition condition = ErrorCondition.NOT_ACCEPTABLE;
    return new StanzaError(
        condition,
        condition.type(),
        "the presence is too large; the limit is " + MAX_BYTES + " bytes",
        null);
  }

  private void handleAvailable(
      RoomHome home, Presence presence, Jid session, Jid address, Envelope cause) {
    LiveRoom live = home.live();
    Occupant occupant = live == null ? null : live.room().occupant(session);
    OccupantSession occupantSession = occupant == null ? null : occupant.session(session);
    if (live == null || occupant == null || occupantSession == null) {
      entry.enter(home, presence, session, address, cause);
      return;
    }
    long delay =
        occupantSession
            .presenceRate()
            .delay(context.clock().millis(), settings.get().presenceRate());
    if (!entry.delaySender(cause, delay)) {
      entry.sendError(presence, MucErrors.rateExceeded());
    } else if (!occupantSession.reserveMemory(presence)) {
      entry.sendError(presence, MucErrors.accountMemoryExceeded());
    } else if (!occupant.address().equals(address)) {
      rename(live, occupant, presence, address);
    } else if (presence.has(MucNames.ENTER)) {
      entry.rejoin(live, occupant, occupantSession, presence, cause);
    } else {
      occupant.makeMain(occupantSession);
      List<Element> payloads = OccupantPresence.clientPayloads(presence);
      broadcast.sendAvailable(live.room(), occupant, payloads, Event.NONE);
      sendToOwnSessions(occupant, presence, payloads);
    }
  }

  private void sendToOwnSessions(Occupant occupant, Presence presence, List<Element> payloads) {
    for (OccupantSession occupantSession : occupant.sessions()) {
      boolean author = occupantSession.jid().equals(presence.from());
      broadcast.sendToSelf(
          occupant, occupantSession, author ? presence.id() : null, payloads, Event.NONE);
    }
  }

  /// Changes the nickname of an occupant, for all of its sessions (section 7.6).
  private void rename(LiveRoom live, Occupant occupant, Presence presence, Jid address) {
    Room room = live.room();
    String nick = address.resource();
    Jid session = presence.from();
    Occupant other = nick == null ? null : room.occupantByNick(nick);
    if (nick == null || session == null || !Nickname.isFit(nick)) {
      entry.sendError(presence, StanzaError.of(ErrorCondition.NOT_ACCEPTABLE));
      return;
    }
    boolean free = room.isNickAvailable(session, nick) && (other == null || other.equals(occupant));
    if (!free) {
      entry.sendError(presence, StanzaError.of(ErrorCondition.CONFLICT));
      return;
    }
    Event event = new Event(List.of(303), nick, null, null, null);
    broadcast.sendUnavailable(room, occupant, List.of(), occupant.mainSession().jid(), event);
    occupant
        .sessions()
        .forEach(occupantSession ->
            broadcast.sendUnavailableToSelf(occupant, occupantSession, null, List.of(), event));
    room.rename(occupant, address);
    List<Element> payloads = OccupantPresence.clientPayloads(presence);
    broadcast.sendAvailable(room, occupant, payloads, Event.NONE);
    sendToOwnSessions(occupant, presence, payloads);
  }
}
