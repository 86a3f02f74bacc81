package im.zonda.module.presence;

import im.zonda.jid.Jid;
import im.zonda.module.roster.Rosters;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Presence;
import im.zonda.store.RosterItem;
import java.util.List;
import java.util.function.Predicate;

/// Hides the presence of an account from others and shows it again, without changing subscriptions
/// (XEP-0191, section 3.3).
final class PresenceVisibility {
  private final Rosters rosters;
  private final DirectedPresence directed;
  private final PresenceSender sender;

  PresenceVisibility(Rosters rosters, DirectedPresence directed, PresenceSender sender) {
    this.rosters = rosters;
    this.directed = directed;
    this.sender = sender;
  }

  /// Whether a session has sent directed presence to that bare address or to one of its resources,
  /// which it has not taken back.
  boolean hasDirected(Home home, Jid bare) {
    return home.sessions().stream().anyMatch(session -> directed.reachesAny(session, bare));
  }

  /// Sends unavailable presence to everyone who matches `whom` and sees the account.
  ///
  /// @param clients full addresses to treat likewise, without their accounts
  void hide(Home home, Predicate<Jid> whom, List<Jid> clients) {
    for (RosterItem item : rosters.of(home).items()) {
      if (item.subscription().from() && whom.test(item.jid())) {
        sender.hideSessions(home, item.jid());
      }
    }
    for (Jid client : clients) {
      if (rosters.of(home).showsPresenceTo(client.bare()) && !whom.test(client.bare())) {
        sender.hideSessions(home, client);
      }
    }
    for (Session session : home.sessions()) {
      for (Jid to : directed.take(session, whom)) {
        boolean told = session.available() && rosters.of(home).showsPresenceTo(to.bare());
        if (!told) {
          sender.send(Presence.Type.UNAVAILABLE, session.jid(), to);
        }
      }
    }
  }

  /// Sends the current presence to everyone who matches `whom` and may see the account, and probes
  /// theirs.
  void show(Home home, Predicate<Jid> whom, List<Jid> clients) {
    for (RosterItem item : rosters.of(home).items()) {
      if (!whom.test(item.jid())) {
        continue;
      }
      if (item.subscription().from()) {
        sender.showSessions(home, item.jid());
      }
      if (item.subscription().to()) {
        probe(home, item.jid());
      }
    }
    for (Jid client : clients) {
      if (rosters.of(home).showsPresenceTo(client.bare()) && !whom.test(client.bare())) {
        sender.showSessions(home, client);
      }
    }
  }

  private void probe(Home home, Jid contact) {
    for (Session session : home.sessions()) {
      if (session.available()) {
        sender.send(Presence.Type.PROBE, session.jid(), contact);
      }
    }
  }
}
