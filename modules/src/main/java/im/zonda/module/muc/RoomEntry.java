package im.zonda.module.muc;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.OccupantPresence.Event;
import im.zonda.module.muc.Room.Subject;
import im.zonda.module.muc.RoomHome.LiveRoom;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.ErrorType;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// How sessions get into a room, and how a room comes into being (XEP-0045, sections 7.1, 7.2 and
/// 10.1).
final class RoomEntry {
  private final ModuleContext context;
  private final Rooms settings;
  private final RoomBroadcast broadcast;
  private final RoomKeeper keeper;
  private final Predicate<Jid> mayCreate;

  /// @param mayCreate which bare addresses may make rooms
  RoomEntry(
      ModuleContext context,
      Rooms settings,
      RoomBroadcast broadcast,
      RoomKeeper keeper,
      Predicate<Jid> mayCreate) {
    this.context = context;
    this.settings = settings;
    this.broadcast = broadcast;
    this.keeper = keeper;
    this.mayCreate = mayCreate;
  }

  /// A session that is not in the room wants to enter it.
  void enter(RoomHome home, Presence presence, Jid session, Jid address, Envelope cause) {
    Element enter = presence.payload(MucNames.ENTER);
    if (enter == null) {
      notInRoom(presence, session, address);
      return;
    }
    long now = context.clock().millis();
    long delay = home.joins().pace(session.bare(), now, settings.presenceRate());
    if (!slowDown(cause, delay)) {
      refuse(presence, tooMuch());
      return;
    }
    String nick = address.resource();
    if (nick == null || !Nickname.isFit(nick)) {
      refuse(presence, StanzaError.of(ErrorCondition.NOT_ACCEPTABLE));
      return;
    }
    RoomMemory.Charge cost = home.memory().charge(session.bare());
    if (!cost.resize(Seat.cost(presence))) {
      refuse(presence, noMemory());
      return;
    }
    boolean entered = false;
    try {
      StanzaError refusal = enter(home, presence, session, address, cost);
      entered = refusal == null;
      if (refusal != null) {
        refuse(presence, refusal);
      }
    } finally {
      if (!entered) {
        cost.end();
      }
    }
  }

  /// Delays the sender of what comes too fast; false if it comes much too fast.
  ///
  /// @param delay what [Seat.Budget#pace] has returned
  boolean slowDown(Envelope cause, long delay) {
    if (delay > 0) {
      context.slowDown(cause.origin(), Duration.ofMillis(delay));
    }
    return delay != Seat.Budget.REFUSED;
  }

  /// @param cost what the session is charged
  /// @return why it may not enter, or null
  private @Nullable StanzaError enter(
      RoomHome home, Presence presence, Jid session, Jid address, RoomMemory.Charge cost) {
    LiveRoom live = home.live();
    boolean created = live == null;
    if (live == null) {
      if (!mayCreate.test(session.bare())) {
        return StanzaError.of(ErrorCondition.NOT_ALLOWED);
      }
      live = keeper.make(home.jid(), session.bare());
      if (live == null) {
        return StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT)
            .withText("you have created too many rooms");
      }
    }
    Element enter = presence.payload(MucNames.ENTER);
    Element password = enter == null ? null : enter.child("password");
    ErrorCondition refusal =
        live.room()
            .refusal(
                session,
                String.valueOf(address.resource()),
                password == null ? null : password.text());
    if (refusal != null) {
      if (created) {
        live.end();
      }
      return error(refusal);
    }
    if (created) {
      home.live(live);
    }
    Occupant who = seat(live, session, address, cost);
    home.changed();
    welcome(live, who, presence, created);
    return null;
  }

  /// Puts a session into a room that lets it in.
  static Occupant seat(LiveRoom live, Jid session, Jid address, RoomMemory.Charge cost) {
    Occupant present = live.room().named(String.valueOf(address.resource()));
    OccupantIds.Id id = present == null ? live.ids().of(session.bare()) : present.id();
    Occupant who = live.room().enter(session, address, id);
    who.main().charge(cost);
    return who;
  }

  /// Tells a session that has entered, and everyone else (section 7.1).
  private void welcome(LiveRoom live, Occupant who, Presence presence, boolean created) {
    Room room = live.room();
    Seat seat = who.main();
    List<Element> said = OccupantPresence.said(presence);
    broadcast.rosterTo(room, who, seat);
    broadcast.available(room, who, said, Event.NONE);
    tellOwnOthers(who, seat, said);
    broadcast.toSelf(who, seat, presence.id(), said, codes(room, created));
    past(live, seat.session(), presence);
  }

  private void tellOwnOthers(Occupant who, Seat seat, List<Element> said) {
    for (Seat other : who.seats()) {
      if (!other.equals(seat)) {
        broadcast.toSelf(who, other, null, said, Event.NONE);
      }
    }
  }

  /// A session that is in the room enters again: it has lost what it knew (section 7.2.1).
  void enterAgain(LiveRoom live, Occupant who, Seat seat, Presence presence) {
    who.mainIs(seat);
    welcome(live, who, presence, false);
  }

  /// What was said before, and what it is about (sections 7.2.13 and 7.2.14).
  private void past(LiveRoom live, Jid session, Presence presence) {
    HistoryRequest wanted =
        HistoryRequest.of(presence.payload(MucNames.ENTER), context.clock().instant());
    for (Message message : live.history().select(wanted)) {
      context.send(message.withAddresses(message.from(), session));
    }
    context.send(subject(live.room()).withAddresses(subjectFrom(live.room()), session));
  }

  private static Jid subjectFrom(Room room) {
    Subject subject = room.subject();
    Jid from = subject == null ? null : subject.message().from();
    return from == null ? room.jid() : from;
  }

  private static Message subject(Room room) {
    Subject subject = room.subject();
    if (subject == null) {
      return Message.of(
          Message.Type.GROUPCHAT, null, null, null, List.of(Element.of(MucNames.SUBJECT)));
    }
    return subject
        .message()
        .withPayload(
            Element.builder(MucNames.DELAY)
                .attribute("from", room.jid().toString())
                .attribute("stamp", Stamp.of(subject.time()))
                .build());
  }

  private static Event codes(Room room, boolean created) {
    List<Integer> codes = new ArrayList<>(3);
    if (room.config().nonAnonymous()) {
      codes.add(100);
    }
    if (room.config().archive()) {
      codes.add(170);
    }
    if (created) {
      codes.add(201);
    }
    return new Event(codes, null, null, null, null);
  }

  /// Someone behaves as if it were in the room (section 7.2.18).
  private void notInRoom(Presence presence, Jid session, Jid address) {
    Element item =
        Element.builder(MucNames.USER, "item")
            .attribute("affiliation", Affiliation.NONE.value())
            .attribute("role", Role.NONE.value())
            .child("reason", "You are not in the room.")
            .build();
    Element.Builder x = Element.builder(MucNames.X_USER).child(item);
    for (String code : List.of("110", "307", "333")) {
      x.child(Element.builder(MucNames.USER, "status").attribute("code", code).build());
    }
    context.send(
        Presence.of(
            Presence.Type.UNAVAILABLE, address, session, presence.id(), List.of(x.build())));
  }

  /// Tells why not. Clients know the answer by the `<x/>` that they have sent.
  void refuse(Presence presence, StanzaError error) {
    context.send(
        Presence.of(
            Presence.Type.ERROR,
            presence.to(),
            presence.from(),
            presence.id(),
            List.of(Element.of(MucNames.ENTER), error.toElement())));
  }

  /// The account uses all the memory that it may (RFC 6120, section 8.3.3.18).
  static StanzaError noMemory() {
    return StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT)
        .withText("your account uses too much memory in rooms");
  }

  static StanzaError tooMuch() {
    return new StanzaError(
        ErrorCondition.POLICY_VIOLATION, ErrorType.WAIT, "too often; wait a little", null);
  }

  private static StanzaError error(ErrorCondition condition) {
    return condition == ErrorCondition.SERVICE_UNAVAILABLE
        ? new StanzaError(condition, ErrorType.WAIT, "the room is full", null)
        : StanzaError.of(condition);
  }
}
