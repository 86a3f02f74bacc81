package im.zonda.app.attack;

import im.zonda.jid.Jid;
import im.zonda.store.RoomStore;
import im.zonda.store.Stores;
import im.zonda.testkit.server.ForwardingStores;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Stores that count how often a room is looked for: once for as long as its address has a home.
record CountingRooms(Stores inner, AtomicInteger finds) implements ForwardingStores, RoomStore {
  @Override
  public @Nullable Stored find(Jid room) {
    finds.incrementAndGet();
    return inner.rooms().find(room);
  }

  @Override
  public void save(Room room, Collection<Affiliation> changed) {
    inner.rooms().save(room, changed);
  }

  @Override
  public boolean remove(Jid room) {
    return inner.rooms().remove(room);
  }

  @Override
  public boolean removeRestorably(Jid room, Instant now, int most) {
    return inner.rooms().removeRestorably(room, now, most);
  }

  @Override
  public List<Removed> removed(String domain, @Nullable String local, int limit) {
    return inner.rooms().removed(domain, local, limit);
  }

  @Override
  public Restoration restore(Jid room, long number) {
    return inner.rooms().restore(room, number);
  }

  @Override
  public int eraseRemoved(String domain, Instant before, int limit) {
    return inner.rooms().eraseRemoved(domain, before, limit);
  }

  @Override
  public List<Room> listed(
      String domain, @Nullable String after, @Nullable String text, int limit) {
    return inner.rooms().listed(domain, after, text, limit);
  }

  @Override
  public List<Jid> temporary(String domain, @Nullable String after, int limit) {
    return inner.rooms().temporary(domain, after, limit);
  }

  @Override
  public List<Jid> list(String domain, @Nullable String after, int limit) {
    return inner.rooms().list(domain, after, limit);
  }

  @Override
  public List<Room> page(String domain, @Nullable String after, int limit) {
    return inner.rooms().page(domain, after, limit);
  }

  @Override
  public List<Room> latest(String domain, @Nullable Place after, int limit) {
    return inner.rooms().latest(domain, after, limit);
  }

  @Override
  public List<Room> select(String domain, Collection<String> locals) {
    return inner.rooms().select(domain, locals);
  }

  @Override
  public int created(String domain, Jid user) {
    return inner.rooms().created(domain, user);
  }

  @Override
  public List<Jid> affiliatedRooms(Jid user, int limit) {
    return inner.rooms().affiliatedRooms(user, limit);
  }

  @Override
  public RoomStore rooms() {
    return this;
  }
}
