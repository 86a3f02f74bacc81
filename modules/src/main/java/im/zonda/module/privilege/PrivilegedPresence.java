package im.zonda.module.privilege;

import im.zonda.hook.SessionListener;
import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import im.zonda.module.ModuleContext;
import im.zonda.module.roster.Rosters;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.session.SessionKey;
import im.zonda.stanza.Presence;
import im.zonda.store.RosterItem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sends components the presence of accounts, and of the contacts in their rosters (XEP-0356,
/// section 7). Called at the homes of the accounts.
///
/// Of an account's session, only the first presence and the last are sent. Accounts of the host are
/// contacts of others too: their presence is sent once, as that of an account.
final class PrivilegedPresence implements SessionListener {
  private final SessionKey<Boolean> shown;
  private final ModuleContext context;
  private final Privileges privileges;
  private final Rosters rosters;
  private final ContactPresences contacts;

  /// @param shown whether the session has become available; kept when its presence is removed
  PrivilegedPresence(
      ModuleContext context,
      Privileges privileges,
      Rosters rosters,
      SessionKey<Boolean> shown,
      ContactPresences contacts) {
    this.context = context;
    this.privileges = privileges;
    this.rosters = rosters;
    this.shown = shown;
    this.contacts = contacts;
  }

  // ---- of accounts

  /// A session of an account sends presence.
  void sent(Presence presence, @Nullable Session session) {
    if (session == null || presence.to() != null) {
      return;
    }
    switch (presence.type()) {
      case AVAILABLE -> {
        if (!session.available()) {
          session.set(shown, true);
          send(presence, session.jid());
        }
      }
      case UNAVAILABLE -> withdraw(presence, session);
      case SUBSCRIBE, SUBSCRIBED, UNSUBSCRIBE, UNSUBSCRIBED, PROBE, ERROR -> {}
    }
  }

  private void withdraw(Presence presence, Session session) {
    if (session.get(shown) != null || session.available()) {
      session.set(shown, null);
      send(presence, session.jid());
    }
  }

  private void send(Presence presence, Jid from) {
    privileges.forEachConnected(
        Privileges::coversAccounts,
        component -> context.send(presence.withAddresses(from, component)));
  }

  @Override
  public void ended(Home home, Session session) {
    withdraw(Presence.of(Presence.Type.UNAVAILABLE, session.jid(), null, null, List.of()), session);
  }

  // ---- of contacts

  /// Presence has come for an account.
  void arrived(Presence presence, Home home) {
    Jid from = presence.from();
    boolean wanted =
        presence.type() == Presence.Type.AVAILABLE || presence.type() == Presence.Type.UNAVAILABLE;
    if (!wanted || from == null || from.domain().equals(context.domain().domain())) {
      return;
    }
    RosterItem item = home.exists() ? rosters.of(home).find(from.bare()) : null;
    if (item != null && item.subscription().to() && contacts.add(from, presence)) {
      privileges.forEachConnected(
          Privileges::coversContacts,
          component -> context.send(presence.withAddresses(from, component)));
    }
  }

  // ---- for a component that has connected

  /// Sends a component all presence that it would have if it had been connected before.
  void sendAll(Jid component, ExternalComponents components) {
    if (Privileges.coversAccounts(privileges.of(component))) {
      components.atLoadedHomes(context.domain(), home -> sendSessions(home, component));
    }
    if (Privileges.coversContacts(privileges.of(component))) {
      for (Presence presence : contacts.all()) {
        context.send(presence.withAddresses(presence.from(), component));
      }
    }
  }

  private void sendSessions(Home home, Jid component) {
    for (Session session : home.sessions()) {
      Presence presence = session.presence();
      if (presence != null) {
        session.set(shown, true);
        context.send(presence.withAddresses(session.jid(), component));
      }
    }
  }
}
