package im.zonda.module.muc.occupant;

import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.SessionListener;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.room.MucNames;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.session.SessionKey;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.StanzaError;
import im.zonda.store.StanzaIds;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What rooms of this host send to sessions, at the homes of their accounts, in a cluster.
///
/// A room may not know that a session is over: it was lost with its node. If another session binds
/// the same resource, it gets nothing from a room that it has not entered, and the room learns that
/// the occupant's session is gone. A session gets a message that a room sends again only if it has
/// not had it before.
///
/// Nothing is saved with a session: one that has come from another node gets everything.
public final class SessionRooms {
  private static final String NAMESPACE = "urn:zonda:muc:0";
  private static final QName SENT_AGAIN = new QName(NAMESPACE, "sent-again");
  private static final QName NOT_ENTERED = new QName(NAMESPACE, "not-entered");
  private static final StanzaError REFUSAL =
      StanzaError.of(ErrorCondition.RECIPIENT_UNAVAILABLE).withDetail(Element.of(NOT_ENTERED));

  /// A session with more rooms than this gets everything.
  private static final int MOST = 1_000;

  /// A room that a session has asked to enter, or that has sent something to it.
  private static final class Visit {
    private boolean entered;

    /// The last stanza id (XEP-0359) that the room has sent; null if there was none.
    private @Nullable String last;

    Visit(boolean entered) {
      this.entered = entered;
    }
  }

  /// @param bound whether the session was bound at this home, so that all its visits are known
  private record Visits(boolean bound, Map<Jid, Visit> byRoom) {
    Visits(boolean bound) {
      this(bound, new HashMap<>(2));
    }
  }

  private final SessionKey<Visits> key = new SessionKey<>("room-visits", Visits.class);
  private final String domain;
  private final StanzaIds ids;

  /// @param service the address of the room service
  public SessionRooms(ModuleContext context, Jid service) {
    this.domain = service.domain();
    this.ids = context.port(StanzaIds.class);
  }

  /// Declares the filters.
  public void install(ModuleContext context) {
    context.onSession(
        new SessionListener() {
          @Override
          public void bound(Home home, Session session) {
            session.set(key, new Visits(true));
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
  }

  /// Marks a message that a room sends again; the mark does not reach clients.
  public static Message markSentAgain(Message message) {
    return message.withPayload(Element.of(SENT_AGAIN));
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
    if (visits != null
        && to != null
        && isRoom(to)
        && presence.type() == Presence.Type.AVAILABLE
        && add(visits, to.bare(), false) == null) {
      session.set(key, null);
    }
  }

  private static @Nullable Visit add(Visits visits, Jid room, boolean entered) {
    Visit visit = visits.byRoom().get(room);
    if (visit == null && visits.byRoom().size() < MOST) {
      visit = new Visit(entered);
      visits.byRoom().put(room, visit);
    }
    return visit;
  }

  private Verdict arriving(Presence presence, Home home) {
    Jid from = presence.from();
    if (from == null || !isRoom(from) || presence.type() == Presence.Type.ERROR) {
      return Verdict.pass();
    }
    Session session = session(home, presence.to());
    Visits visits = session == null ? null : session.get(key);
    if (visits == null || !visits.bound()) {
      return Verdict.pass();
    }
    Visit visit = visits.byRoom().get(from.bare());
    if (visit == null) {
      return Verdict.handled();
    }
    if (visit.entered || !hasStatus(presence, "110")) {
      return Verdict.pass();
    }
    if (presence.type() == Presence.Type.AVAILABLE) {
      visit.entered = true;
      return Verdict.pass();
    }
    // Without 307 it is the session before that has left, and not the answer to this one's
    // presence.
    return hasStatus(presence, "307") ? Verdict.pass() : Verdict.handled();
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
    Session session = session(home, message.to());
    boolean again = message.has(SENT_AGAIN);
    if (session != null && isRoom(from)) {
      Visits visits = session.get(key);
      if (visits == null) {
        visits = new Visits(false);
        session.set(key, visits);
      }
      Visit visit = visits.byRoom().get(from.bare());
      if (visits.bound() && visit == null) {
        return new Verdict.Refuse(REFUSAL);
      }
      if (visit != null && !visit.entered) {
        return Verdict.handled(); // the room sends its history when the session enters
      }
      visit = visit == null ? add(visits, from.bare(), true) : visit;
      if (visit != null && !hears(visit, message, from.bare(), again)) {
        return Verdict.handled();
      }
    }
    return again
        ? Verdict.replace(message.withoutPayloads(payload -> payload.name().equals(SENT_AGAIN)))
        : Verdict.pass();
  }

  /// Notes the message; false if the session has had it before.
  private boolean hears(Visit visit, Message message, Jid room, boolean again) {
    String id = StanzaIds.assigned(message, room);
    String last = visit.last;
    if (id == null) {
      return true;
    }
    if (again && last != null) {
      long number = ids.decode(id).orElse(Long.MAX_VALUE);
      if (number <= ids.decode(last).orElse(0)) {
        return false;
      }
    }
    visit.last = id;
    return true;
  }
}
