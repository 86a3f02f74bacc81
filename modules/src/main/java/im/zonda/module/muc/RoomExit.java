package im.zonda.module.muc;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.ServiceHomes;
import im.zonda.module.muc.OccupantPresence.Event;
import im.zonda.module.muc.RoomHome.LiveRoom;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How sessions and occupants get out of a room, by themselves or not (XEP-0045, sections 7.14,
/// 8.2, 9.1, 10.9 and 12), and how a room ends.
final class RoomExit {
  private static final Logger log = LoggerFactory.getLogger(RoomExit.class);
  private static final QName ERROR = new QName(Namespaces.CLIENT, "error");
  private static final Event TECHNICAL = Event.of(333);

  /// The errors that say that a session is gone (section 17.1.2), and the one by which servers
  /// answer a message to a full address without a session (RFC 6121, section 8.5.3.2.1). Any other
  /// error was sent by someone who is there.
  private static final Set<ErrorCondition> SESSION_GONE =
      EnumSet.of(
          ErrorCondition.GONE,
          ErrorCondition.ITEM_NOT_FOUND,
          ErrorCondition.JID_MALFORMED,
          ErrorCondition.RECIPIENT_UNAVAILABLE,
          ErrorCondition.REDIRECT,
          ErrorCondition.REMOTE_SERVER_NOT_FOUND,
          ErrorCondition.REMOTE_SERVER_TIMEOUT,
          ErrorCondition.SERVICE_UNAVAILABLE);

  private final ModuleContext context;
  private final RoomBroadcast broadcast;
  private final RoomKeeper keeper;
  private final Supplier<ServiceHomes<RoomHome>> places;

  RoomExit(
      ModuleContext context,
      RoomBroadcast broadcast,
      RoomKeeper keeper,
      Supplier<ServiceHomes<RoomHome>> places) {
    this.context = context;
    this.broadcast = broadcast;
    this.keeper = keeper;
    this.places = places;
  }

  /// A session leaves; its occupant stays if it has others.
  ///
  /// @param id what the client calls its own stanza, or null
  /// @param said what the client says as it goes
  /// @return false if it was not there
  boolean leave(
      RoomHome home,
      LiveRoom live,
      Jid session,
      @Nullable String id,
      List<Element> said,
      Event event) {
    Room room = live.room();
    Occupant who = room.occupant(session);
    Seat seat = who == null ? null : who.seat(session);
    if (who == null || seat == null) {
      return false;
    }
    boolean wasMain = who.main().equals(seat);
    room.leave(session);
    home.changed();
    if (who.seats().isEmpty()) {
      broadcast.unavailable(room, who, said, session, event);
      broadcast.goneToSelf(who, seat, id, said, event);
    } else {
      broadcast.goneToSelf(who, seat, id, said, event);
      Presence shown = who.main().shown();
      if (wasMain && shown != null) {
        List<Element> others = OccupantPresence.said(shown);
        broadcast.available(room, who, others, Event.NONE);
        who.seats().forEach(other -> broadcast.toSelf(who, other, null, others, Event.NONE));
      }
    }
    endIfOver(home);
    return true;
  }

  /// Handles an error in answer to what the room sent to a session: removes the session if the
  /// error says that it is gone (section 11.1).
  void returned(LiveRoom live, Stanza error) {
    Jid session = error.from();
    if (session != null && live.room().occupant(session) != null && saysGone(error)) {
      removeIfGone(live.room().jid(), session, TECHNICAL);
    }
  }

  private static boolean saysGone(Stanza stanza) {
    Element error = stanza.payload(ERROR);
    for (Element child : error == null ? List.<Element>of() : error.children()) {
      boolean defined = child.name().namespace().equals(Namespaces.STANZA_ERRORS);
      ErrorCondition condition = defined ? ErrorCondition.ofElementName(child.name().name()) : null;
      if (condition != null && SESSION_GONE.contains(condition)) {
        return true;
      }
    }
    return false;
  }

  /// Removes a session from a room unless its home, if that is on this server, still has it: an
  /// error that the client itself has sent proves that it is there, whatever the error says.
  void removeIfGone(Jid room, Jid session, Event event) {
    String resource = session.resource();
    try {
      context.atHome(
          session.bare(),
          account -> {
            if (resource == null || account.session(resource) == null) {
              remove(room, session, event);
            }
          });
    } catch (IllegalArgumentException e) {
      // Not an account of this server.
      log.atDebug().addKeyValue("jid", session).setCause(e).log("occupant_of_another_server");
      remove(room, session, event);
    }
  }

  private void remove(Jid room, Jid session, Event event) {
    places
        .get()
        .submit(
            room,
            false,
            home -> {
              LiveRoom live = home.live();
              if (live != null) {
                leave(home, live, session, null, List.of(), event);
              }
            });
  }

  /// A room that is temporary, or that nobody has configured, ends with its last occupant, or when
  /// it is empty as it becomes one. Its address is free at once: anyone who enters makes a new
  /// room. The store follows, where it may block.
  void endIfOver(RoomHome home) {
    LiveRoom live = home.live();
    if (live != null && isOver(live)) {
      home.live(null);
      if (live.stored()) {
        home.mustErase(true);
        places.get().submit(home.jid(), true, this::eraseEnded);
      }
    }
  }

  /// Removes from the store what a room that has ended has left there, before another room of that
  /// address comes into it. Blocks.
  void eraseEnded(RoomHome home) {
    if (home.mustErase()) {
      keeper.remove(home.jid());
      home.mustErase(false);
    }
  }

  private static boolean isOver(LiveRoom live) {
    return live.room().size() == 0
        && (!live.room().config().persistent() || live.room().isLocked());
  }

  /// Ends a room and tells those who are in it (section 10.9). Blocks.
  ///
  /// @param destroy what they are told of it
  void destroy(RoomHome home, LiveRoom live, Element destroy) {
    if (live.stored()) {
      keeper.remove(home.jid());
    }
    home.live(null);
    Event event = new Event(List.of(), null, null, null, destroy);
    for (Occupant who : live.room().end()) {
      for (Seat seat : who.seats()) {
        broadcast.goneToSelf(who, seat, null, List.of(), event);
      }
    }
  }
}
