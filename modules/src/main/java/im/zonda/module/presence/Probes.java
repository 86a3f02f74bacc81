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
  private final Sender sender;

  Probes(Rosters rosters, DirectedPresence directed, Sender sender) {
    this.rosters = rosters;
    this.directed = directed;
    this.sender = sender;
  }

  /// Answers a probe that has arrived at the account's home.
  Verdict answer(Presence probe, Home home) {
    Jid asker = probe.from();
    Jid asked = probe.to();
    if (asker == null || asked == null) {
      return Verdict.handled();
    }
    boolean authorised = home.exists() && sees(asker.bare(), home);
    boolean answered = false;
    for (Session session : home.sessions()) {
      if (asked.isBare() || asked.equals(session.jid())) {
        answered |= answer(asker, session, authorised);
      }
    }
    if (!answered && authorised) {
      sender.send(Presence.Type.UNAVAILABLE, asked, asker);
    } else if (!answered) {
      sender.send(Presence.Type.UNSUBSCRIBED, home.jid(), asker.bare());
    }
    return Verdict.handled();
  }

  private boolean answer(Jid asker, Session session, boolean authorised) {
    Presence presence = session.presence();
    if (authorised && presence != null) {
      sender.send(presence, session.jid(), asker);
      return true;
    }
    if (directed.reaches(session, asker)) {
      // What was sent to the asker is not kept, and what is broadcast is not for it: it learns
      // again
      // what it knows, that the session is there.
      sender.send(Presence.Type.AVAILABLE, session.jid(), asker);
      return true;
    }
    return false;
  }

  private boolean sees(Jid asker, Home home) {
    return asker.equals(home.jid()) || rosters.of(home).showsPresenceTo(asker);
  }
}
