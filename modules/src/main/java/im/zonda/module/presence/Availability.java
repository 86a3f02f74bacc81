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
import java.util.function.BiPredicate;

/// Broadcasts the presence of sessions (RFC 6121, sections 4.2, 4.4, 4.5 and 4.6).
final class Availability {
  private final Rosters rosters;
  private final DirectedPresence directed;
  private final PresenceMemory memory;
  private final PresenceSender sender;
  private final BiPredicate<Home, Jid> held;

  /// @param held matches contacts whose requests are not delivered yet
  Availability(
      Rosters rosters,
      DirectedPresence directed,
      PresenceMemory memory,
      PresenceSender sender,
      BiPredicate<Home, Jid> held) {
    this.rosters = rosters;
    this.directed = directed;
    this.memory = memory;
    this.sender = sender;
    this.held = held;
  }

  /// Handles presence without `to`.
  Verdict broadcast(Presence presence, Home home, Session session) {
    if (presence.type() == Presence.Type.UNAVAILABLE) {
      withdraw(presence, home, session);
      return Verdict.handled();
    }
    boolean initial = !session.available();
    Presence kept = presence.withAddresses(session.jid(), null).packed();
    if (!memory.count(home, session, kept.writtenSize() + directed.length(session))) {
      return refuse(presence, session);
    }
    session.presence(kept);
    sendToWatchers(presence, home, session);
    if (initial) {
      sendInitial(home, session);
    }
    return Verdict.handled();
  }

  /// Handles presence to one address. Addresses that also receive the broadcasts are not recorded:
  /// the unavailable broadcast reaches them.
  Verdict directed(Presence presence, Home home, Session session) {
    Jid to = presence.to();
    if (to == null) {
      return Verdict.handled();
    }
    if (presence.type() == Presence.Type.UNAVAILABLE) {
      directed.remove(session, to);
      recount(home, session);
    } else if (!(session.available() && receivesBroadcasts(home, to.bare()))) {
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

  /// Handles presence that arrives for one session. A sender that becomes unavailable, such as a
  /// room that removes the session, or rejects its presence no longer sees the session.
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

  /// Sends the error itself: a rejected broadcast is not answered by the router.
  private static Verdict refuse(Presence presence, Session session) {
    session.send(
        Presence.error(
            presence.withAddresses(session.jid(), presence.to()),
            StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT)
                .withText("Too much presence of this account is stored.")));
    return Verdict.handled();
  }

  /// Sends unavailable presence for a session that has ended without.
  void ended(Home home, Session session) {
    withdraw(PresenceSender.empty(Presence.Type.UNAVAILABLE, session.jid(), null), home, session);
  }

  /// Sends unavailable presence once to everyone who saw the session.
  private void withdraw(Presence presence, Home home, Session session) {
    boolean broadcast = session.available();
    if (broadcast) {
      sendToWatchers(presence, home, session);
      session.presence(null);
    }
    Set<Jid> shown = directed.takeAll(session);
    recount(home, session);
    for (Jid to : shown) {
      if (!(broadcast && to.isBare() && receivesBroadcasts(home, to))) {
        sender.send(presence, session.jid(), to);
      }
    }
  }

  /// Counts the session's memory again; false if it has grown beyond the limit.
  private boolean recount(Home home, Session session) {
    Presence presence = session.presence();
    int bytes = presence == null ? 0 : presence.writtenSize();
    return memory.count(home, session, bytes + directed.length(session));
  }

  private boolean receivesBroadcasts(Home home, Jid bare) {
    return bare.equals(home.jid()) || rosters.of(home).showsPresenceTo(bare);
  }

  /// Sends presence to the contacts and to the account's available sessions, this one included.
  private void sendToWatchers(Presence presence, Home home, Session session) {
    rosters
        .of(home)
        .forEachPresenceShown(
            rosters::canBeOnline,
            contact -> {
              if (!rosters.isPresenceBlocked(home, contact)) {
                sender.send(presence, session.jid(), contact);
              }
            });
    Presence own = presence.withAddresses(session.jid(), home.jid());
    for (Session each : home.sessions()) {
      if (each.available()) {
        each.send(own);
      }
    }
  }

  /// Sends a newly available session the presence of the other sessions and the pending
  /// subscription requests, and probes the contacts.
  private void sendInitial(Home home, Session session) {
    for (Session other : home.sessions()) {
      Presence presence = other.presence();
      if (presence != null && !other.jid().equals(session.jid())) {
        session.send(presence.withAddresses(other.jid(), home.jid()));
      }
    }
    Roster roster = rosters.of(home);
    roster.forEachPresenceSeen(
        rosters::canBeOnline,
        contact -> {
          if (!rosters.isPresenceBlocked(home, contact)) {
            // From the full address, so that only this session gets the answers.
            sender.send(Presence.Type.PROBE, session.jid(), contact);
          }
        });
    for (RosterItem item : roster.items()) {
      Presence request = item.request();
      if (request != null && !held.test(home, item.jid())) {
        session.send(request.withAddresses(item.jid(), home.jid()));
      }
    }
  }
}
