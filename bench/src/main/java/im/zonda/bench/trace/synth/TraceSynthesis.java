package im.zonda.bench.trace.synth;

import im.zonda.bench.trace.Trace;
import im.zonda.bench.trace.Trace.Message;
import im.zonda.bench.trace.Trace.Session;
import im.zonda.bench.trace.Trace.Stay;
import im.zonda.bench.trace.TraceHeader;
import im.zonda.bench.trace.TraceRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.IntStream;

/// Makes a trace from a seed: the same bytes on each machine. All players are in their rooms at the
/// beginning; later some are away for a short time, so that no room is ever larger.
public final class TraceSynthesis {
  /// Time before the beginning in which speakers start, so that the beginning is like the rest.
  private static final double BEFORE_SECONDS = 1_800;

  private static final long STAYS = 1;
  private static final long SPEECH = 2;
  private static final long BURSTS = 3;

  private final Arena arena;
  private final double seconds;
  private final List<Session> sessions = new ArrayList<>();
  private final List<Stay> stays = new ArrayList<>();
  private final List<Message> messages = new ArrayList<>();

  private TraceSynthesis(Arena arena) {
    this.arena = arena;
    this.seconds = arena.millis() / 1e3;
  }

  /// Makes the trace.
  ///
  /// @throws IllegalArgumentException if the players do not fill the rooms
  public static Trace make(Arena arena) {
    TraceSynthesis made = new TraceSynthesis(arena);
    int[] sizes = RoomSizes.of(arena.players(), arena.rooms(), arena.largest());
    int first = 0;
    for (int room = 0; room < sizes.length; room++) {
      made.room(room, first, sizes[room]);
      first += sizes[room];
    }
    TraceHeader header =
        new TraceHeader(new LinkedHashMap<>())
            .with("preset", "arena")
            .with("seed", Long.toString(arena.seed()))
            .with(TraceHeader.MAX_ROOM, Integer.toString(arena.largest()));
    return new Trace(
        header,
        arena.millis(),
        IntStream.range(0, arena.players()).mapToObj(i -> "p" + i).toList(),
        IntStream.range(0, arena.rooms()).mapToObj(i -> "r" + i).toList(),
        made.sessions,
        made.stays,
        made.messages);
  }

  private void room(int room, int first, int size) {
    Bursts bursts = new Bursts(new TraceRandom(arena.seed(), BURSTS, room), seconds);
    List<List<Stay>> own = new ArrayList<>();
    for (int player = first; player < first + size; player++) {
      own.add(staysOf(player, room));
      stays.addAll(own.getLast());
    }
    for (int i = 0; i < size; i++) {
      speech(own, i, bursts);
    }
  }

  private List<Stay> staysOf(int player, int room) {
    TraceRandom random = new TraceRandom(arena.seed(), STAYS, player);
    List<Stay> own = new ArrayList<>();
    // A stay that a given moment meets is longer than others: its logarithm is greater by the
    // variance. The moment is anywhere within.
    double shift = Arena.STAY_SIGMA * Arena.STAY_SIGMA;
    double until =
        random.lognormal(Arena.STAY_MEDIAN * StrictMath.exp(shift), Arena.STAY_SIGMA)
            * random.uniform();
    long from = 0;
    while (from < arena.millis()) {
      long end = Math.min(arena.millis(), Math.max(from + 1_000, (long) (until * 1e3)));
      own.add(new Stay(player, room, from, end));
      sessions.add(new Session(player, from, end));
      from = end + 1_000 + (long) (random.exponential(Arena.BREAK_MEAN) * 1e3);
      until = from / 1e3 + random.lognormal(Arena.STAY_MEDIAN, Arena.STAY_SIGMA);
    }
    return own;
  }

  private void speech(List<List<Stay>> room, int speaker, Bursts bursts) {
    List<Stay> own = room.get(speaker);
    int player = own.getFirst().player();
    TraceRandom random = new TraceRandom(arena.seed(), SPEECH, player);
    if (random.uniform() >= Arena.SPEAKERS) {
      return;
    }
    double variance = Arena.WEIGHT_SIGMA * Arena.WEIGHT_SIGMA;
    double weight = random.lognormal(1, Arena.WEIGHT_SIGMA);
    // Heavy speakers have more messages: over all messages the logarithm of the weight is greater
    // by the variance, and the median gap is the one that is wanted.
    double median = Arena.GAP_MEDIAN * StrictMath.exp(variance) / weight;
    double sigma = StrictMath.sqrt(Arena.GAP_SIGMA * Arena.GAP_SIGMA - variance);
    double shown = -BEFORE_SECONDS;
    while (true) {
      shown += Math.min(Arena.GAP_MOST, random.lognormal(median, sigma));
      int bytes = length(random);
      double direct = random.uniform();
      int other = random.below(room.size());
      if (shown < 0) {
        continue;
      }
      long millis = (long) (bursts.realTime(shown) * 1e3);
      if (millis >= arena.millis()) {
        return;
      }
      if (isIn(own, millis)) {
        boolean toOne = direct < Arena.DIRECT && other != speaker && isIn(room.get(other), millis);
        int place = toOne ? room.get(other).getFirst().player() : own.getFirst().room();
        messages.add(new Message(millis, player, place, toOne, bytes));
      }
    }
  }

  private static int length(TraceRandom random) {
    double bytes = random.lognormal(Arena.LENGTH_MEDIAN, Arena.LENGTH_SIGMA);
    return Math.clamp(Math.round(bytes), 1, Arena.LENGTH_MOST);
  }

  private static boolean isIn(List<Stay> stays, long millis) {
    return stays.stream().anyMatch(stay -> stay.covers(millis));
  }
}
