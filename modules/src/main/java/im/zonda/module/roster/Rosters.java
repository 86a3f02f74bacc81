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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/// Reads and changes the rosters of a host.
///
/// A change is made in the store first, then in memory, and then pushed to interested sessions; if
/// the store fails, nothing has changed. Confined to the home's mailbox; calls that change
/// something may block.
public final class Rosters {
  private static final RosterStore.Roster NONE = new RosterStore.Roster(0, List.of());

  /// Whether a session has requested the roster.
  private final SessionKey<Boolean> interest =
      new SessionKey<>("roster", Boolean.class, String::valueOf, text -> true);

  private BiPredicate<Home, Jid> hidden = (home, contact) -> false;
  private final Map<String, BiConsumer<Home, Element>> observers = new ConcurrentHashMap<>();
  private final RosterStore store;
  private final IdSource ids;
  private final HomeKey<Roster> key;

  Rosters(ModuleContext context) {
    store = context.port(RosterStore.class);
    ids = context.ids();
    key = new HomeKey<>("roster", account -> new Roster(store.load(account)));
    context.addHomeState(key);
  }

  /// The roster of an account. Guests (XEP-0175) have one without contacts, which cannot be
  /// changed.
  public Roster of(Home home) {
    return home.exists() ? home.state(key) : new Roster(NONE);
  }

  /// Has `observer` see the payload of every roster push, whether or not a session is interested.
  /// Replaces the one that the module had before; null is none.
  public void onPush(String module, @Nullable BiConsumer<Home, Element> observer) {
    if (observer == null) {
      observers.remove(module);
    } else {
      observers.put(module, observer);
    }
  }

  /// Never sends presence to contacts that match, whatever their subscription.
  public void blockPresence(BiPredicate<Home, Jid> whom) {
    hidden = whom;
  }

  /// Whether the contact gets no presence, whatever its subscription.
  public boolean isPresenceBlocked(Home home, Jid contact) {
    return hidden.test(home, contact);
  }

  /// Whether a session is interested: it has requested the roster, and so gets its changes and the
  /// answers to subscription requests (RFC 6121, section 2.2).
  public boolean interested(Session session) {
    return session.get(interest) != null;
  }

  /// Makes the session interested.
  void addInterested(Session session) {
    session.set(interest, true);
  }

  /// Adds or replaces an item; pushes it if clients can see a difference.
  public void put(Home home, RosterItem item) {
    put(home, item, Rosters::nothing);
  }

  /// Adds or replaces an item; `stored` runs between the store and the push, also if nothing has
  /// changed.
  public void put(Home home, RosterItem item, Runnable stored) {
    Roster roster = home.state(key);
    RosterItem before = roster.find(item.jid());
    if (item.equals(before)) {
      stored.run();
      return;
    }
    roster.put(item, store.put(home.jid(), item));
    stored.run();
    if (item.listed() && !looksTheSame(before, item)) {
      push(home, RosterXml.item(item));
    }
  }

  /// Removes an item if there is one; pushes the removal if clients could see it.
  public void remove(Home home, Jid contact) {
    remove(home, contact, Rosters::nothing);
  }

  /// Removes an item; `stored` runs between the store and the push, also if there was none.
  public void remove(Home home, Jid contact, Runnable stored) {
    Roster roster = home.state(key);
    RosterItem before = roster.find(contact);
    if (before == null) {
      stored.run();
      return;
    }
    roster.remove(contact, store.remove(home.jid(), contact));
    stored.run();
    if (before.listed()) {
      push(home, RosterXml.removed(contact));
    }
  }

  /// Sends a roster push to every interested session. Without `from`, as it comes from the account
  /// itself (section 2.1.6).
  private void push(Home home, Element item) {
    Element query = RosterXml.one(item, version(of(home)));
    for (Session session : home.sessions()) {
      if (interested(session)) {
        session.send(Iq.of(Iq.Type.SET, null, session.jid(), ids.next(), query));
      }
    }
    observers.values().forEach(observer -> observer.accept(home, query));
  }

  private static void nothing() {}

  /// The version for clients: the version number and a hash of what they see. The hash
  /// distinguishes rosters with the same number, after an account was registered again or a backup
  /// was restored.
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
