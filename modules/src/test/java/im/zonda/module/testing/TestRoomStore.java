package im.zonda.module.testing;

import im.zonda.jid.Jid;
import im.zonda.store.RoomStore;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Rooms in memory.
public final class TestRoomStore implements RoomStore {
  private static final Comparator<Place> LATEST =
      Comparator.comparing(Place::created).thenComparing(Place::local).reversed();

  /// In the order of the letters' numbers, as the true stores have it.
  private static final Comparator<String> ORDER =
      Comparator.comparing(text -> text.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

  private final TestStores stores;
  private final Map<Jid, Kept> rooms = new TreeMap<>();
  private final Map<Long, Kept> removed = new TreeMap<>();
  private final Map<Long, Instant> times = new TreeMap<>();
  private int writes;

  private record Kept(Room room, Map<Jid, Affiliation> affiliations) {}

  TestRoomStore(TestStores stores) {
    this.stores = stores;
  }

  /// How often a room was saved or removed.
  public int writes() {
    return writes;
  }

  @Override
  public @Nullable Stored find(Jid room) {
    Kept kept = rooms.get(room);
    return kept == null ? null : new Stored(kept.room, List.copyOf(kept.affiliations.values()));
  }

  @Override
  public void save(Room room, Collection<Affiliation> changed) {
    if (room.jid().local() == null || room.jid().isFull()) {
      throw new IllegalArgumentException("not the address of a room: " + room.jid());
    }
    if (stores.accounts().find(room.jid()) != null) {
      throw new IllegalStateException("an account has the address of the room " + room.jid());
    }
    stores.writing();
    writes++;
    Kept before = rooms.get(room.jid());
    Map<Jid, Affiliation> affiliations =
        before == null ? new TreeMap<>() : new TreeMap<>(before.affiliations);
    for (Affiliation each : changed) {
      if (each.affiliation().equals("none")) {
        affiliations.remove(each.user());
      } else {
        affiliations.put(each.user(), each);
      }
    }
    rooms.put(room.jid(), new Kept(room, affiliations));
  }

  @Override
  public boolean remove(Jid room) {
    stores.writing();
    writes++;
    if (rooms.remove(room) == null) {
      return false;
    }
    stores.forget(room);
    return true;
  }

  /// Messages and values of the room are not kept.
  @Override
  public boolean removeRestorably(Jid room, Instant now, int most) {
    Kept kept = rooms.get(room);
    if (!remove(room) || kept == null) {
      return false;
    }
    long number = removed.size() + 1L;
    removed.put(number, kept);
    times.put(number, now);
    return true;
  }

  @Override
  public List<Removed> removed(String domain, @Nullable String local, int limit) {
    return removed.keySet().stream()
        .sorted(Comparator.reverseOrder())
        .map(number ->
            new Removed(
                number,
                Objects.requireNonNull(removed.get(number)).room,
                Objects.requireNonNull(times.get(number))))
        .filter(each -> each.room().jid().domain().equals(domain))
        .filter(each -> local == null || local.equals(each.room().jid().local()))
        .limit(limit)
        .toList();
  }

  @Override
  public Restoration restore(Jid room, long number) {
    Kept kept = removed.get(number);
    if (rooms.containsKey(room)) {
      return Restoration.ADDRESS_TAKEN;
    }
    if (kept == null || !kept.room.jid().equals(room)) {
      return Restoration.UNKNOWN;
    }
    rooms.put(room, kept);
    removed.remove(number);
    return Restoration.DONE;
  }

  /// Makes the settings of a removed room unreadable.
  public void damageRemoved(long number) {
    removed.computeIfPresent(
        number,
        (same, kept) ->
            new Kept(
                new Room(
                    kept.room.jid(),
                    kept.room.creator(),
                    kept.room.created(),
                    kept.room.persistent(),
                    kept.room.listed(),
                    kept.room.name(),
                    "damaged"),
                kept.affiliations));
  }

  @Override
  public int eraseRemoved(String domain, Instant before, int limit) {
    stores.writing();
    List<Long> old =
        removed(domain, null, Integer.MAX_VALUE).reversed().stream()
            .filter(each -> each.removed().isBefore(before))
            .limit(limit)
            .map(Removed::number)
            .toList();
    old.forEach(removed::remove);
    return old.size();
  }

  @Override
  public List<Room> listed(
      String domain, @Nullable String after, @Nullable String text, int limit) {
    String part = text == null ? "" : text.toLowerCase(Locale.ROOT);
    return page(
            domain,
            after,
            room ->
                room.listed()
                    && (local(room).contains(part)
                        || room.name().toLowerCase(Locale.ROOT).contains(part)),
            limit)
        .toList();
  }

  @Override
  public int created(String domain, Jid user) {
    return (int)
        rooms.values().stream()
            .filter(kept -> kept.room.jid().domain().equals(domain))
            .filter(kept -> user.equals(kept.room.creator()))
            .count();
  }

  @Override
  public List<Jid> temporary(String domain, @Nullable String after, int limit) {
    stores.writing();
    return page(domain, after, room -> !room.persistent(), limit).map(Room::jid).toList();
  }

  @Override
  public List<Jid> list(String domain, @Nullable String after, int limit) {
    return page(domain, after, room -> true, limit).map(Room::jid).toList();
  }

  @Override
  public List<Room> page(String domain, @Nullable String after, int limit) {
    return page(domain, after, room -> true, limit).toList();
  }

  @Override
  public List<Room> latest(String domain, @Nullable Place after, int limit) {
    return page(domain, null, room -> true, Integer.MAX_VALUE)
        .sorted(Comparator.comparing(TestRoomStore::place, LATEST))
        .filter(room -> after == null || LATEST.compare(place(room), after) > 0)
        .limit(limit)
        .toList();
  }

  private static Place place(Room room) {
    return new Place(room.created(), local(room));
  }

  @Override
  public List<Room> select(String domain, Collection<String> locals) {
    return page(domain, null, room -> locals.contains(local(room)), Integer.MAX_VALUE).toList();
  }

  private Stream<Room> page(
      String domain, @Nullable String after, Predicate<Room> wanted, int limit) {
    return rooms.values().stream()
        .map(kept -> kept.room)
        .filter(room -> room.jid().domain().equals(domain))
        .filter(room -> after == null || ORDER.compare(local(room), after) > 0)
        .filter(wanted)
        .sorted(Comparator.comparing(TestRoomStore::local, ORDER))
        .limit(limit);
  }

  private static String local(Room room) {
    return Objects.requireNonNull(room.jid().local());
  }

  @Override
  public List<Jid> affiliatedRooms(Jid user, int limit) {
    return rooms.values().stream()
        .filter(kept -> {
          Affiliation affiliation = kept.affiliations.get(user);
          return affiliation != null && !affiliation.affiliation().equals("outcast");
        })
        .map(kept -> kept.room.jid())
        .limit(limit)
        .toList();
  }
}
