package im.zonda.module.muc.occupant;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.ServiceHomes;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.home.RoomRepository;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.OccupantSession;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.stanza.OccupantPresence;
import im.zonda.module.muc.stanza.OccupantPresence.Event;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.module.muc.stanza.RoomHooks;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Exiting a room, voluntarily or not (XEP-0045, sections 7.14, 8.2, 9.1, 10.9 and 12), and the end
/// of a room.
///
/// What happens when the last occupant leaves:
///
/// - A persistent room stays, with its owners and its archive.
/// - A temporary room goes. Rooms are persistent by default, so its owner has asked for that, or
///   the operator has.
/// - A locked room goes: its creator has not accepted its configuration.
/// - A room that is persistent only by default goes, too, as long as it is not used
///   ([Room#isUsed]): its creator has accepted the defaults, and nobody has said anything. Such
///   rooms are made by mistyped names and by links that nobody followed; nothing is lost with them,
///   and their names are free again. A subject alone changes nothing. A form that says that the
///   room is to be persistent is a promise, and keeps it.
public final class RoomExit {
  private static final QName ERROR = new QName(Namespaces.CLIENT, "error");
  private static final Event TECHNICAL = Event.of(333);

  /// Errors which say that a session no longer exists (section 17.1.2), and the one that servers
  /// return for a message to a full address without a session (RFC 6121, section 8.5.3.2.1). Other
  /// errors come from a session that exists.
  private static final Set<ErrorCondition> SESSION_GONE =
      Set.of(
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
  private final RoomRepository repository;
  private final Supplier<ServiceHomes<RoomHome>> places;
  private final RoomHooks hooks;

  public RoomExit(
      ModuleContext context,
      RoomBroadcast broadcast,
      RoomRepository repository,
      Supplier<ServiceHomes<RoomHome>> places) {
    this.context = context;
    this.broadcast = broadcast;
    this.repository = repository;
    this.places = places;
    this.hooks = new RoomHooks(context);
  }

  /// Removes a session; the occupant stays if it has other sessions.
  ///
  /// @param id the id of the client's presence, or null
  /// @param payloads the client's payloads of that presence
  /// @return false if the session was not in the room
  boolean leave(
      RoomHome home,
      LiveRoom live,
      Jid session,
      @Nullable String id,
      List<Element> payloads,
      Event event) {
    Room room = live.room();
    Occupant occupant = room.occupant(session);
    OccupantSession occupantSession = occupant == null ? null : occupant.session(session);
    if (occupant == null || occupantSession == null) {
      return false;
    }
    boolean wasMain = occupant.mainSession().equals(occupantSession);
    room.leave(session);
    home.updateSize();
    if (occupant.sessions().isEmpty()) {
      broadcast.sendUnavailable(room, occupant, payloads, session, event);
      broadcast.sendLeft(occupant, occupantSession, id, payloads, event);
    } else {
      broadcast.sendLeft(occupant, occupantSession, id, payloads, event);
      Presence shown = occupant.mainSession().presence();
      if (wasMain && shown != null) {
        List<Element> others = OccupantPresence.clientPayloads(shown);
        broadcast.sendAvailable(room, occupant, others, Event.NONE);
        occupant
            .sessions()
            .forEach(other -> broadcast.sendToSelf(occupant, other, null, others, Event.NONE));
      }
    }
    destroyIfUnused(home);
    return true;
  }

  /// Handles an error that a session returned for a stanza of the room: removes the session if the
  /// error says that it no longer exists (section 11.1), or that another session has its address
  /// now ([SessionRooms]).
  void handleError(RoomHome home, LiveRoom live, Stanza error) {
    Jid session = error.from();
    if (session == null || live.room().occupant(session) == null) {
      return;
    }
    Element cause = error.payload(ERROR);
    if (cause != null && SessionRooms.saysNotEntered(cause)) {
      if (!asks(live, session, error.id())) {
        leave(home, live, session, null, List.of(), TECHNICAL);
      }
    } else if (cause != null && saysGone(cause)) {
      removeIfGone(live.room().jid(), session, TECHNICAL);
    }
  }

  /// In a cluster, what says that a session of this server is over may come late, from a former
  /// home, when the next session of the same address has entered: one that has entered lately is
  /// asked before it is removed.
  ///
  /// @param answer the id of an error that says it, or null
  /// @return false if nothing is asked: the session is to be removed now
  boolean asks(LiveRoom live, Jid session, @Nullable String answer) {
    Occupant occupant = live.room().occupant(session);
    OccupantSession entered = occupant == null ? null : occupant.session(session);
    if (entered == null
        || !RoomCatchUp.hasEnteredLately(entered, context.clock().instant())
        || question(entered).equals(answer)) {
      return false;
    }
    String question = question(entered);
    Jid room = live.room().jid();
    return context.find(
        session,
        exists -> {
          if (exists) {
            context.send(SessionRooms.areYouThere(room, session, question));
          } else {
            remove(room, session, Event.NONE);
          }
        });
  }

  /// The id of the question to a session, which is another one when it has entered again.
  private static String question(OccupantSession session) {
    return "are-you-there-" + session.enteredAt();
  }

  private static boolean saysGone(Element error) {
    for (Element child : error.children()) {
      boolean defined = child.name().namespace().equals(Namespaces.STANZA_ERRORS);
      ErrorCondition condition = defined ? ErrorCondition.ofElementName(child.name().name()) : null;
      if (condition != null && SESSION_GONE.contains(condition)) {
        return true;
      }
    }
    return false;
  }

  /// Removes a session from a room unless it still exists at its home on this server. An error that
  /// the client itself has sent shows that the session exists, whatever the error says.
  public void removeIfGone(Jid room, Jid session, Event event) {
    boolean asked =
        context.find(
            session,
            exists -> {
              if (!exists) {
                remove(room, session, event);
              }
            });
    if (!asked) {
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

  /// Destroys an empty room that does not stay ([Room#isOver]). The address is free at once; the
  /// store is updated in a task that may block.
  public void destroyIfUnused(RoomHome home) {
    LiveRoom live = home.live();
    if (live != null && live.room().isOver()) {
      home.setLive(null);
      if (live.stored()) {
        home.setDestroyed(live.room());
        places.get().submit(home.jid(), true, this::deleteDestroyed);
      }
      hooks.removed(home.jid());
    }
  }

  /// Deletes a destroyed room from the store, before a new room of the same address is stored.
  /// Blocks.
  public void deleteDestroyed(RoomHome home) {
    Room destroyed = home.destroyed();
    if (destroyed != null) {
      repository.delete(destroyed);
      home.setDestroyed(null);
    }
  }

  /// Destroys a room and notifies its occupants (section 10.9). Blocks.
  ///
  /// @param destroy the `<destroy/>` element for the occupants
  public void destroy(RoomHome home, LiveRoom live, Element destroy) {
    if (live.stored()) {
      repository.delete(live.room());
    }
    remove(home, live, destroy);
  }

  /// Destroys a room as [#destroy] does, and it cannot be restored. Blocks.
  public void erase(RoomHome home, LiveRoom live, Element destroy) {
    if (live.stored()) {
      repository.erase(live.room());
    }
    remove(home, live, destroy);
  }

  private void remove(RoomHome home, LiveRoom live, Element destroy) {
    home.setLive(null);
    Event event = new Event(List.of(), null, null, null, destroy);
    for (Occupant occupant : live.room().destroy()) {
      for (OccupantSession occupantSession : occupant.sessions()) {
        broadcast.sendLeft(occupant, occupantSession, null, List.of(), event);
      }
    }
    hooks.removed(home.jid());
  }
}
