package im.zonda.module.muc.occupant;

import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.SessionListener;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.occupant.Visits.Visit;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Room.Subject;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.session.SessionKey;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.store.StanzaIds;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Filters stanzas of this host's rooms to sessions, at the homes of their accounts, in a cluster.
///
/// A room may still list a session that was lost with its node. If another session binds the same
/// resource, it gets nothing from a room that it has not entered, and the room is notified that the
/// occupant's session is gone. A message that a room sends again reaches a session only if it has
/// not received it before.
///
/// The node of a session may die after it has accepted messages of a room and before it has
/// delivered them. A recovered session asks its rooms for what it has not received ([RoomCatchUp]),
/// and gets nothing else from a room until that has answered. What it has received is known from
/// its values and the stanzas of the snapshot from which it was recovered.
public final class SessionRooms {
  private static final String NAMESPACE = "urn:zonda:muc:0";
  private static final QName SENT_AGAIN = new QName(NAMESPACE, "sent-again");
  private static final QName ARE_YOU_THERE = new QName(NAMESPACE, "are-you-there");
  private static final QName NOT_ENTERED = new QName(NAMESPACE, "not-entered");
  private static final StanzaError REFUSAL =
      StanzaError.of(ErrorCondition.RECIPIENT_UNAVAILABLE).withDetail(Element.of(NOT_ENTERED));

  private static final QName ERROR = new QName(Namespaces.CLIENT, "error");

  /// Conditions of errors by which a room says that the session is not in it.
  private static final List<QName> NOT_THERE =
      Stream.of(ErrorCondition.NOT_ACCEPTABLE, ErrorCondition.ITEM_NOT_FOUND)
          .map(condition -> new QName(Namespaces.STANZA_ERRORS, condition.elementName()))
          .toList();

  /// How long to wait for an answer of a room before asking again.
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /// The most requests to a room that does not answer, or answers with a temporary error.
  private static final int REQUESTS = 12;

  /// The prefix of the ids of these requests, by which a late answer is kept from the client.
  private static final String REQUEST = "catch-up-";

  private static final Logger LOG = LoggerFactory.getLogger(SessionRooms.class);

  private final SessionKey<Visits> key =
      SessionKey.ofSent("room-visits", Visits.class, Visits::write, Visits::read);
  private final ModuleContext context;
  private final String domain;
  private final StanzaIds ids;

  /// @param service the address of the room service
  public SessionRooms(ModuleContext context, Jid service) {
    this.context = context;
    this.domain = service.domain();
    this.ids = context.port(StanzaIds.class);
  }

  /// Declares the filters.
  public void install() {
    context.onSession(
        new SessionListener() {
          @Override
          public void bound(Home home, Session session) {
            session.set(key, new Visits());
          }

          @Override
          public void recovered(Home home, Session session, Snapshot snapshot) {
            SessionRooms.this.recovered(session, snapshot);
          }
        });
    context.onPresence(
        HookPoint.SENT_BY_CLIENT,
        Phase.RECORD,
        (presence, _, session) -> {
          if (session != null) {
            sent(presence, session);
          }
          return Verdict.pass();
        });
    context.onPresence(
        HookPoint.ARRIVING, Phase.REFUSE, (presence, home, _) -> arriving(presence, home));
    context.onMessage(
        HookPoint.ARRIVING, Phase.REFUSE, (message, home, _) -> arriving(message, home));
    context.onIq(HookPoint.ARRIVING, Phase.REFUSE, (iq, home, _) -> arriving(iq, home));
  }

  /// Marks a message that a room sends again; the mark does not reach clients.
  public static Message markSentAgain(Message message) {
    return message.withPayload(Element.of(SENT_AGAIN));
  }

  /// A message that asks a session whether it is in a room. There is no answer if it is; otherwise
  /// the room gets an error ([#saysNotEntered]), as it does if there is no such session.
  ///
  /// @param id that of the error
  static Message areYouThere(Jid room, Jid session, String id) {
    return Message.of(
        Message.Type.GROUPCHAT, room, session, id, List.of(Element.of(ARE_YOU_THERE)));
  }

  /// Whether an error says that a room's occupant has another session now, which has not entered.
  static boolean saysNotEntered(Element error) {
    return error.children().stream().anyMatch(child -> child.name().equals(NOT_ENTERED));
  }

  private static @Nullable Session session(Home home, @Nullable Jid to) {
    String resource = to == null ? null : to.resource();
    return resource == null ? null : home.session(resource);
  }

  private boolean isRoom(@Nullable Jid address) {
    return address != null && address.local() != null && address.domain().equals(domain);
  }

  private void sent(Presence presence, Session session) {
    Visits visits = session.get(key);
    Jid to = presence.to();
    if (visits != null && to == null && presence.type() == Presence.Type.UNAVAILABLE) {
      visits.forEach((_, visit) -> visit.left());
      session.set(key, visits);
    }
    if (visits == null || to == null || !isRoom(to)) {
      return;
    }
    if (presence.type() == Presence.Type.UNAVAILABLE) {
      Visit visit = visits.at(to.bare());
      if (visit != null) {
        visit.left();
        session.set(key, visits);
      }
    } else if (presence.type() == Presence.Type.AVAILABLE) {
      session.set(key, visits.open(to.bare()) == null ? null : visits);
    }
  }

  private Verdict arriving(Presence presence, Home home) {
    Jid from = presence.from();
    if (from == null || !isRoom(from) || presence.type() == Presence.Type.ERROR) {
      return Verdict.pass();
    }
    Session session = session(home, presence.to());
    Visits visits = session == null ? null : session.get(key);
    if (session == null || visits == null) {
      return Verdict.pass();
    }
    Visit visit = visits.at(from.bare());
    if (visit == null) {
      return visits.mayLackRooms() ? Verdict.pass() : Verdict.handled();
    }
    boolean available = presence.type() == Presence.Type.AVAILABLE;
    if ((available && visit.isEntered()) || !isOwn(presence)) {
      return Verdict.pass();
    }
    if (!available && !visit.isEntered() && !hasStatus(presence, "307")) {
      // It is the session before that has left; this is not the answer to this one's presence.
      return Verdict.handled();
    }
    visits.sentOwnPresence(from.bare(), available);
    session.set(key, visits);
    return Verdict.pass();
  }

  /// Whether it is a session's own presence in a room, and does not announce another nickname.
  private static boolean isOwn(Presence presence) {
    return hasStatus(presence, "110") && !hasStatus(presence, "303");
  }

  private static boolean hasStatus(Presence presence, String code) {
    Element x = presence.payload(MucNames.X_USER);
    return x != null
        && x.children().stream()
            .anyMatch(child ->
                child.name().name().equals("status") && code.equals(child.attribute("code")));
  }

  private Verdict arriving(Message message, Home home) {
    Jid from = message.from();
    if (message.type() != Message.Type.GROUPCHAT || from == null) {
      return Verdict.pass();
    }
    Session session = isRoom(from) ? session(home, message.to()) : null;
    Visits visits = session == null ? null : session.get(key);
    if (session != null && from.resource() == null && message.has(ARE_YOU_THERE)) {
      boolean there = visits == null || visits.mayBeIn(from.bare());
      return there ? Verdict.handled() : new Verdict.Refuse(REFUSAL);
    }
    if (session != null && visits != null) {
      if (visits.at(from.bare()) == null && !visits.mayLackRooms()) {
        return new Verdict.Refuse(REFUSAL);
      }
      if (!receives(session, visits, message, from.bare())) {
        return Verdict.handled();
      }
    }
    return message.has(SENT_AGAIN)
        ? Verdict.replace(message.withoutPayloads(payload -> payload.name().equals(SENT_AGAIN)))
        : Verdict.pass();
  }

  /// Notes the message; false if the session has received it before, or the room will send it
  /// again.
  private boolean receives(Session session, Visits visits, Message message, Jid room) {
    Visit known = visits.at(room);
    Visit visit = known == null ? visits.open(room) : known;
    if (visit == null) {
      session.set(key, null);
      return true;
    }
    if (known == null || (visit.isCatchingUp() && visit.requests() == 0)) {
      // The room's answer was lost with the session's node, or is on its way to another one.
      ask(session, room, visit);
      session.set(key, visits);
    }
    if (!visit.isEntered()) {
      return false; // the room sends its history when the session enters
    }
    String id = StanzaIds.assigned(message, room);
    boolean again = message.has(SENT_AGAIN);
    boolean endsEntry = !visit.isComplete() && Subject.isChangedBy(message);
    if (id != null || endsEntry) {
      boolean late = again ? !endsEntry && isHad(visit, id) : visit.isCatchingUp();
      if (late) {
        return false;
      }
      if (visit.sent(message, id)) {
        session.set(key, visits);
      }
    }
    return true;
  }

  private boolean isHad(Visit visit, @Nullable String id) {
    String last = visit.last();
    return last != null && id != null && number(id, Long.MAX_VALUE) <= number(last, 0);
  }

  private long number(String id, long unknown) {
    return ids.decode(id).orElse(unknown);
  }

  // ---- a session that has been recovered

  /// The values of the session may be older than what its client was sent. What the client has
  /// acknowledged of an answer to a request to enter is in the values.
  private void recovered(Session session, SessionListener.Snapshot snapshot) {
    Visits visits = session.get(key);
    if (visits == null) {
      return;
    }
    visits.setMayLackRooms();
    snapshot
        .lastIds()
        .forEach((room, id) -> {
          Visit visit = visits.at(room);
          if (visit != null && visit.isComplete() && !isHad(visit, id)) {
            visit.setLast(id);
          }
        });
    snapshot.unacknowledged().forEach(stanza -> note(visits, stanza));
    session.set(key, visits);
    visits.forEach((room, visit) -> {
      if (!visit.hasLeft()) {
        ask(session, room, visit);
      }
    });
  }

  /// Notes a stanza that the session was sent at its former home.
  private void note(Visits visits, Stanza stanza) {
    Jid from = stanza.from();
    if (from == null || !isRoom(from)) {
      return;
    }
    Jid room = from.bare();
    Visit visit = visits.at(room);
    if (stanza instanceof Presence presence && isOwn(presence)) {
      boolean available = presence.type() == Presence.Type.AVAILABLE;
      if (available && visit == null) {
        visits.open(room);
      }
      visits.sentOwnPresence(room, available);
    } else if (stanza instanceof Message message
        && message.type() == Message.Type.GROUPCHAT
        && visit != null
        && visit.isEntered()) {
      visit.sent(message, StanzaIds.assigned(message, room));
    }
  }

  private void ask(Session session, Jid room, Visit visit) {
    String request = REQUEST + context.ids().next();
    visit.ask(request);
    context.send(RoomCatchUp.request(session.jid(), room, request, visit));
    Jid account = session.jid().bare();
    context
        .scheduler()
        .schedule(
            PATIENCE,
            () -> context.atHome(account, home -> late(home, session.jid(), room, request)));
  }

  /// The room has not answered that request in time; ignored if the answer has arrived.
  private void late(Home home, Jid occupant, Jid room, String request) {
    Session session = session(home, occupant);
    Visit visit = visit(session, room);
    if (session == null || visit == null || !visit.isWaitingFor(request)) {
      return;
    }
    if (visit.requests() < REQUESTS) {
      ask(session, room, visit);
    } else {
      LOG.atWarn()
          .addKeyValue("session", occupant)
          .addKeyValue("room", room)
          .log("room_not_caught_up");
      visit.answered();
    }
  }

  private @Nullable Visit visit(@Nullable Session session, Jid room) {
    Visits visits = session == null ? null : session.get(key);
    return visits == null ? null : visits.at(room);
  }

  private Verdict arriving(Iq iq, Home home) {
    Jid from = iq.from();
    if (iq.isRequest() || from == null || !iq.id().startsWith(REQUEST) || !isRoom(from)) {
      return Verdict.pass();
    }
    Session session = session(home, iq.to());
    Visit visit = visit(session, from.bare());
    if (session != null && visit != null && visit.isWaitingFor(iq.id()) && isFinal(iq)) {
      visit.answered();
      if (RoomCatchUp.saysMore(iq)) {
        ask(session, from.bare(), visit);
      }
    }
    return Verdict.handled();
  }

  /// Whether the answer is final: the messages have arrived, or the room says that the session is
  /// not in it.
  private static boolean isFinal(Iq answer) {
    Element error = answer.isError() ? answer.payload(ERROR) : null;
    return error == null || NOT_THERE.stream().anyMatch(name -> error.child(name) != null);
  }
}
