package im.zonda.bench.trace;

import im.zonda.bench.trace.Trace.Message;
import im.zonda.bench.trace.Trace.Session;
import im.zonda.bench.trace.Trace.Stay;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Multiplies a trace by copies of whole rooms with their players: clone `k` of player `p17` is
/// `p17.k` and stays in rooms of clone `k`. More players mean more rooms and not fuller ones.
public final class TraceMultiplier {
  private static final long SHIFTS = 11;
  private static final long MIXED = 12;

  private final Trace trace;
  private final Multiplication rule;
  private final int players;
  private final int rooms;
  private final List<Session> sessions = new ArrayList<>();
  private final List<Stay> stays = new ArrayList<>();
  private final List<Message> messages = new ArrayList<>();

  private TraceMultiplier(Trace trace, Multiplication rule) {
    this.trace = trace;
    this.rule = rule;
    this.players = trace.players().size();
    this.rooms = trace.rooms().size();
  }

  /// The multiplied trace. Clone `k` of the player with index `p` has the index `k` × players +
  /// `p`, and the rooms likewise.
  ///
  /// @throws IllegalArgumentException if a room has more players than the rule allows, or the trace
  ///   has too many events
  public static Trace multiply(Trace original, Multiplication rule) {
    Trace trace = TraceSpeed.divide(original, rule.speed());
    long events = 2L * (trace.sessions().size() + trace.stays().size()) + trace.messages().size();
    if (events * rule.times() > Trace.MAX_EVENTS) {
      throw new IllegalArgumentException(
          rule.times()
              + " times "
              + events
              + " events are more than "
              + Trace.MAX_EVENTS
              + "; cut the trace with --from and --length");
    }
    Trace product =
        rule.times() == 1 && rule.shift() == 0 ? trace : new TraceMultiplier(trace, rule).product();
    limit(product, rule.maxRoom());
    return product;
  }

  /// Rejects a trace with a room that has more players than a limit.
  ///
  /// @param maxRoom 0 for no limit
  /// @throws IllegalArgumentException with the room and its size
  public static void limit(Trace trace, int maxRoom) {
    int[] peaks = new Occupancy(trace).peaks();
    for (int room = 0; room < peaks.length; room++) {
      if (maxRoom > 0 && peaks[room] > maxRoom) {
        throw new IllegalArgumentException(
            "room "
                + trace.rooms().get(room)
                + " has "
                + peaks[room]
                + " players at a time, more than --max-room "
                + maxRoom);
      }
    }
  }

  private Trace product() {
    long[] shifts = new long[rule.times()];
    for (int clone = 0; clone < rule.times(); clone++) {
      double part = new TraceRandom(rule.seed(), SHIFTS, clone).uniform();
      shifts[clone] = clone == 0 ? 0 : (long) (part * (rule.shift() + 1)) % trace.millis();
      clone(clone, shifts[clone]);
    }
    if (rule.mix() > 0 && rule.times() > 1) {
      mix();
    }
    return new Trace(
        trace.header().with("times", Integer.toString(rule.times())),
        trace.millis(),
        names(trace.players()),
        names(trace.rooms()),
        sessions,
        stays,
        messages);
  }

  private List<String> names(List<String> originals) {
    List<String> names = new ArrayList<>();
    for (int clone = 0; clone < rule.times(); clone++) {
      for (String name : originals) {
        names.add(name + "." + clone);
      }
    }
    return names;
  }

  private void clone(int clone, long shift) {
    int firstPlayer = clone * players;
    int firstRoom = clone * rooms;
    long end = trace.millis();
    Intervals<Integer> online = new Intervals<>();
    for (Session session : trace.sessions()) {
      online.addWrapped(
          firstPlayer + session.player(), session.from() + shift, session.until() + shift, end);
    }
    sessions.addAll(Intervals.sessions(online));
    Intervals<Intervals.Place> inRooms = new Intervals<>();
    for (Stay stay : trace.stays()) {
      Intervals.Place place =
          new Intervals.Place(firstPlayer + stay.player(), firstRoom + stay.room());
      inRooms.addWrapped(place, stay.from() + shift, stay.until() + shift, end);
    }
    stays.addAll(Intervals.stays(inRooms));
    for (Message said : trace.messages()) {
      messages.add(
          new Message(
              (said.millis() + shift) % end,
              firstPlayer + said.player(),
              (said.direct() ? firstPlayer : firstRoom) + said.place(),
              said.direct(),
              said.bytes()));
    }
  }

  /// Exchanges each second stay between two clones of a player, with what was said in it. Each stay
  /// remains, so that no room changes its size.
  private void mix() {
    Map<Integer, Integer> partners = partners();
    Map<Integer, List<Stay>> moved = new HashMap<>();
    Map<Integer, Integer> counts = new HashMap<>();
    Intervals<Integer> online = new Intervals<>();
    stays.replaceAll(stay -> {
      Integer partner = partners.get(stay.player());
      if (partner == null || counts.merge(stay.player(), 1, Integer::sum) % 2 == 1) {
        return stay;
      }
      moved.computeIfAbsent(stay.player(), any -> new ArrayList<>()).add(stay);
      online.add(partner, stay.from(), stay.until());
      return new Stay(partner, stay.room(), stay.from(), stay.until());
    });
    messages.replaceAll(said -> {
      boolean isMoved =
          !said.direct()
              && moved.getOrDefault(said.player(), List.of()).stream()
                  .anyMatch(stay -> stay.room() == said.place() && stay.covers(said.millis()));
      Integer partner = isMoved ? partners.get(said.player()) : null;
      return partner == null
          ? said
          : new Message(said.millis(), partner, said.place(), false, said.bytes());
    });
    List<Session> rest = new ArrayList<>();
    for (Session session : sessions) {
      if (online.has(session.player())) {
        online.add(session.player(), session.from(), session.until());
      } else {
        rest.add(session);
      }
    }
    sessions.clear();
    sessions.addAll(rest);
    sessions.addAll(Intervals.sessions(online));
  }

  /// Neighbouring clones of the chosen players, both ways.
  private Map<Integer, Integer> partners() {
    Map<Integer, Integer> partners = new HashMap<>();
    for (int player = 0; player < players; player++) {
      if (new TraceRandom(rule.seed(), MIXED, player).uniform() < rule.mix()) {
        for (int clone = 0; clone + 1 < rule.times(); clone += 2) {
          partners.put(clone * players + player, (clone + 1) * players + player);
          partners.put((clone + 1) * players + player, clone * players + player);
        }
      }
    }
    return partners;
  }
}
