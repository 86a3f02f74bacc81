package im.zonda.module.presence;

import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.roster.Roster;
import im.zonda.module.roster.Rosters;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Presence;
import im.zonda.stanza.StanzaError;
import im.zonda.store.RosterItem;
import java.util.Set;

/// Tells others whether a session is available (RFC 6121, sections 4.2, 4.4, 4.5 and 4.6).
final class Availability {
  private final Rosters rosters;
  private final DirectedPresence directed;
  private final PresenceMemory memory;
  private final Sender sender;

  Availability(Rosters rosters, DirectedPresence directed, PresenceMemory memory, Sender sender) {
    this.rosters = rosters;
    this.directed = directed;
    this.memory = memory;
    this.sender = sender;
  }

  /// Presence without `to`.
  Verdict broadcast(Presence presence, Home home, Session session) {
    if (presence.type() == Presence.Type.UNAVAILABLE) {
      withdraw(presence, home, session);
      return Verdict.handled();
    }
    boolean initial = !session.available();
    Presence kept = presence.withAddresses(session.jid(), null);
    if (!memory.count(home, session, kept.writtenSize() + directed.length(session))) {
      return refuse(presence, session);
    }
    session.presence(kept);
    tell(presence, home, session);
    if (initial) {
      begin(home, session);
    }
    return Verdict.handled();
  }

  /// Presence to one address. Those whom the broadcasts reach as well need no place in the list:
  /// the unavailable broadcast reaches them too.
  Verdict directed(Presence presence, Home home, Session session) {
    Jid to = presence.to();
    if (to == null) {
      return Verdict.handled();
    }
    if (presence.type() == Presence.Type.UNAVAILABLE) {
      directed.remove(session, to);
      recount(home, session);
    } else if (!(session.available() && reached(home, to.bare()))) {
      if (!directed.add(session, to)) {
        return Verdict.refuse(ErrorCondition.RESOURCE_CONSTRAINT);
      }
      if (!recount(home, session)) {
        directed.remove(session, to);
        return refuse(presence, session);
      }
    }
    return Verdict.pass();
  }

  /// Presence that someone sends to a session directly: one who is unavailable to it, such as a
  /// room that has removed it, or has refused its presence, does not see it any more.
  void arrived(Presence presence, Home home) {
    Jid from = presence.from();
    Jid to = presence.to();
    String resource = to == null ? null : to.resource();
    Session session = resource == null ? null : home.session(resource);
    if (session == null || from == null) {
      return;
    }
    if (presence.type() == Presence.Type.UNAVAILABLE) {
      directed.remove(session, from);
      recount(home, session);
    } else if (presence.isError()) {
      directed.refused(session, from);
      recount(home, session);
    }
  }

  /// Answers by itself: a broadcast that is refused is not answered otherwise.
  private static Verdict refuse(Presence presence, Session session) {
    session.send(
        Presence.error(
            presence.withAddresses(session.jid(), presence.to()),
            StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT)
                .withText("too much presence of this account is kept")));
    return Verdict.handled();
  }

  /// A session has ended without a word; the server says it for the client.
  void ended(Home home, Session session) {
    withdraw(Sender.empty(Presence.Type.UNAVAILABLE, session.jid(), null), home, session);
  }

  /// Everyone who saw the session is told that it is gone, each once.
  private void withdraw(Presence presence, Home home, Session session) {
    boolean broadcast = session.available();
    if (broadcast) {
      tell(presence, home, session);
      session.presence(null);
    }
    Set<Jid> shown = directed.takeAll(session);
    recount(home, session);
    for (Jid to : shown) {
      if (!(broadcast && to.isBare() && reached(home, to))) {
        sender.send(presence, session.jid(), to);
      }
    }
  }

  /// Counts what the session keeps; false if that is more than before and too much.
  private boolean recount(Home home, Session session) {
    Presence presence = session.presence();
    int bytes = presence == null ? 0 : presence.writtenSize();
    return memory.count(home, session, bytes + directed.length(session));
  }

  private boolean reached(Home home, Jid bare) {
    return bare.equals(home.jid()) || rosters.of(home).showsPresenceTo(bare);
  }

  /// Tells the contacts, and the account's own available sessions, this one included.
  private void tell(Presence presence, Home home, Session session) {
    for (RosterItem item : rosters.of(home).items()) {
      if (item.subscription().from() && !rosters.hides(home, item.jid())) {
        sender.send(presence, session.jid(), item.jid());
      }
    }
    Presence own = presence.withAddresses(session.jid(), home.jid());
    for (Session each : home.sessions()) {
      if (each.available()) {
        each.send(own);
      }
    }
  }

  /// A session that has just become available learns who else is, and which requests wait.
  private void begin(Home home, Session session) {
    for (Session other : home.sessions()) {
      Presence presence = other.presence();
      if (presence != null && !other.jid().equals(session.jid())) {
        session.send(presence.withAddresses(other.jid(), home.jid()));
      }
    }
    Roster roster = rosters.of(home);
    for (RosterItem item : roster.items()) {
      if (item.subscription().to() && !rosters.hides(home, item.jid())) {
        // From the full address, so that the answers go to this session and not to all.
        sender.send(Presence.Type.PROBE, session.jid(), item.jid());
      }
    }
    for (RosterItem item : roster.items()) {
      Presence request = item.request();
      if (request != null) {
        session.send(request.withAddresses(item.jid(), home.jid()));
      }
    }
  }
}
