package im.zonda.bench.trace;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/// A trace in memory, as intervals: when each player is connected, when each player is in a room,
/// and the messages. Times are milliseconds since the beginning; an interval that ends with the
/// trace has no logout or leave in the file.
///
/// @param header lines of the file that are kept
/// @param millis the length
/// @param players names by index
/// @param rooms names by index
/// @param sessions when players are connected
/// @param stays when players are in rooms
/// @param messages sorted by time
public record Trace(
    TraceHeader header,
    long millis,
    List<String> players,
    List<String> rooms,
    List<Session> sessions,
    List<Stay> stays,
    List<Message> messages) {
  /// The most events of a trace in memory.
  public static final int MAX_EVENTS = 8_000_000;

  /// A player is connected from a time until another, which is not part of the session.
  public record Session(int player, long from, long until) {}

  /// A player is in a room from a time until another, which is not part of the stay.
  public record Stay(int player, int room, long from, long until) {
    /// Whether the player is in the room at that time.
    public boolean covers(long time) {
      return from <= time && time < until;
    }
  }

  /// A message.
  ///
  /// @param place the room, or the receiving player
  /// @param direct whether the place is a player
  /// @param bytes the length of the body in UTF-8
  public record Message(long millis, int player, int place, boolean direct, int bytes) {}

  private static final Comparator<TraceEvent> BY_TIME =
      Comparator.comparingLong(TraceEvent::millis)
          .thenComparing(TraceEvent::kind)
          .thenComparing(TraceEvent::player)
          .thenComparing(TraceEvent::place)
          .thenComparingInt(TraceEvent::bytes);

  /// Sorts the messages: by time, player, place, length.
  ///
  /// @throws IllegalArgumentException if the trace has more than [#MAX_EVENTS] events
  public Trace {
    long events = 2L * sessions.size() + 2L * stays.size() + messages.size();
    if (events > MAX_EVENTS) {
      throw new IllegalArgumentException(
          "the trace has up to "
              + events
              + " events, more than "
              + MAX_EVENTS
              + "; cut it with --from and --length");
    }
    List<Message> sorted = new ArrayList<>(messages);
    sorted.sort(
        Comparator.comparingLong(Message::millis)
            .thenComparingInt(Message::player)
            .thenComparingInt(Message::place)
            .thenComparing(Message::direct)
            .thenComparingInt(Message::bytes));
    messages = List.copyOf(sorted);
    players = List.copyOf(players);
    rooms = List.copyOf(rooms);
    sessions = List.copyOf(sessions);
    stays = List.copyOf(stays);
  }

  /// The events, sorted by time, kind, player and place: an order that does not depend on indexes.
  public List<TraceEvent> events() {
    List<TraceEvent> events = new ArrayList<>();
    for (Session session : sessions) {
      String player = players.get(session.player());
      events.add(new TraceEvent(session.from(), EventKind.LOGIN, player, "", 0));
      if (session.until() < millis) {
        events.add(new TraceEvent(session.until(), EventKind.LOGOUT, player, "", 0));
      }
    }
    for (Stay stay : stays) {
      String player = players.get(stay.player());
      String room = rooms.get(stay.room());
      events.add(new TraceEvent(stay.from(), EventKind.JOIN, player, room, 0));
      if (stay.until() < millis) {
        events.add(new TraceEvent(stay.until(), EventKind.LEAVE, player, room, 0));
      }
    }
    for (Message message : messages) {
      events.add(
          new TraceEvent(
              message.millis(),
              message.direct() ? EventKind.DM : EventKind.SAY,
              players.get(message.player()),
              (message.direct() ? players : rooms).get(message.place()),
              message.bytes()));
    }
    events.sort(BY_TIME);
    return events;
  }

  /// Writes the trace.
  ///
  /// @param out is closed
  public void write(OutputStream out) throws IOException {
    TraceHeader full = TraceHeader.of(millis, players.size(), rooms.size());
    for (var line : header.values().entrySet()) {
      if (!full.values().containsKey(line.getKey())) {
        full = full.with(line.getKey(), line.getValue());
      }
    }
    try (TraceWriter writer = new TraceWriter(out, full)) {
      for (TraceEvent event : events()) {
        writer.write(event);
      }
    }
  }

  /// SHA-256 of the trace as it is written, without packing: the name of a load that can be
  /// repeated.
  public String hash() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      write(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java run time has SHA-256", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The same players and rooms with other intervals.
  Trace with(long length, List<Session> moreSessions, List<Stay> moreStays, List<Message> said) {
    return new Trace(header, length, players, rooms, moreSessions, moreStays, said);
  }
}
