package im.zonda.module.muc.stanza;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.module.Origin;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.OccupantSession;
import im.zonda.module.muc.room.Role;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.stanza.OccupantPresence.Event;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.xml.Element;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Sends presence and messages to the occupants of a room, to all of them in the same order. What
/// is the same for all is built once; each copy only has its own recipient.
public final class RoomBroadcast {
  private final ModuleContext context;
  private final IntSupplier quietAbove;
  private final RoomHooks hooks;

  /// @param quietAbove number of sessions above which the presence of ordinary occupants is sent to
  ///   moderators only; 0 is never
  public RoomBroadcast(ModuleContext context, IntSupplier quietAbove) {
    this.context = context;
    this.quietAbove = quietAbove;
    this.hooks = new RoomHooks(context);
  }

  /// Sends a message of the room itself to every session in it.
  public void sendMessage(Room room, Message message) {
    sendMessage(room, message, Origin.NONE);
    hooks.sent(room.jid(), message, null);
  }

  /// Sends a message to every session in the room.
  ///
  /// @param origin held until each has been handled
  public void sendMessage(Room room, Message message, Origin origin) {
    sendAgain(room, message, Long.MAX_VALUE, origin);
  }

  /// Sends a message to every session that was in the room when it was sent first.
  ///
  /// @param id its id in the log
  /// @param origin held until each has been handled
  public void sendAgain(Room room, Message message, long id, Origin origin) {
    Jid from = message.from();
    context.inBatch(
        room.jid(),
        () -> {
          for (Occupant occupant : room.occupants()) {
            List<OccupantSession> sessions = occupant.sessions();
            for (int i = 0; i < sessions.size(); i++) {
              OccupantSession session = sessions.get(i);
              if (session.enteredAt() <= id) {
                context.send(
                    new Envelope(message.withAddresses(from, session.jid()), origin, null));
              }
            }
          }
        });
  }

  /// Sends a message to one session.
  public void sendTo(OccupantSession session, Message message) {
    context.send(message.withAddresses(message.from(), session.jid()));
  }

  /// Sends the presence of all occupants to a session that has entered (section 7.2.2).
  public void sendOccupantsTo(Room room, Occupant who, OccupantSession occupantSession) {
    boolean quiet = isQuiet(room);
    for (Occupant other : room.occupants()) {
      boolean visible = other.isAnnounced() && !(quiet && isOrdinary(other));
      if (!other.equals(who) && (visible || who.role() == Role.MODERATOR)) {
        Presence shown = presenceFor(room, who, other);
        if (shown != null) {
          context.send(shown.withAddresses(other.address(), occupantSession.jid()));
        }
      }
    }
  }

  /// Sends an occupant who has become a moderator, or is no longer one, the presences that it sees
  /// now.
  public void updateVisibility(Room room, Occupant who) {
    boolean moderator = who.role() == Role.MODERATOR;
    boolean open = room.config().nonAnonymous();
    for (Occupant other : room.occupants()) {
      if (other.equals(who) || (other.isAnnounced() && (open || !moderator))) {
        continue;
      }
      Presence sent =
          moderator
              ? presenceFor(room, who, other)
              : OccupantPresence.unavailable(other, List.of(), null, Event.NONE);
      if (sent != null) {
        for (OccupantSession occupantSession : who.sessions()) {
          context.send(sent.withAddresses(other.address(), occupantSession.jid()));
        }
      }
    }
  }

  /// Rebuilds the stored presences after the visibility of real JIDs has changed.
  public void refreshPresence(Room room) {
    boolean open = room.config().nonAnonymous();
    for (Occupant occupant : room.occupants()) {
      OccupantSession main = occupant.mainSession();
      Presence shown = main.presence();
      if (shown != null) {
        List<Element> payloads = OccupantPresence.clientPayloads(shown);
        main.showPresence(
            OccupantPresence.available(occupant, payloads, open ? main.jid() : null, Event.NONE)
                .packed());
        room.changed(occupant);
      }
    }
  }

  /// Sends an occupant's current presence to all other occupants, and stores it.
  ///
  /// @param payloads the client's own payloads
  public void sendAvailable(Room room, Occupant who, List<Element> payloads, Event event) {
    OccupantSession main = who.mainSession();
    boolean open = room.config().nonAnonymous();
    Presence plain =
        OccupantPresence.available(who, payloads, open ? main.jid() : null, Event.NONE);
    main.showPresence(plain.packed());
    if (!who.isAnnounced()) {
      who.setAnnounced(isAnnounced(room, who));
    }
    room.changed(who);
    Presence sent =
        event.equals(Event.NONE)
            ? plain
            : OccupantPresence.available(who, payloads, open ? main.jid() : null, event);
    sendToOthers(
        room,
        who,
        sent,
        open ? sent : null,
        () -> OccupantPresence.available(who, payloads, main.jid(), event));
  }

  /// Sends to all other occupants that an occupant leaves or changes its nickname.
  ///
  /// @param jid the full address of its last session
  public void sendUnavailable(
      Room room, Occupant who, List<Element> payloads, Jid jid, Event event) {
    boolean open = room.config().nonAnonymous();
    Presence plain = OccupantPresence.unavailable(who, payloads, open ? jid : null, event);
    sendToOthers(
        room,
        who,
        plain,
        open ? plain : null,
        () -> OccupantPresence.unavailable(who, payloads, jid, event));
  }

  private void sendToOthers(
      Room room,
      Occupant who,
      Presence plain,
      @Nullable Presence open,
      Supplier<Presence> withAddress) {
    context.inBatch(room.jid(), () -> sendPresence(room, who, plain, open, withAddress));
  }

  private void sendPresence(
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
      Presence sent = plain;
      if (other.role() == Role.MODERATOR) {
        if (forModerators == null) {
          forModerators = withAddress.get();
        }
        sent = forModerators;
      } else if (!who.isAnnounced()) {
        continue;
      }
      List<OccupantSession> sessions = other.sessions();
      for (int i = 0; i < sessions.size(); i++) {
        context.send(sent.withAddresses(who.address(), sessions.get(i).jid()));
      }
    }
  }

  /// Sends an occupant's presence to one of its own sessions (status 110).
  public void sendToSelf(
      Occupant who,
      OccupantSession occupantSession,
      @Nullable String id,
      List<Element> payloads,
      Event event) {
    Presence presence =
        OccupantPresence.available(who, payloads, occupantSession.jid(), event.with(110));
    send(presence, who, occupantSession, id);
  }

  /// Sends to one of an occupant's own sessions that it has left or was removed.
  public void sendLeft(
      Occupant who,
      OccupantSession occupantSession,
      @Nullable String id,
      List<Element> payloads,
      Event event) {
    sendUnavailableToSelf(who, occupantSession, id, payloads, event);
    hooks.left(who.address(), occupantSession.jid());
  }

  /// Sends to one of an occupant's own sessions that it leaves or changes its nickname.
  public void sendUnavailableToSelf(
      Occupant who,
      OccupantSession occupantSession,
      @Nullable String id,
      List<Element> payloads,
      Event event) {
    Presence presence =
        OccupantPresence.unavailable(who, payloads, occupantSession.jid(), event.with(110));
    send(presence, who, occupantSession, id);
  }

  private void send(
      Presence presence, Occupant who, OccupantSession occupantSession, @Nullable String id) {
    Presence own =
        id == null ? presence : Presence.of(presence.type(), null, null, id, presence.payloads());
    context.send(own.withAddresses(who.address(), occupantSession.jid()));
  }

  /// Returns an occupant's presence as `viewer` sees it.
  private static @Nullable Presence presenceFor(Room room, Occupant viewer, Occupant other) {
    Presence shown = other.mainSession().presence();
    if (shown == null || room.config().nonAnonymous() || viewer.role() != Role.MODERATOR) {
      return shown;
    }
    return OccupantPresence.available(
        other, OccupantPresence.clientPayloads(shown), other.mainSession().jid(), Event.NONE);
  }

  /// Whether the occupant's presence is sent to everyone.
  private boolean isAnnounced(Room room, Occupant who) {
    return room.config().broadcast().contains(who.role()) && !(isQuiet(room) && isOrdinary(who));
  }

  private boolean isQuiet(Room room) {
    int most = quietAbove.getAsInt();
    return most > 0 && room.size() > most;
  }

  /// Whether the occupant is neither a moderator nor affiliated.
  private static boolean isOrdinary(Occupant who) {
    return who.role() != Role.MODERATOR && !who.affiliation().isAtLeast(Affiliation.MEMBER);
  }
}
