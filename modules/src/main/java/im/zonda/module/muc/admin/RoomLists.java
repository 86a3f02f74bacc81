package im.zonda.module.muc.admin;

import im.zonda.jid.Jid;
import im.zonda.module.muc.admin.RoomOperations.Line;
import im.zonda.module.muc.admin.RoomOperations.Lines;
import im.zonda.module.muc.admin.RoomOperations.Property;
import im.zonda.module.muc.admin.RoomOperations.Wanted;
import im.zonda.module.muc.home.OccupantCounts;
import im.zonda.module.muc.room.RoomName;
import im.zonda.operation.Outcome;
import im.zonda.store.RoomStore;
import im.zonda.store.RoomStore.Room;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Lists rooms for administrators. Each page is one query; only the rooms in memory are counted.
///
/// @param domain the domain of the rooms
record RoomLists(RoomStore store, OccupantCounts counts, String domain) {
  /// Separates a number and a local part in the place of a room; no local part has it.
  private static final char BETWEEN = '/';

  /// Rank of a room in an order by a number.
  private record Rank(long number, String local) {
    /// Null if the text is no place.
    static @Nullable Rank of(String text) {
      int end = text.indexOf(BETWEEN);
      if (end < 0 || !text.substring(0, end).matches("-?\\d{1,18}")) {
        return null;
      }
      return new Rank(Long.parseLong(text.substring(0, end)), text.substring(end + 1));
    }

    @Override
    public String toString() {
      return number + String.valueOf(BETWEEN) + local;
    }
  }

  Outcome<Lines> list(Wanted wanted) {
    return switch (wanted.order()) {
      case ADDRESS -> byAddress(wanted);
      case OCCUPANTS -> byOccupants(wanted);
      case CREATED -> byCreation(wanted);
    };
  }

  private static Outcome<Lines> noPlace(Wanted wanted) {
    return Outcome.invalid(
        "after", wanted.after() + " is not a place in this order: take the next of a page.");
  }

  private static String local(Room room) {
    return Objects.requireNonNull(room.jid().local());
  }

  private Outcome<Lines> byAddress(Wanted wanted) {
    List<Room> page =
        wanted.only().contains(Property.PUBLIC)
            ? store.listed(domain, wanted.after(), null, wanted.limit())
            : store.page(domain, wanted.after(), wanted.limit());
    String next = page.size() < wanted.limit() ? null : local(page.getLast());
    return Outcome.done(new Lines(lines(page, wanted), next));
  }

  private Outcome<Lines> byCreation(Wanted wanted) {
    RoomStore.Place after = null;
    if (wanted.after() != null) {
      Rank place = Rank.of(wanted.after());
      if (place == null) {
        return noPlace(wanted);
      }
      Instant created = Instant.EPOCH.plus(place.number, ChronoUnit.MICROS);
      after = new RoomStore.Place(created, place.local);
    }
    List<Room> page = store.latest(domain, after, wanted.limit());
    String next = null;
    if (page.size() == wanted.limit()) {
      Room last = page.getLast();
      next =
          new Rank(ChronoUnit.MICROS.between(Instant.EPOCH, last.created()), local(last))
              .toString();
    }
    return Outcome.done(new Lines(lines(page, wanted), next));
  }

  private Outcome<Lines> byOccupants(Wanted wanted) {
    Rank after = wanted.after() == null ? null : Rank.of(wanted.after());
    if (wanted.after() != null && after == null) {
      return noPlace(wanted);
    }
    Comparator<Rank> fullestFirst =
        Comparator.comparingLong(Rank::number).reversed().thenComparing(Rank::local);
    Map<Jid, Integer> occupied = counts.occupied();
    List<Rank> places =
        occupied.entrySet().stream()
            .flatMap(each -> place(each.getKey(), each.getValue()))
            .filter(each -> after == null || fullestFirst.compare(each, after) > 0)
            .sorted(fullestFirst)
            .limit(wanted.limit() + 1L)
            .toList();
    boolean more = places.size() > wanted.limit();
    List<Rank> page = more ? places.subList(0, wanted.limit()) : places;
    Map<String, Room> stored = new HashMap<>();
    store
        .select(domain, page.stream().map(Rank::local).toList())
        .forEach(room -> stored.put(local(room), room));
    List<Room> rooms =
        page.stream().map(each -> stored.get(each.local)).filter(Objects::nonNull).toList();
    return Outcome.done(
        new Lines(lines(rooms, wanted, occupied), more ? page.getLast().toString() : null));
  }

  private static Stream<Rank> place(Jid room, int occupants) {
    String local = room.local();
    return local == null ? Stream.of() : Stream.of(new Rank(occupants, local));
  }

  private List<Line> lines(List<Room> page, Wanted wanted) {
    return lines(page, wanted, counts.of(page.stream().map(Room::jid).toList()));
  }

  private static List<Line> lines(List<Room> page, Wanted wanted, Map<Jid, Integer> occupants) {
    List<Line> lines = new ArrayList<>();
    for (Room each : page) {
      Integer count = occupants.get(each.jid());
      if (wanted.only().stream().allMatch(property -> has(property, each, count))) {
        lines.add(
            new Line(
                each.jid(),
                RoomName.of(each.jid(), each.name()),
                each.listed(),
                each.persistent(),
                each.creator(),
                each.created(),
                count));
      }
    }
    return lines;
  }

  private static boolean has(Property property, Room room, @Nullable Integer occupants) {
    return switch (property) {
      case PUBLIC -> room.listed();
      case HIDDEN -> !room.listed();
      case PERSISTENT -> room.persistent();
      case TEMPORARY -> !room.persistent();
      case EMPTY -> occupants != null && occupants == 0;
      case OCCUPIED -> occupants != null && occupants > 0;
    };
  }
}
