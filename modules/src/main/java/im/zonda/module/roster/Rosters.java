package im.zonda.module.roster;

import im.zonda.jid.Jid;
import im.zonda.module.IdSource;
import im.zonda.module.ModuleContext;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.session.Session;
import im.zonda.session.SessionKey;
import im.zonda.stanza.Iq;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore;
import im.zonda.xml.Element;
import java.util.Objects;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/// The rosters of a host: the one way to read and to change them.
///
/// Every change goes to the store first, then to memory, then to the clients that are interested.
/// If the store fails nothing has changed and nobody was told. All calls are made at the home of
/// the account; those that change something may block.
public final class Rosters {
  /// Whether a session has asked for the roster.
  private final SessionKey<Boolean> interest =
      new SessionKey<>("roster", Boolean.class, String::valueOf, text -> true);

  private BiPredicate<Home, Jid> hidden = (home, contact) -> false;
  private final RosterStore store;
  private final IdSource ids;
  private final HomeKey<Roster> key;

  Rosters(ModuleContext context) {
    store = context.port(RosterStore.class);
    ids = context.ids();
    key = new HomeKey<>("roster", account -> new Roster(store.load(account)));
    context.keep(key);
  }

  /// The roster of an account.
  public Roster of(Home home) {
    return home.state(key);
  }

  /// From now on contacts for whom `whom` holds are shown no presence, whatever their subscription.
  public void hideFrom(BiPredicate<Home, Jid> whom) {
    hidden = whom;
  }

  /// Whether the contact is shown no presence, whatever its subscription.
  public boolean hides(Home home, Jid contact) {
    return hidden.test(home, contact);
  }

  /// Whether a session has asked for the roster and so hears of its changes and of the answers to
  /// subscription requests (RFC 6121, section 2.2).
  public boolean interested(Session session) {
    return session.get(interest) != null;
  }

  /// From now on the session hears of changes.
  void addInterested(Session session) {
    session.set(interest, true);
  }

  /// Adds or replaces an item; clients are told if they can see a difference.
  public void put(Home home, RosterItem item) {
    put(home, item, Rosters::nothing);
  }

  /// The same; `kept` runs once the change is kept and before clients are told of it, also if there
  /// is nothing to change.
  public void put(Home home, RosterItem item, Runnable kept) {
    Roster roster = of(home);
    RosterItem before = roster.find(item.jid());
    if (item.equals(before)) {
      kept.run();
      return;
    }
    roster.put(item, store.put(home.jid(), item));
    kept.run();
    if (item.listed() && !looksTheSame(before, item)) {
      push(home, RosterXml.item(item));
    }
  }

  /// Removes an item if there is one; clients are told if they could see it.
  public void remove(Home home, Jid contact) {
    remove(home, contact, Rosters::nothing);
  }

  /// The same; `kept` runs once the item is gone and before clients are told of it, also if there
  /// was none.
  public void remove(Home home, Jid contact, Runnable kept) {
    Roster roster = of(home);
    RosterItem before = roster.find(contact);
    if (before == null) {
      kept.run();
      return;
    }
    roster.remove(contact, store.remove(home.jid(), contact));
    kept.run();
    if (before.listed()) {
      push(home, RosterXml.removed(contact));
    }
  }

  /// Tells every interested session. There is no `from`: it is the account itself that speaks
  /// (section 2.1.6), and clients trust nothing else.
  private void push(Home home, Element item) {
    Element query = RosterXml.one(item, version(of(home)));
    for (Session session : home.sessions()) {
      if (interested(session)) {
        session.send(Iq.of(Iq.Type.SET, null, session.jid(), ids.next(), query));
      }
    }
  }

  private static void nothing() {}

  /// What clients know a roster by: its number and a digest of what they see. The digest tells
  /// apart two rosters of one number, as there are when an account is made anew or a backup is
  /// restored.
  static String version(Roster roster) {
    return roster.version() + "-" + Long.toHexString(roster.digest());
  }

  private static boolean looksTheSame(@Nullable RosterItem before, RosterItem after) {
    return before != null
        && before.listed() == after.listed()
        && before.subscription() == after.subscription()
        && before.ask() == after.ask()
        && before.approved() == after.approved()
        && Objects.equals(before.name(), after.name())
        && before.groups().equals(after.groups());
  }
}
