package im.zonda.bench.trace;

import im.zonda.bench.trace.Trace.Message;
import im.zonda.bench.trace.Trace.Session;
import im.zonda.bench.trace.Trace.Stay;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Makes intervals of events. A log may lack entries: a message of a player who is not in the room
/// implies an entry 5 seconds before, and a departure some time after the last message; an entry or
/// message of a player who is not connected implies a login.
public final class TraceBuilder {
  /// The time from an implied entry to the message, in milliseconds.
  static final long BEFORE = 5_000;

  private final long linger;
  private final Map<String, Integer> players = new HashMap<>();
  private final Map<String, Integer> rooms = new HashMap<>();
  private final List<String> playerNames = new ArrayList<>();
  private final List<String> roomNames = new ArrayList<>();
  private final List<Presence> presences = new ArrayList<>();
  private final List<Session> sessions = new ArrayList<>();
  private final List<Stay> stays = new ArrayList<>();
  private final List<Message> messages = new ArrayList<>();
  private long last;

  /// An open stay.
  private static final class Open {
    final long from;
    boolean isImplied;
    long spoke;

    Open(long from, boolean isImplied, long spoke) {
      this.from = from;
      this.isImplied = isImplied;
      this.spoke = spoke;
    }
  }

  /// Where a player is.
  private static final class Presence {
    long from = -1;
    boolean isImplied;
    long until;
    long active;
    final Map<Integer, Open> in = new HashMap<>();
    final Map<Integer, Long> left = new HashMap<>();
  }

  /// @param linger milliseconds from the last message to an implied departure
  public TraceBuilder(long linger) {
    this.linger = linger;
  }

  /// Reads a whole file.
  ///
  /// @param linger milliseconds from the last message to an implied departure
  /// @throws TraceFormatException if a line is not in the format
  public static Trace read(Path file, long linger) throws IOException {
    try (TraceReader reader = TraceReader.open(file)) {
      TraceBuilder builder = new TraceBuilder(linger);
      for (TraceEvent event = reader.next(); event != null; event = reader.next()) {
        try {
          builder.add(event);
        } catch (IllegalArgumentException e) {
          throw new TraceFormatException(
              file.toString(), reader.line(), String.valueOf(e.getMessage()));
        }
      }
      return builder.build(reader.header());
    }
  }

  private static int index(Map<String, Integer> indexes, List<String> names, String name) {
    Integer known = indexes.get(name);
    if (known != null) {
      return known;
    }
    indexes.put(name, names.size());
    names.add(name);
    return names.size() - 1;
  }

  private int player(String name) {
    int player = index(players, playerNames, name);
    if (player == presences.size()) {
      presences.add(new Presence());
    }
    return player;
  }

  /// Adds the next event.
  ///
  /// @throws IllegalArgumentException if it is earlier than the one before, or one too many
  public void add(TraceEvent event) {
    if (event.millis() < last) {
      throw new IllegalArgumentException(
          "time " + event.millis() + " is before that of the event above, " + last);
    }
    if (messages.size() + 2L * (stays.size() + sessions.size()) >= Trace.MAX_EVENTS) {
      throw new IllegalArgumentException("more than " + Trace.MAX_EVENTS + " events");
    }
    last = event.millis();
    int player = player(event.player());
    Presence presence = presences.get(player);
    presence.active = last;
    switch (event.kind()) {
      case LOGIN -> logIn(presence, last, false);
      case LOGOUT -> logOut(player, presence, last, false);
      case JOIN -> {
        logIn(presence, last, true);
        join(presence, index(rooms, roomNames, event.place()));
      }
      case LEAVE -> {
        int room = index(rooms, roomNames, event.place());
        Open open = presence.in.remove(room);
        if (open != null) {
          leave(player, presence, room, open, last);
        }
      }
      case SAY -> say(player, presence, index(rooms, roomNames, event.place()), event.bytes());
      case DM -> {
        logIn(presence, Math.max(presence.until, last - BEFORE), true);
        messages.add(new Message(last, player, player(event.place()), true, event.bytes()));
      }
      case NICK, IDLE -> {}
    }
  }

  private static void logIn(Presence presence, long from, boolean isImplied) {
    if (presence.from < 0) {
      presence.from = Math.max(0, from);
      presence.isImplied = isImplied;
    } else if (!isImplied) {
      presence.isImplied = false;
    }
  }

  private static void join(Presence presence, int room, long from, boolean isImplied, long spoke) {
    Open open = presence.in.get(room);
    if (open == null) {
      presence.in.put(room, new Open(from, isImplied, spoke));
    } else if (!isImplied) {
      open.isImplied = false;
    }
  }

  private void join(Presence presence, int room) {
    join(presence, room, last, false, last);
  }

  private void say(int player, Presence presence, int room, int bytes) {
    Open open = presence.in.get(room);
    if (open != null && open.isImplied && last > open.spoke + linger) {
      presence.in.remove(room);
      leave(player, presence, room, open, open.spoke + linger);
      open = null;
    }
    if (open == null) {
      logIn(presence, Math.max(presence.until, last - BEFORE), true);
      long earliest = Math.max(presence.from, presence.left.getOrDefault(room, 0L));
      join(presence, room, Math.max(earliest, last - BEFORE), true, last);
    } else {
      open.spoke = last;
    }
    messages.add(new Message(last, player, room, false, bytes));
  }

  private void leave(int player, Presence presence, int room, Open open, long until) {
    // An interval of no length would hide its messages.
    long end = Math.max(until, open.from + 1);
    stays.add(new Stay(player, room, open.from, end));
    presence.left.merge(room, end, Math::max);
    presence.active = Math.max(presence.active, end);
  }

  private void logOut(int player, Presence presence, long until, boolean isEnd) {
    if (presence.from < 0) {
      return;
    }
    presence.in.forEach((room, open) -> {
      long end = open.isImplied ? Math.min(until, open.spoke + linger) : until;
      leave(player, presence, room, open, end);
    });
    presence.in.clear();
    long end = isEnd && presence.isImplied ? Math.min(until, presence.active) : until;
    end = Math.max(end, presence.from + 1);
    sessions.add(new Session(player, presence.from, end));
    presence.from = -1;
    presence.until = end;
  }

  /// The trace of all events.
  ///
  /// @param header of the file
  /// @throws IllegalArgumentException if there is no event, or the header contradicts them
  public Trace build(TraceHeader header) {
    if (playerNames.isEmpty()) {
      throw new IllegalArgumentException("the trace has no events");
    }
    long millis = header.whole(TraceHeader.LENGTH, last + 1);
    if (millis <= last) {
      throw new IllegalArgumentException(
          "#length=" + millis + " is not after the last event, " + last);
    }
    for (int player = 0; player < presences.size(); player++) {
      logOut(player, presences.get(player), millis, true);
    }
    return new Trace(header, millis, playerNames, roomNames, sessions, stays, messages);
  }
}
