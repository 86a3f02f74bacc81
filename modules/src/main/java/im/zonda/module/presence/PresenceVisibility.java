package im.zonda.module.presence;

import im.zonda.jid.Jid;
import im.zonda.module.roster.Roster;
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
    rosters
        .of(home)
        .forEachPresenceShown(
            rosters::canBeOnline,
            contact -> {
              if (whom.test(contact)) {
                sender.hideSessions(home, contact);
              }
            });
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
    Roster roster = rosters.of(home);
    roster.forEachPresenceShown(
        rosters::canBeOnline,
        contact -> {
          if (whom.test(contact)) {
            sender.showSessions(home, contact);
          }
        });
    roster.forEachPresenceSeen(
        rosters::canBeOnline,
        contact -> {
          if (whom.test(contact)) {
            probe(home, contact);
          }
        });
    for (Jid client : clients) {
      if (rosters.of(home).showsPresenceTo(client.bare()) && !whom.test(client.bare())) {
        sender.showSessions(home, client);
      }
    }
  }

  /// Shared groups have changed for an account: shows its presence to those who see it from now on,
  /// and hides it from those who no longer do. Their homes do the same.
  void groupsChanged(Home home, Rosters.GroupChange change) {
    Roster roster = rosters.of(home);
    for (Jid contact : change.contacts()) {
      if (!rosters.canBeOnline(contact) || rosters.isPresenceBlocked(home, contact)) {
        continue;
      }
      RosterItem stored = roster.stored(contact);
      if (stored != null && stored.subscription().from()) {
        continue; // sees it anyway
      }
      boolean before = change.before().showsPresenceTo(contact);
      boolean after = roster.showsPresenceTo(contact);
      if (after && !before) {
        sender.showSessions(home, contact);
      } else if (before && !after) {
        sender.hideSessions(home, contact);
      }
    }
  }

  /// Someone of a large group has written to the account, or the other way round.
  void chatOpened(Home home, Jid contact) {
    if (rosters.openChat(home, contact)
        && rosters.of(home).showsPresenceTo(contact)
        && !rosters.isPresenceBlocked(home, contact)
        && rosters.canBeOnline(contact)) {
      sender.showSessions(home, contact);
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
