package im.zonda.storage.memory;

import im.zonda.jid.Jid;
import im.zonda.storage.memory.MemoryData.Owner;
import im.zonda.storage.memory.MemoryData.RemovedRoom;
import im.zonda.store.RoomStore;
import java.text.Normalizer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The rooms.
record MemoryRooms(MemoryDatabase database) implements RoomStore {
  private static final Comparator<Place> LATEST =
      Comparator.comparing(Place::created)
          .thenComparing(Place::local, MemoryData.TEXT_ORDER)
          .reversed();

  @Override
  public @Nullable Stored find(Jid room) {
    return database.<@Nullable Stored>call(() -> {
      Owner owner = database.data().owners.get(room);
      return owner == null || owner.room == null
          ? null
          : new Stored(owner.room, List.copyOf(owner.affiliations.values()));
    });
  }

  @Override
  public void save(Room room, Collection<Affiliation> changed) {
    Jid jid = room.jid();
    if (jid.local() == null || jid.isFull()) {
      throw new IllegalArgumentException("not the address of a room: " + jid);
    }
    boolean saved =
        database.call(() -> {
          Owner owner = database.data().owners.computeIfAbsent(jid, missing -> new Owner());
          if (owner.account != null) {
            return false;
          }
          owner.room =
              new Room(
                  jid,
                  room.creator(),
                  room.created().truncatedTo(ChronoUnit.MICROS),
                  room.persistent(),
                  room.listed(),
                  room.name(),
                  room.settings());
          for (Affiliation each : changed) {
            if (each.affiliation().equals("none")) {
              owner.affiliations.remove(each.user());
            } else {
              owner.affiliations.put(each.user(), each);
            }
          }
          return true;
        });
    if (!saved) {
      throw new IllegalStateException("an account has the address of the room " + jid);
    }
  }

  @Override
  public boolean remove(Jid room) {
    return database.call(() -> {
      Owner owner = database.data().owners.get(room);
      return owner != null && owner.room != null && database.data().owners.remove(room, owner);
    });
  }

  @Override
  public boolean removeRestorably(Jid room, Instant now, int most) {
    return database.call(() -> {
      MemoryData data = database.data();
      Owner owner = data.owners.get(room);
      if (owner == null || owner.room == null) {
        return false;
      }
      data.owners.remove(room);
      RemovedRoom added =
          new RemovedRoom(
              new Removed(++data.lastRemovedRoom, owner.room, now.truncatedTo(ChronoUnit.MICROS)),
              owner);
      data.removedRooms.put(added.removed().number(), added);
      Jid creator = owner.room.creator();
      if (creator != null) {
        removed(room.domain())
            .filter(each -> creator.equals(each.room().creator()))
            .skip(most)
            .toList()
            .forEach(each -> data.removedRooms.remove(each.number()));
      }
      return true;
    });
  }

  /// Those of a service, the latest first.
  private Stream<Removed> removed(String domain) {
    return database.data().removedRooms.values().stream()
        .map(RemovedRoom::removed)
        .filter(each -> each.room().jid().domain().equals(domain))
        .sorted(
            Comparator.comparing(Removed::removed).thenComparingLong(Removed::number).reversed());
  }

  @Override
  public List<Removed> removed(String domain, @Nullable String local, int limit) {
    return database.call(() ->
        removed(domain)
            .filter(each -> local == null || local.equals(each.room().jid().local()))
            .limit(limit)
            .toList());
  }

  @Override
  public Restoration restore(Jid room, long number) {
    return database.call(() -> {
      MemoryData data = database.data();
      if (data.owners.containsKey(room)) {
        return Restoration.ADDRESS_TAKEN;
      }
      RemovedRoom found = data.removedRooms.get(number);
      if (found == null || !found.removed().room().jid().equals(room)) {
        return Restoration.UNKNOWN;
      }
      data.removedRooms.remove(number);
      data.owners.put(room, found.owner());
      return Restoration.DONE;
    });
  }

  @Override
  public int eraseRemoved(String domain, Instant before, int limit) {
    return database.call(() -> {
      List<Removed> old =
          removed(domain).filter(each -> each.removed().isBefore(before)).toList().reversed();
      List<Removed> erased = old.subList(0, Math.min(limit, old.size()));
      erased.forEach(each -> database.data().removedRooms.remove(each.number()));
      return erased.size();
    });
  }

  @Override
  public List<Room> listed(
      String domain, @Nullable String after, @Nullable String text, int limit) {
    String part = fold(text == null ? "" : text);
    return database.call(() ->
        page(domain, after)
            .filter(Room::listed)
            .filter(room ->
                fold(MemoryData.local(room.jid())).contains(part)
                    || fold(room.name()).contains(part))
            .limit(limit)
            .toList());
  }

  @Override
  public List<Jid> temporary(String domain, @Nullable String after, int limit) {
    return database.call(() ->
        page(domain, after)
            .filter(room -> !room.persistent())
            .map(Room::jid)
            .limit(limit)
            .toList());
  }

  @Override
  public List<Jid> list(String domain, @Nullable String after, int limit) {
    return database.call(() -> page(domain, after).map(Room::jid).limit(limit).toList());
  }

  @Override
  public List<Room> page(String domain, @Nullable String after, int limit) {
    return database.call(() -> page(domain, after).limit(limit).toList());
  }

  @Override
  public List<Room> latest(String domain, @Nullable Place after, int limit) {
    return database.call(() ->
        page(domain, null)
            .filter(room -> after == null || LATEST.compare(place(room), after) > 0)
            .sorted(Comparator.comparing(MemoryRooms::place, LATEST))
            .limit(limit)
            .toList());
  }

  private static Place place(Room room) {
    return new Place(room.created(), MemoryData.local(room.jid()));
  }

  @Override
  public List<Room> select(String domain, Collection<String> locals) {
    return database.call(() ->
        page(domain, null).filter(room -> locals.contains(MemoryData.local(room.jid()))).toList());
  }

  @Override
  public int created(String domain, Jid user) {
    return database.call(
        () -> (int) page(domain, null).filter(room -> user.equals(room.creator())).count());
  }

  @Override
  public List<Jid> affiliatedRooms(Jid user, int limit) {
    return database.call(() ->
        database.data().owners.entrySet().stream()
            .filter(each -> isGranted(each.getValue().affiliations.get(user)))
            .map(Map.Entry::getKey)
            .limit(limit)
            .toList());
  }

  private static boolean isGranted(@Nullable Affiliation affiliation) {
    return affiliation != null && !affiliation.affiliation().equals("outcast");
  }

  private Stream<Room> page(String domain, @Nullable String after) {
    return MemoryData.page(
        database.data().owners.values().stream()
            .map(owner -> owner.room)
            .filter(Objects::nonNull)
            .map(Objects::requireNonNull),
        Room::jid,
        domain,
        after);
  }

  /// The text without case, letter by letter.
  private static String fold(String text) {
    return Normalizer.normalize(text, Normalizer.Form.NFC)
        .codePoints()
        .map(point -> Character.toLowerCase(Character.toUpperCase(point)))
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
