package im.zonda.module.presence;

import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.roster.Rosters;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Presence;

/// Answers presence probes (RFC 6121, section 4.3.2).
final class Probes {
  private final Rosters rosters;
  private final DirectedPresence directed;
  private final PresenceSender sender;

  Probes(Rosters rosters, DirectedPresence directed, PresenceSender sender) {
    this.rosters = rosters;
    this.directed = directed;
    this.sender = sender;
  }

  /// Answers a probe at the account's home.
  Verdict answer(Presence probe, Home home) {
    Jid requester = probe.from();
    Jid target = probe.to();
    if (requester == null || target == null) {
      return Verdict.handled();
    }
    boolean sees = home.exists() && sees(requester.bare(), home);
    // People of a large group are contacts, though they do not get the presence.
    boolean authorised = sees || (home.exists() && isContact(requester.bare(), home));
    boolean answered = false;
    for (Session session : home.sessions()) {
      if (target.isBare() || target.equals(session.jid())) {
        answered |= answer(requester, session, sees);
      }
    }
    if (!answered && authorised) {
      sender.send(Presence.Type.UNAVAILABLE, target, requester);
    } else if (!answered) {
      sender.send(Presence.Type.UNSUBSCRIBED, home.jid(), requester.bare());
    }
    return Verdict.handled();
  }

  private boolean answer(Jid requester, Session session, boolean sees) {
    Presence presence = session.presence();
    if (sees && presence != null) {
      sender.send(presence, session.jid(), requester);
      return true;
    }
    if (directed.reaches(session, requester)) {
      // Neither the presence that was sent to it is stored, nor may it see the broadcast one: it
      // only
      // learns again that the session is available.
      sender.send(Presence.Type.AVAILABLE, session.jid(), requester);
      return true;
    }
    return false;
  }

  private boolean isContact(Jid requester, Home home) {
    return rosters.of(home).shared().isSeenBy(requester);
  }

  private boolean sees(Jid requester, Home home) {
    return requester.equals(home.jid()) || rosters.of(home).showsPresenceTo(requester);
  }
}
