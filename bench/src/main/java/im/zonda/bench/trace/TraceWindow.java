package im.zonda.bench.trace;

import im.zonda.bench.trace.Trace.Message;
import im.zonda.bench.trace.Trace.Session;
import im.zonda.bench.trace.Trace.Stay;
import java.util.ArrayList;
import java.util.List;

/// Cuts a part out of a trace, by default the busiest one. Players who are connected and in rooms
/// when the part begins are so from its first millisecond on.
public final class TraceWindow {
  private TraceWindow() {}

  /// The begin of the part with the most received copies, on a grid of seconds; the first one of
  /// several.
  ///
  /// @param length of the part, in milliseconds
  public static long busiest(Trace trace, long length) {
    Occupancy occupancy = new Occupancy(trace);
    int seconds = (int) (trace.millis() / 1_000) + 1;
    long[] copies = new long[seconds];
    for (Message message : trace.messages()) {
      copies[(int) (message.millis() / 1_000)] += occupancy.copies(message);
    }
    int width = (int) Math.min(Math.max(1, length / 1_000), seconds);
    long sum = 0;
    long most = -1;
    int begin = 0;
    for (int second = 0; second < seconds; second++) {
      sum += copies[second] - (second >= width ? copies[second - width] : 0);
      if (second >= width - 1 && sum > most) {
        most = sum;
        begin = second - width + 1;
      }
    }
    return Math.clamp(begin * 1_000L, 0, Math.max(0, trace.millis() - length));
  }

  /// The part.
  ///
  /// @param from in milliseconds
  /// @param length in milliseconds
  /// @throws IllegalArgumentException if the trace has no such part
  public static Trace cut(Trace trace, long from, long length) {
    if (from < 0 || length < 1 || from + length > trace.millis()) {
      throw new IllegalArgumentException(
          "the trace of "
              + trace.millis() / 1e3
              + " s has no part of "
              + length / 1e3
              + " s from "
              + from / 1e3
              + " s on");
    }
    long until = from + length;
    List<Session> sessions = new ArrayList<>();
    for (Session session : trace.sessions()) {
      if (session.from() < until && session.until() > from) {
        sessions.add(
            new Session(
                session.player(),
                Math.max(0, session.from() - from),
                Math.min(length, session.until() - from)));
      }
    }
    List<Stay> stays = new ArrayList<>();
    for (Stay stay : trace.stays()) {
      if (stay.from() < until && stay.until() > from) {
        stays.add(
            new Stay(
                stay.player(),
                stay.room(),
                Math.max(0, stay.from() - from),
                Math.min(length, stay.until() - from)));
      }
    }
    List<Message> messages = new ArrayList<>();
    for (Message message : trace.messages()) {
      if (message.millis() >= from && message.millis() < until) {
        messages.add(
            new Message(
                message.millis() - from,
                message.player(),
                message.place(),
                message.direct(),
                message.bytes()));
      }
    }
    return trace.with(length, sessions, stays, messages);
  }
}
