package im.zonda.bench.scenario.rooms;

import im.zonda.bench.load.Options;
import im.zonda.bench.trace.Trace;
import im.zonda.bench.trace.Trace.Message;
import im.zonda.bench.trace.Trace.Session;
import im.zonda.bench.trace.Trace.Stay;
import im.zonda.bench.trace.TraceHeader;
import im.zonda.bench.trace.TraceRandom;
import im.zonda.bench.trace.synth.RoomSizes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.IntStream;

/// Rooms whose occupants speak at a fixed rate, as a trace. Occupants come first, then those of the
/// storm, then guests.
final class RoomsTrace {
  private static final long SPEAKERS = 21;
  private static final double MILLIS = 1e3;

  private final Options options;
  private final int[] sizes;
  private final long millis;
  private final List<Session> sessions = new ArrayList<>();
  private final List<Stay> stays = new ArrayList<>();
  private final List<Message> messages = new ArrayList<>();
  private int players;

  private RoomsTrace(Options options) {
    this.options = options;
    this.sizes = sizes(options);
    this.millis = Math.round((lead(options) + options.number("seconds")) * MILLIS);
  }

  /// Seconds before the measured part.
  static double lead(Options options) {
    if (options.text("warm-up").equals("auto")) {
      throw new IllegalArgumentException("--warm-up must be a number: the load is planned before");
    }
    return options.number("warm-up");
  }

  /// The occupants of each room, the largest first.
  ///
  /// @throws IllegalArgumentException if they do not fill the rooms
  static int[] sizes(Options options) {
    int occupants = options.whole("occupants");
    int rooms = options.whole("rooms");
    int largest = options.whole("largest");
    if (rooms < 1 || occupants < rooms) {
      throw new IllegalArgumentException("--rooms must be from 1 to --occupants");
    }
    if (largest == 0) {
      int[] sizes = new int[rooms];
      Arrays.setAll(sizes, room -> occupants / rooms + (room < occupants % rooms ? 1 : 0));
      return sizes;
    }
    return RoomSizes.of(occupants, rooms, largest);
  }

  /// When the storm begins, in milliseconds of the trace.
  static long stormBegin(Options options) {
    return Math.round((lead(options) + options.number("storm-at")) * MILLIS);
  }

  /// When the storm counts as over.
  static long stormEnd(Options options) {
    return stormBegin(options) + Math.round(options.number("storm-seconds") * MILLIS);
  }

  static Trace of(Options options) {
    RoomsTrace made = new RoomsTrace(options);
    made.occupants();
    made.storm();
    made.guests();
    made.speech();
    int rooms = made.sizes.length + (options.whole("storm") > 0 ? 1 : 0);
    return new Trace(
        new TraceHeader(new LinkedHashMap<>()),
        made.millis,
        IntStream.range(0, made.players).mapToObj(i -> "p" + i).toList(),
        IntStream.range(0, rooms).mapToObj(i -> "r" + i).toList(),
        made.sessions,
        made.stays,
        made.messages);
  }

  private int player() {
    sessions.add(new Session(players, 0, millis));
    return players++;
  }

  private void occupants() {
    for (int room = 0; room < sizes.length; room++) {
      for (int i = 0; i < sizes[room]; i++) {
        stays.add(new Stay(player(), room, 0, millis));
      }
    }
  }

  private void storm() {
    long begin = stormBegin(options);
    int count = options.whole("storm");
    if (count > 0 && begin >= millis) {
      throw new IllegalArgumentException("--storm-at is not within --seconds");
    }
    for (int i = 0; i < count; i++) {
      // The first one makes the room.
      stays.add(new Stay(player(), sizes.length, i == 0 ? 0 : begin, millis));
    }
  }

  private void guests() {
    long stay = Math.round(options.number("guest-seconds") * MILLIS);
    int guests = options.whole("guests");
    if (guests > 0 && stay < 100) {
      throw new IllegalArgumentException("--guest-seconds is less than 0.1");
    }
    for (int room = 0; room < sizes.length; room++) {
      for (int i = 0; i < guests; i++) {
        int player = player();
        // Guests do not come all at once.
        long first = 1 + (2 * stay * (room * (long) guests + i)) / (sizes.length * (long) guests);
        for (long from = first; from + stay < millis; from += 2 * stay) {
          stays.add(new Stay(player, room, from, from + stay));
        }
      }
    }
  }

  private void speech() {
    double copies = options.number("copies");
    if (copies <= 0) {
      return;
    }
    int occupants = Arrays.stream(sizes).sum();
    double gap = MILLIS / (copies / RoomSizes.copiesPerMessage(sizes));
    if (millis / gap > Trace.MAX_EVENTS) {
      throw new IllegalArgumentException("more than " + Trace.MAX_EVENTS + " messages");
    }
    TraceRandom random = new TraceRandom(options.whole("seed"), SPEAKERS, 0);
    int bytes = options.whole("body");
    for (double at = gap / 2; at < millis; at += gap) {
      int speaker = random.below(occupants);
      messages.add(new Message((long) at, speaker, stays.get(speaker).room(), false, bytes));
    }
  }
}
