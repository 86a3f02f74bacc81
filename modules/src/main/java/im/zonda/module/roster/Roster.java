package im.zonda.module.roster;

import im.zonda.group.GroupContacts;
import im.zonda.group.GroupDirectory;
import im.zonda.jid.Jid;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore;
import im.zonda.store.Subscription;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The roster of an account, in memory while its home is loaded. Changed by [Rosters] only.
public final class Roster {
  /// Shared while there are no items: on a large server many accounts have none.
  private Map<Jid, RosterItem> items = Map.of();

  private static final SequencedSet<Jid> NO_PUSHES =
      Collections.unmodifiableSequencedSet(new LinkedHashSet<>(0));

  /// The most people of large groups with whom a chat is noted.
  private static final int MOST_CHATS = 500;

  private long version;
  private int listed;
  private int listedBytes;
  private int requestBytes;

  /// Contacts whose items are to be pushed because shared groups have changed.
  private SequencedSet<Jid> pushes = NO_PUSHES;

  private GroupDirectory directory;
  private GroupContacts shared;

  /// People of large groups with whom a chat was opened.
  private Set<Jid> chats = Set.of();

  /// @param directory the shared groups of the host
  Roster(RosterStore.Roster stored, GroupDirectory directory, GroupContacts shared) {
    this.directory = directory;
    this.shared = shared;
    version = stored.version();
    for (RosterItem item : stored.items()) {
      put(item, version);
    }
  }

  /// Grows with every change.
  public long version() {
    return version;
  }

  /// The item of a bare address, a contact or a pending request, or null; together with what the
  /// shared groups say.
  public @Nullable RosterItem find(Jid contact) {
    return merged(contact, items.get(contact), shared);
  }

  /// The same with other groups.
  static @Nullable RosterItem merged(
      Jid contact, @Nullable RosterItem stored, GroupContacts shared) {
    if (shared.isEmpty()) {
      return stored;
    }
    List<String> names = shared.names(contact);
    boolean isSeen = shared.isSeenBy(contact);
    if (names.isEmpty() && !isSeen) {
      return stored;
    }
    Subscription own = stored == null ? Subscription.NONE : stored.subscription();
    Subscription all = Subscription.of(own.to() || !names.isEmpty(), own.from() || isSeen);
    if (stored == null) {
      return new RosterItem(contact, null, all, false, false, names, null, !names.isEmpty());
    }
    Set<String> groups = new LinkedHashSet<>(stored.groups());
    groups.addAll(names);
    return new RosterItem(
        contact,
        stored.name(),
        all,
        stored.ask() && !all.to(),
        stored.approved() && !all.from(),
        List.copyOf(groups),
        all.from() ? null : stored.request(),
        stored.listed() || !names.isEmpty());
  }

  /// The stored item of a bare address, without what the shared groups say, or null.
  public @Nullable RosterItem stored(Jid contact) {
    return items.get(contact);
  }

  /// What the shared groups mean for the account.
  public GroupContacts shared() {
    return shared;
  }

  /// The shared groups of the host that [#shared] was made of.
  GroupDirectory directory() {
    return directory;
  }

  void share(GroupDirectory newDirectory, GroupContacts newShared) {
    directory = newDirectory;
    shared = newShared;
    if (!chats.isEmpty()) {
      chats.removeIf(each -> !newShared.sees(each) && !newShared.isSeenBy(each));
    }
  }

  /// Notes a chat with someone of a large group; false if it was noted, or there is none with them.
  boolean openChat(Jid contact) {
    boolean isLarge =
        (shared.sees(contact) && !shared.seesPresenceOf(contact))
            || (shared.isSeenBy(contact) && !shared.showsPresenceTo(contact));
    if (!isLarge || chats.contains(contact) || chats.size() >= MOST_CHATS) {
      return false;
    }
    if (chats.isEmpty()) {
      chats = new LinkedHashSet<>(4);
    }
    return chats.add(contact);
  }

  /// People of large groups with whom a chat was opened. A view.
  public Set<Jid> chats() {
    return Collections.unmodifiableSet(chats);
  }

  /// Adds contacts whose items are to be pushed; true if there were none.
  boolean addPushes(List<Jid> contacts) {
    boolean none = pushes.isEmpty();
    if (!contacts.isEmpty()) {
      if (none) {
        pushes = new LinkedHashSet<>();
      }
      pushes.addAll(contacts);
    }
    return none && !pushes.isEmpty();
  }

  /// Takes the next contact whose item is to be pushed, or null.
  @Nullable Jid nextPush() {
    Jid next = pushes.isEmpty() ? null : pushes.removeFirst();
    if (next != null && pushes.isEmpty()) {
      pushes = NO_PUSHES;
    }
    return next;
  }

  /// Whether items are to be pushed.
  boolean hasPushes() {
    return !pushes.isEmpty();
  }

  /// All stored items, pending requests included. A view, invalid once items change.
  public Collection<RosterItem> items() {
    return Collections.unmodifiableCollection(items.values());
  }

  /// The number of contacts that clients see.
  public int listed() {
    return listed;
  }

  /// The number of pending requests of others than contacts.
  public int unlisted() {
    return items.size() - listed;
  }

  /// The approximate size of the contacts that clients see, without requests, in bytes.
  public int listedBytes() {
    return listedBytes;
  }

  /// The size of the pending requests, in bytes.
  public int requestBytes() {
    return requestBytes;
  }

  /// The approximate size of an item without its request, in bytes.
  public static int bytes(Jid contact, @Nullable String name, List<String> groups) {
    int bytes = contact.toString().length() + (name == null ? 0 : name.length());
    for (String group : groups) {
      bytes += group.length();
    }
    return bytes;
  }

  /// Whether the contact gets the account's presence.
  public boolean showsPresenceTo(Jid contact) {
    RosterItem item = items.get(contact);
    return (item != null && item.subscription().from())
        || shared.showsPresenceTo(contact)
        || (chats.contains(contact) && shared.isSeenBy(contact));
  }

  /// Passes on all who get the account's presence, each once.
  ///
  /// @param online says of those who get it because of a shared group only whether that is of use
  public void forEachPresenceShown(Predicate<Jid> online, Consumer<Jid> action) {
    for (RosterItem item : items.values()) {
      if (item.subscription().from()) {
        action.accept(item.jid());
      }
    }
    Consumer<Jid> others =
        contact -> {
          RosterItem item = items.get(contact);
          if ((item == null || !item.subscription().from()) && online.test(contact)) {
            action.accept(contact);
          }
        };
    shared.forEachPresenceShown(others);
    for (Jid each : List.copyOf(chats)) {
      if (shared.isSeenBy(each) && !shared.showsPresenceTo(each)) {
        others.accept(each);
      }
    }
  }

  /// Passes on all whose presence the account gets, each once.
  ///
  /// @param online says of those who show it because of a shared group only whether they may have
  ///   some
  public void forEachPresenceSeen(Predicate<Jid> online, Consumer<Jid> action) {
    for (RosterItem item : items.values()) {
      if (item.subscription().to()) {
        action.accept(item.jid());
      }
    }
    Consumer<Jid> others =
        contact -> {
          RosterItem item = items.get(contact);
          if ((item == null || !item.subscription().to()) && online.test(contact)) {
            action.accept(contact);
          }
        };
    shared.forEachPresenceSeen(others);
    for (Jid each : List.copyOf(chats)) {
      if (shared.sees(each) && !shared.seesPresenceOf(each)) {
        others.accept(each);
      }
    }
  }

  /// A hash of what is stored and clients see, independent of the order of the items.
  long digest() {
    long sum = 0;
    for (RosterItem item : items.values()) {
      if (item.listed()) {
        sum += digest(item);
      }
    }
    return sum;
  }

  private static long digest(RosterItem item) {
    long digest = item.jid().toString().hashCode();
    digest = mix(digest, item.name() == null ? 0 : item.name().hashCode());
    digest = mix(digest, item.subscription().value().hashCode());
    digest = mix(digest, (item.ask() ? 1 : 0) + (item.approved() ? 2 : 0));
    for (String group : item.groups()) {
      digest = mix(digest, group.hashCode());
    }
    return digest;
  }

  /// Multiplies by the golden ratio in 64 bits, which spreads similar values.
  private static long mix(long digest, int value) {
    long mixed = (digest ^ value) * 0x9E3779B97F4A7C15L;
    return mixed ^ (mixed >>> 29);
  }

  void put(RosterItem item, long newVersion) {
    if (items.isEmpty()) {
      items = new LinkedHashMap<>(4);
    }
    RosterItem before = items.put(item.jid(), item);
    listed += count(item) - count(before);
    listedBytes += listedBytes(item) - listedBytes(before);
    requestBytes += requestBytes(item) - requestBytes(before);
    version = newVersion;
  }

  void remove(Jid contact, long newVersion) {
    RosterItem before = items.remove(contact);
    listed -= count(before);
    listedBytes -= listedBytes(before);
    requestBytes -= requestBytes(before);
    version = newVersion;
    if (items.isEmpty()) {
      items = Map.of();
    }
  }

  private static int listedBytes(@Nullable RosterItem item) {
    return item != null && item.listed() ? bytes(item.jid(), item.name(), item.groups()) : 0;
  }

  private static int requestBytes(@Nullable RosterItem item) {
    return item == null || item.request() == null ? 0 : item.request().writtenSize();
  }

  private static int count(@Nullable RosterItem item) {
    return item != null && item.listed() ? 1 : 0;
  }
}
