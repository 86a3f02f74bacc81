package im.zonda.bench.room;

import static java.util.Map.entry;

import im.zonda.bench.options.LoadOptions;
import im.zonda.bench.options.OptionPairs;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Options of loads in rooms.
///
/// @param load the options of all loads; pairs and rate are not used
/// @param service the address of the room service
/// @param prefix the accounts' names up to the number
/// @param tag the rooms' names up to the number
/// @param sessions number of clients, each in one room
/// @param rooms rooms
/// @param largest occupants of the largest room; the mean for rooms of one size
/// @param copies received copies per second
/// @param joiners clients that enter one more room (`storm`), or each room (`joins`)
/// @param window number of clients that enter a room, or log in, at a time
/// @param rounds number of repetitions (`joins`)
/// @param sources addresses of this machine that clients connect from
/// @param out the file for the figures of each second; empty for none
public record RoomOptions(
    LoadOptions load,
    String service,
    String prefix,
    String tag,
    int sessions,
    int rooms,
    int largest,
    int copies,
    int joiners,
    int window,
    int rounds,
    int sources,
    String out) {

  public static final String USAGE =
      """
      and:     --service rooms.DOMAIN --prefix s --tag load --sessions 500 --rooms 10
               --largest N (people in the largest room; by default all rooms are alike)
               --copies 1000 (messages that reach someone, per second)
               --window 50 (people who log in or enter a room at a time)
               --sources 8 (addresses 127.0.0.x that clients connect from)
               --out FILE (chat, storm: a line of figures for each second)
               --joiners 10 (storm: people who enter one more room; joins: people who enter and
               leave each room) --rounds 10 (joins)
      the accounts s0 s1 … must exist and have the password; one salt for all of them saves time
      (bench/load.sh accounts). The connections are without TLS.
      """;

  /// Reads `--name value` pairs; those that are not its own go to [LoadOptions].
  ///
  /// @throws IllegalArgumentException if one is unknown or not a number
  public static RoomOptions parse(List<String> args) {
    OptionPairs own =
        new OptionPairs(
            args,
            Map.ofEntries(
                entry("service", ""),
                entry("prefix", "s"),
                entry("tag", "load"),
                entry("sessions", "500"),
                entry("rooms", "10"),
                entry("largest", "0"),
                entry("copies", "1000"),
                entry("joiners", "10"),
                entry("window", "50"),
                entry("rounds", "10"),
                entry("sources", "8"),
                entry("out", "")));
    try {
      return of(own, LoadOptions.parse(own.others()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(e.getMessage() + USAGE, e);
    }
  }

  private static RoomOptions of(OptionPairs own, LoadOptions load) {
    int sessions = own.number("sessions");
    int rooms = own.number("rooms");
    int largest = own.number("largest");
    String service = own.text("service");
    return new RoomOptions(
        load,
        service.isEmpty() ? "rooms." + load.domain() : service,
        own.text("prefix"),
        own.text("tag"),
        sessions,
        rooms,
        largest == 0 ? sessions / Math.max(1, rooms) : largest,
        own.number("copies"),
        own.number("joiners"),
        own.number("window"),
        own.number("rounds"),
        own.number("sources"),
        own.text("out"));
  }

  /// The number of occupants of each room.
  public int[] sizes() {
    return (long) largest * rooms == sessions
        ? IntStream.range(0, rooms).map(i -> largest).toArray()
        : RoomSizes.of(sessions, rooms, largest);
  }

  /// The name of a room by its number.
  public String room(int number) {
    return tag + number;
  }
}
