package im.zonda.module.presence;

import im.zonda.jid.Jid;
import im.zonda.module.roster.Rosters;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Presence;
import im.zonda.store.RosterItem;
import java.util.List;
import java.util.function.Predicate;

/// Takes an account out of the sight of others, and back into it, with no change of subscriptions.
final class Veil {
  private final Rosters rosters;
  private final DirectedPresence directed;
  private final Sender sender;

  Veil(Rosters rosters, DirectedPresence directed, Sender sender) {
    this.rosters = rosters;
    this.directed = directed;
    this.sender = sender;
  }

  /// Everyone for whom `whom` holds, and who sees the account, sees it go.
  ///
  /// @param clients full addresses of whom the same is to be done, whatever the account sees
  void draw(Home home, Predicate<Jid> whom, List<Jid> clients) {
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

  /// Everyone for whom `whom` holds, and who may see the account, sees it; and the account asks
  /// what it has missed.
  void lift(Home home, Predicate<Jid> whom, List<Jid> clients) {
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
