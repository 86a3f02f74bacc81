package im.zonda.storage.cache;

import im.zonda.jid.Jid;
import im.zonda.store.RoomStore;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Rooms and their affiliations in memory. Lists and counts are read from the database.
record CachedRooms(
    RoomStore store, CacheRegistry registry, OwnerCache<Optional<RoomStore.Stored>> cache)
    implements RoomStore {
  @Override
  public @Nullable Stored find(Jid room) {
    return cache.get(room, () -> Optional.ofNullable(store.find(room))).orElse(null);
  }

  @Override
  public void save(Room room, Collection<Affiliation> changed) {
    // The order of the affiliations is the database's, so a change is read again when needed: a
    // room is not read while its home is loaded.
    cache.write(
        room.jid(),
        () -> {
          store.save(room, changed);
          return true;
        },
        (before, saved) -> null);
  }

  @Override
  public boolean remove(Jid room) {
    return registry.changeAll(List.of(room), () -> store.remove(room));
  }

  @Override
  public boolean removeRestorably(Jid room, Instant now, int most) {
    return registry.changeAll(List.of(room), () -> store.removeRestorably(room, now, most));
  }

  @Override
  public List<Removed> removed(String domain, @Nullable String local, int limit) {
    return store.removed(domain, local, limit);
  }

  @Override
  public Restoration restore(Jid room, long number) {
    return registry.changeAll(List.of(room), () -> store.restore(room, number));
  }

  @Override
  public int eraseRemoved(String domain, Instant before, int limit) {
    return store.eraseRemoved(domain, before, limit); // nothing of them is in a cache
  }

  @Override
  public List<Room> listed(
      String domain, @Nullable String after, @Nullable String text, int limit) {
    return store.listed(domain, after, text, limit);
  }

  @Override
  public List<Jid> temporary(String domain, @Nullable String after, int limit) {
    return store.temporary(domain, after, limit);
  }

  @Override
  public List<Jid> list(String domain, @Nullable String after, int limit) {
    return store.list(domain, after, limit);
  }

  @Override
  public List<Room> page(String domain, @Nullable String after, int limit) {
    return store.page(domain, after, limit);
  }

  @Override
  public List<Room> latest(String domain, @Nullable Place after, int limit) {
    return store.latest(domain, after, limit);
  }

  @Override
  public List<Room> select(String domain, Collection<String> locals) {
    return store.select(domain, locals);
  }

  @Override
  public List<Jid> affiliatedRooms(Jid user, int limit) {
    return store.affiliatedRooms(user, limit);
  }

  @Override
  public int created(String domain, Jid user) {
    return store.created(domain, user);
  }
}
