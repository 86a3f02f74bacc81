package im.zonda.bench.trace;

import im.zonda.bench.trace.Trace.Message;
import im.zonda.bench.trace.Trace.Session;
import im.zonda.bench.trace.Trace.Stay;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Divides the times of a trace. Milliseconds are rounded down; no interval becomes empty, and each
/// message remains within its stay.
final class TraceSpeed {
  private final Trace trace;
  private final double speed;
  private final long millis;
  private final Map<Intervals.Place, List<Stay>> stays = new HashMap<>();

  private TraceSpeed(Trace trace, double speed) {
    this.trace = trace;
    this.speed = speed;
    this.millis = Math.max(1, (long) (trace.millis() / speed));
    for (Stay stay : trace.stays()) {
      stays
          .computeIfAbsent(
              new Intervals.Place(stay.player(), stay.room()), any -> new ArrayList<>())
          .add(stay);
    }
  }

  /// The trace with all times divided.
  static Trace divide(Trace trace, double speed) {
    return speed == 1 ? trace : new TraceSpeed(trace, speed).divided();
  }

  private long begin(long from) {
    return Math.min(millis - 1, (long) (from / speed));
  }

  private long end(long from, long until) {
    return until == trace.millis()
        ? millis
        : Math.min(millis, Math.max(begin(from) + 1, (long) (until / speed)));
  }

  private Trace divided() {
    Intervals<Integer> online = new Intervals<>();
    for (Session session : trace.sessions()) {
      online.add(session.player(), begin(session.from()), end(session.from(), session.until()));
    }
    Intervals<Intervals.Place> inRooms = new Intervals<>();
    for (Stay stay : trace.stays()) {
      inRooms.add(
          new Intervals.Place(stay.player(), stay.room()),
          begin(stay.from()),
          end(stay.from(), stay.until()));
    }
    List<Message> messages = new ArrayList<>();
    for (Message said : trace.messages()) {
      messages.add(
          new Message(time(said), said.player(), said.place(), said.direct(), said.bytes()));
    }
    return trace.with(millis, Intervals.sessions(online), Intervals.stays(inRooms), messages);
  }

  private long time(Message said) {
    long time = begin(said.millis());
    if (!said.direct()) {
      for (Stay stay :
          stays.getOrDefault(new Intervals.Place(said.player(), said.place()), List.of())) {
        if (stay.covers(said.millis())) {
          return Math.min(time, end(stay.from(), stay.until()) - 1);
        }
      }
    }
    return time;
  }
}
