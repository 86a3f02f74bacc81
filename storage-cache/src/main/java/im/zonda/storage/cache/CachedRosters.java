package im.zonda.storage.cache;

import im.zonda.jid.Jid;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rosters in memory.
record CachedRosters(RosterStore store, OwnerCache<RosterStore.Roster> cache)
    implements RosterStore {
  @Override
  public Roster load(Jid owner) {
    return cache.get(owner, () -> copy(store.load(owner)));
  }

  /// A roster that nothing can change.
  static Roster copy(Roster roster) {
    return new Roster(roster.version(), List.copyOf(roster.items()));
  }

  @Override
  public long put(Jid owner, RosterItem item) {
    return cache.write(
        owner,
        () -> store.put(owner, item),
        (before, version) -> change(before, item.jid(), item, version));
  }

  @Override
  public long remove(Jid owner, Jid contact) {
    return cache.write(
        owner,
        () -> store.remove(owner, contact),
        (before, version) -> change(before, contact, null, version));
  }

  @Override
  public List<Jid> subscribedOwners(Jid contact, int limit) {
    return store.subscribedOwners(contact, limit);
  }

  private static @Nullable Roster change(
      @Nullable Roster before, Jid contact, @Nullable RosterItem item, long version) {
    if (before == null) {
      return null;
    }
    List<RosterItem> items = new ArrayList<>(before.items());
    items.removeIf(each -> each.jid().equals(contact));
    if (item != null) {
      items.add(item);
    }
    return new Roster(version, List.copyOf(items));
  }
}
