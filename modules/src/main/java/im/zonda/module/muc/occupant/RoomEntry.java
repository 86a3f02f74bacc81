package im.zonda.module.muc.occupant;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.journal.Journal;
import im.zonda.journal.Place;
import im.zonda.journal.Reason;
import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.home.HistoryRequest;
import im.zonda.module.muc.home.RoomHistory;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.home.RoomRepository;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.DateTimes;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Nickname;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.OccupantIds;
import im.zonda.module.muc.room.OccupantSession;
import im.zonda.module.muc.room.RateLimit;
import im.zonda.module.muc.room.Role;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.Room.Subject;
import im.zonda.module.muc.room.RoomMemory;
import im.zonda.module.muc.stanza.MucErrors;
import im.zonda.module.muc.stanza.OccupantPresence;
import im.zonda.module.muc.stanza.OccupantPresence.Event;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.module.muc.stanza.RoomHooks;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.ErrorType;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.StanzaError;
import im.zonda.store.ClusterLog;
import im.zonda.store.MessageLog;
import im.zonda.xml.Element;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Entering and creating a room (XEP-0045, sections 7.1, 7.2 and 10.1).
public final class RoomEntry {
  private static final String TOO_MANY =
      "you have created too many rooms; destroy one and try again";

  private final ModuleContext context;
  private final Supplier<Rooms> settings;
  private final RoomBroadcast broadcast;
  private final RoomRepository repository;
  private final Predicate<Jid> mayCreate;
  private final MessageLog log;
  private final ClusterLog clusterLog;
  private final AffiliationList affiliations;
  private final RoomHooks hooks;

  /// @param mayCreate which bare addresses may create rooms
  public RoomEntry(
      ModuleContext context,
      Supplier<Rooms> settings,
      RoomBroadcast broadcast,
      RoomRepository repository,
      Predicate<Jid> mayCreate) {
    this.context = context;
    this.settings = settings;
    this.broadcast = broadcast;
    this.repository = repository;
    this.mayCreate = mayCreate;
    this.log = context.port(MessageLog.class);
    this.clusterLog = context.port(ClusterLog.class);
    this.affiliations = new AffiliationList(context);
    this.hooks = new RoomHooks(context);
  }

  /// Handles presence of a session that is not in the room.
  void enter(RoomHome home, Presence presence, Jid session, Jid address, Envelope cause) {
    Element enter = presence.payload(MucNames.ENTER);
    if (enter == null) {
      sendNotInRoom(presence, session, address);
      return;
    }
    long now = context.clock().millis();
    long delay = home.joins().delay(session.bare(), now, settings.get().presenceRate());
    if (!delaySender(cause, delay)) {
      sendError(presence, MucErrors.rateExceeded());
      return;
    }
    String nick = address.resource();
    if (nick == null || !Nickname.isFit(nick)) {
      sendError(presence, StanzaError.of(ErrorCondition.NOT_ACCEPTABLE));
      return;
    }
    RoomMemory.Charge cost = home.memory().charge(session.bare());
    if (!cost.resize(OccupantSession.memoryCost(presence))) {
      sendError(presence, MucErrors.accountMemoryExceeded());
      return;
    }
    boolean entered = false;
    try {
      StanzaError refusal = enter(home, presence, address, cost, cause.origin().identity());
      entered = refusal == null;
      if (refusal != null) {
        sendError(presence, refusal);
      }
    } finally {
      if (!entered) {
        cost.release();
      }
    }
  }

  /// Delays a sender who exceeds a rate; returns false if the stanza is to be rejected.
  ///
  /// @param delay the result of [RateLimit#delay]
  boolean delaySender(Envelope cause, long delay) {
    if (delay > 0) {
      context.slowDown(cause.origin(), Duration.ofMillis(delay));
    }
    return delay != RateLimit.EXCEEDED;
  }

  /// @param cost charged for the session
  /// @param identity [im.zonda.module.Origin#identity] of the presence
  /// @return the error, or null if the session has entered
  private @Nullable StanzaError enter(
      RoomHome home, Presence presence, Jid address, RoomMemory.Charge cost, long identity) {
    Jid session = Objects.requireNonNull(presence.from());
    LiveRoom live = home.live();
    boolean created = live == null;
    if (live == null) {
      if (!mayCreate.test(session.bare())) {
        return StanzaError.of(ErrorCondition.NOT_ALLOWED);
      }
      live = repository.create(home.jid(), session.bare());
      if (live == null) {
        return StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT).withText(TOO_MANY);
      }
    }
    Element enter = presence.payload(MucNames.ENTER);
    Element password = enter == null ? null : enter.child("password");
    ErrorCondition refusal =
        live.room()
            .findEntryError(
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
      home.setLive(live);
    }
    Occupant occupant = addSession(live, session, address, cost);
    entersNow(occupant.mainSession(), identity);
    home.updateSize();
    sendRoomState(live, occupant, presence, created, false);
    if (created) {
      hooks.created(home.jid(), session.bare());
    }
    hooks.entered(address, session);
    return null;
  }

  /// Adds a session to a room that it may enter.
  public static Occupant addSession(
      LiveRoom live, Jid session, Jid address, RoomMemory.Charge cost) {
    Occupant present = live.room().occupantByNick(String.valueOf(address.resource()));
    OccupantIds.Id id = present == null ? live.ids().of(session.bare()) : present.id();
    Occupant occupant = live.room().enter(session, address, id);
    occupant.mainSession().chargeTo(cost);
    return occupant;
  }

  /// @param identity that of the presence ([im.zonda.module.Origin#identity])
  private void entersNow(OccupantSession session, long identity) {
    if (clusterLog.keepsOrigins()) {
      session.setEnteredAt(log.nextId());
      session.setEnteredBy(identity);
    }
  }

  /// Sends the occupants, the own presence, the history and the subject to a session that has
  /// entered, and its presence to everyone else (section 7.1).
  ///
  /// @param again whether the session may have received messages of the history
  private void sendRoomState(
      LiveRoom live, Occupant occupant, Presence presence, boolean created, boolean again) {
    Room room = live.room();
    OccupantSession occupantSession = occupant.mainSession();
    List<Element> payloads = OccupantPresence.clientPayloads(presence);
    Element version = affiliations.send(live, occupantSession, presence);
    broadcast.sendOccupantsTo(room, occupant, occupantSession);
    broadcast.sendAvailable(room, occupant, payloads, Event.NONE);
    sendToOtherSessions(occupant, occupantSession, payloads);
    Event event = codes(room, created);
    broadcast.sendToSelf(
        occupant,
        occupantSession,
        presence.id(),
        payloads,
        version == null ? event : event.with(version));
    HistoryRequest wanted =
        HistoryRequest.of(presence.payload(MucNames.ENTER), context.clock().instant());
    RoomHistory.Selection history = live.history().select(wanted);
    occupantSession.setHistoryFrom(history.from());
    sendHistory(live.room(), occupantSession, history.messages(), again);
  }

  private void sendToOtherSessions(
      Occupant occupant, OccupantSession occupantSession, List<Element> payloads) {
    for (OccupantSession other : occupant.sessions()) {
      if (!other.equals(occupantSession)) {
        broadcast.sendToSelf(occupant, other, null, payloads, Event.NONE);
      }
    }
  }

  /// Sends the room's state to a session that is in the room and enters again because it has lost
  /// it (section 7.2.1).
  ///
  /// If its client sends again what a home that has died had handled, it has been here since then:
  /// it still gets what it misses ([RoomCatchUp]). The presence by which it has entered is done
  /// with if its home has asked for what it had not received. Otherwise the session has entered
  /// without knowing it, and enters now.
  void rejoin(
      LiveRoom live,
      Occupant occupant,
      OccupantSession occupantSession,
      Presence presence,
      Envelope cause) {
    long identity = cause.origin().identity();
    boolean repeated = occupantSession.hasEnteredBy(identity);
    if (repeated && occupantSession.isCaughtUp()) {
      return;
    }
    if (repeated || cause.origin().age() == 0) {
      entersNow(occupantSession, identity);
    }
    occupant.makeMain(occupantSession);
    sendRoomState(live, occupant, presence, false, repeated);
  }

  /// Sends to a session that is in the room the rest of the answer to its request to enter: the
  /// node of its home may have taken that with it.
  ///
  /// @param received how much of it the session has received
  /// @param last the id of the last message that it has received; 0 if there is none
  void sendRest(
      LiveRoom live,
      Occupant occupant,
      OccupantSession occupantSession,
      Visits.Progress received,
      long last) {
    Room room = live.room();
    if (received == Visits.Progress.NONE) {
      Presence shown = occupantSession.presence();
      broadcast.sendOccupantsTo(room, occupant, occupantSession);
      broadcast.sendToSelf(
          occupant,
          occupantSession,
          null,
          shown == null ? List.of() : OccupantPresence.clientPayloads(shown),
          codes(room, false));
    }
    if (received != Visits.Progress.ALL) {
      long from = Math.max(last + 1, occupantSession.historyFrom());
      List<Message> rest = live.history().between(from, occupantSession.enteredAt());
      sendHistory(room, occupantSession, rest, true);
    }
  }

  /// Sends the history and the subject (sections 7.2.13 and 7.2.14).
  private void sendHistory(
      Room room, OccupantSession session, List<Message> history, boolean again) {
    for (Message message : history) {
      broadcast.sendTo(session, again ? SessionRooms.markSentAgain(message) : message);
    }
    Message subject = subject(room).withAddresses(subjectFrom(room), null);
    broadcast.sendTo(session, again ? SessionRooms.markSentAgain(subject) : subject);
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
                .attribute("stamp", DateTimes.of(subject.time()))
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

  /// Tells a session that sends presence to an occupant's address that it is not in the room
  /// (section 7.2.18).
  private void sendNotInRoom(Presence presence, Jid session, Jid address) {
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

  /// Sends an error with the `<x/>` payload, by which clients recognise the reply.
  void sendError(Presence presence, StanzaError error) {
    context
        .port(Journal.class)
        .record(
            Journal.Entry.of(Place.ROOM, reasonOf(error), presence)
                .withDetail(error.condition().elementName()));
    context.send(
        Presence.of(
            Presence.Type.ERROR,
            presence.to(),
            presence.from(),
            presence.id(),
            List.of(Element.of(MucNames.ENTER), error.toElement())));
  }

  /// Of the errors of [im.zonda.module.muc.room.Room#findEntryError], and those from here.
  private static Reason reasonOf(StanzaError error) {
    return switch (error.condition()) {
      case CONFLICT -> Reason.ROOM_NICKNAME_TAKEN;
      case ITEM_NOT_FOUND -> Reason.ROOM_LOCKED;
      case NOT_ALLOWED -> Reason.ROOM_NOT_CREATED;
      case POLICY_VIOLATION -> Reason.ROOM_TOO_FAST;
      case RESOURCE_CONSTRAINT ->
          TOO_MANY.equals(error.text()) ? Reason.ROOM_NOT_CREATED : Reason.ROOM_MEMORY;
      case FORBIDDEN -> Reason.ROOM_BANNED;
      case REGISTRATION_REQUIRED -> Reason.ROOM_MEMBERS_ONLY;
      case NOT_AUTHORIZED -> Reason.ROOM_PASSWORD;
      case SERVICE_UNAVAILABLE -> Reason.ROOM_FULL;
      default -> Reason.ROOM_REFUSED;
    };
  }

  private static StanzaError error(ErrorCondition condition) {
    return switch (condition) {
      case SERVICE_UNAVAILABLE ->
          new StanzaError(condition, ErrorType.WAIT, "the room is full; try again later", null);
      case ITEM_NOT_FOUND ->
          StanzaError.of(condition)
              .withText("the room is locked until its creator accepts its configuration");
      default -> StanzaError.of(condition);
    };
  }
}
