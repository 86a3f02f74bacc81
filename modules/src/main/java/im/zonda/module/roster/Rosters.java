package im.zonda.module.roster;

import im.zonda.account.OnlineAccounts;
import im.zonda.group.GroupContacts;
import im.zonda.group.GroupDirectory;
import im.zonda.group.SharedGroups;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.Scheduler;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.session.Session;
import im.zonda.session.SessionKey;
import im.zonda.stanza.Iq;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore;
import im.zonda.xml.Element;
import java.time.Duration;
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

  /// How many pushes a change of shared groups makes at once, and the time until the next ones: a
  /// client with little room for what it is sent must be able to follow.
  private static final int PUSHES = 200;

  private static final Duration PAUSE = Duration.ofMillis(250);

  /// Shared groups have changed for an account.
  ///
  /// @param before what they meant before
  /// @param after what they mean now
  /// @param contacts those for whom something may be different
  public record GroupChange(GroupContacts before, GroupContacts after, List<Jid> contacts) {
    /// Copies the list.
    public GroupChange {
      contacts = List.copyOf(contacts);
    }
  }

  /// Whether a session has requested the roster.
  private final SessionKey<Boolean> interest =
      new SessionKey<>("roster", Boolean.class, String::valueOf, text -> true);

  private BiPredicate<Home, Jid> hidden = (home, contact) -> false;
  private final Map<String, BiConsumer<Home, Element>> observers = new ConcurrentHashMap<>();
  private BiConsumer<Home, GroupChange> groupObserver = (home, change) -> {};
  private final ModuleContext context;
  private final RosterStore store;
  private final OnlineAccounts online;
  private final SharedGroups groups;
  private final HomeKey<Roster> key;

  /// @param groups the shared groups of the host
  Rosters(ModuleContext context, SharedGroups groups) {
    this.context = context;
    this.groups = groups;
    store = context.port(RosterStore.class);
    online = context.port(OnlineAccounts.class);
    key = new HomeKey<>("roster", this::load);
    context.addHomeState(key);
    groups.onChange(this::groupsChanged);
  }

  private Roster load(Jid account) {
    // First, so that a change that comes meanwhile is noticed.
    GroupDirectory directory = groups.load();
    return new Roster(store.load(account), directory, directory.of(account));
  }

  /// The roster of an account. Guests (XEP-0175) have one without contacts, which cannot be
  /// changed.
  public Roster of(Home home) {
    if (!home.exists()) {
      return new Roster(NONE, GroupDirectory.EMPTY, GroupContacts.NONE);
    }
    Roster roster = home.state(key);
    GroupDirectory now = groups.current();
    if (roster.directory() != now) {
      share(home, roster, now);
    }
    return roster;
  }

  /// Has `observer` see homes for which shared groups have changed, after the pushes.
  public void onGroupChange(BiConsumer<Home, GroupChange> observer) {
    groupObserver = observer;
  }

  /// Whether an account may have a session; false only if it surely has none.
  public boolean canBeOnline(Jid account) {
    return online.canBeOnline(account);
  }

  /// Notes that the account writes to someone, or the other way round: from now on people of a
  /// large group get each other's presence.
  ///
  /// @return whether that is new
  public boolean openChat(Home home, Jid contact) {
    return of(home).openChat(contact);
  }

  /// Homes without sessions notice it when they are asked next.
  private void groupsChanged(GroupDirectory before, GroupDirectory after) {
    for (Jid each : after.concernedSince(before)) {
      if (online.canBeOnline(each)) {
        boolean _ = context.atHome(each, this::of);
      }
    }
  }

  private void share(Home home, Roster roster, GroupDirectory now) {
    GroupContacts before = roster.shared();
    GroupContacts after = now.of(home.jid());
    roster.share(now, after);
    if (home.sessions().isEmpty() || (before.isEmpty() && after.isEmpty())) {
      return;
    }
    List<Jid> contacts = after.changedSince(before);
    List<Jid> visible =
        contacts.stream()
            .filter(contact -> {
              RosterItem stored = roster.stored(contact);
              return !looksTheSame(
                  visible(Roster.merged(contact, stored, before)),
                  visible(Roster.merged(contact, stored, after)));
            })
            .toList();
    if (roster.addPushes(visible)) {
      pushGroups(home);
    }
    if (!contacts.isEmpty()) {
      groupObserver.accept(home, new GroupChange(before, after, contacts));
    }
  }

  private static @Nullable RosterItem visible(@Nullable RosterItem item) {
    return item != null && item.listed() ? item : null;
  }

  private void pushGroups(Home home) {
    Roster roster = of(home);
    for (int i = 0; i < PUSHES; i++) {
      Jid contact = roster.nextPush();
      if (contact == null) {
        return;
      }
      RosterItem item = visible(roster.find(contact));
      push(home, item == null ? RosterXml.removed(contact) : RosterXml.item(item));
    }
    if (roster.hasPushes()) {
      Jid account = home.jid();
      Runnable next =
          () -> {
            boolean _ = context.atHome(account, this::pushGroups);
          };
      Scheduler.Cancellable _ = context.scheduler().schedule(PAUSE, next);
    }
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
    Roster roster = of(home);
    if (item.equals(roster.stored(item.jid()))) {
      stored.run();
      return;
    }
    RosterItem before = roster.find(item.jid());
    roster.put(item, store.put(home.jid(), item));
    stored.run();
    RosterItem after = visible(roster.find(item.jid()));
    if (after != null && !looksTheSame(before, after)) {
      push(home, RosterXml.item(after));
    }
  }

  /// Removes an item if there is one; pushes the removal if clients could see it.
  public void remove(Home home, Jid contact) {
    remove(home, contact, Rosters::nothing);
  }

  /// Removes an item; `stored` runs between the store and the push, also if there was none.
  public void remove(Home home, Jid contact, Runnable stored) {
    Roster roster = of(home);
    RosterItem before = roster.stored(contact);
    if (before == null) {
      stored.run();
      return;
    }
    roster.remove(contact, store.remove(home.jid(), contact));
    stored.run();
    if (before.listed()) {
      RosterItem after = visible(roster.find(contact));
      push(home, after == null ? RosterXml.removed(contact) : RosterXml.item(after));
    }
  }

  /// Sends a roster push to every interested session. Without `from`, as it comes from the account
  /// itself (section 2.1.6).
  private void push(Home home, Element item) {
    Roster roster = of(home);
    // With more to come the version is one that no roster has: a client that loses its stream now
    // gets the whole roster the next time.
    String version = version(roster) + (roster.hasPushes() ? "-incomplete" : "");
    Element query = RosterXml.one(item, version);
    for (Session session : home.sessions()) {
      if (interested(session)) {
        session.send(Iq.of(Iq.Type.SET, null, session.jid(), context.ids().next(), query));
      }
    }
    observers.values().forEach(observer -> observer.accept(home, query));
  }

  private static void nothing() {}

  /// The version for clients: the version number and a hash of what they see. The hash
  /// distinguishes rosters with the same number, after an account was registered again or a backup
  /// was restored.
  static String version(Roster roster) {
    String stored = roster.version() + "-" + Long.toHexString(roster.digest());
    return roster.shared().isEmpty()
        ? stored
        : stored + "-" + Long.toHexString(roster.shared().digest());
  }

  private static boolean looksTheSame(@Nullable RosterItem before, @Nullable RosterItem after) {
    if (before == null || after == null) {
      return before == null && after == null;
    }
    return before.listed() == after.listed()
        && before.subscription() == after.subscription()
        && before.ask() == after.ask()
        && before.approved() == after.approved()
        && Objects.equals(before.name(), after.name())
        && before.groups().equals(after.groups());
  }
}
