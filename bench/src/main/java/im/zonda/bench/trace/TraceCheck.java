package im.zonda.bench.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Finds the faults of a trace, all of them and not the first only, with their lines. Memory grows
/// with the players and rooms, not with the events.
public final class TraceCheck {
  private final int maxRoom;
  private final Consumer<String> faults;
  private final Map<String, Set<String>> online = new HashMap<>();
  private final Map<String, Integer> sizes = new HashMap<>();
  private boolean hasJoins;
  private boolean hasLogins;
  private long outside;
  private long count;
  private long last;

  private TraceCheck(int maxRoom, Consumer<String> faults) {
    this.maxRoom = maxRoom;
    this.faults = faults;
  }

  /// Reads a file to its end.
  ///
  /// @param maxRoom the most players that a room may have; 0 for the limit of the header, if any
  /// @param faults gets a sentence with its line for each fault
  /// @return the number of faults
  /// @throws IOException if the file cannot be read, or its header is wrong
  public static long check(Path file, int maxRoom, Consumer<String> faults) throws IOException {
    try (TraceReader reader = TraceReader.open(file)) {
      int limit =
          maxRoom > 0
              ? maxRoom
              : (int) reader.header().whole(TraceHeader.MAX_ROOM, Integer.MAX_VALUE);
      TraceCheck check = new TraceCheck(limit, faults);
      while (check.read(reader)) {
        // Each call takes one line.
      }
      check.header(reader.header());
      return check.count;
    }
  }

  private void fault(String sentence) {
    count++;
    faults.accept(sentence);
  }

  private boolean read(TraceReader reader) throws IOException {
    @Nullable TraceEvent event;
    try {
      event = reader.next();
    } catch (TraceFormatException e) {
      fault(String.valueOf(e.getMessage()));
      return true;
    }
    if (event == null) {
      return false;
    }
    String fault = faultOf(event);
    if (fault != null) {
      fault("line " + reader.line() + ": " + fault);
    }
    return true;
  }

  private @Nullable String faultOf(TraceEvent event) {
    if (event.millis() < last) {
      return "time " + event.millis() + " is before that of the event above, " + last;
    }
    last = event.millis();
    String player = event.player();
    Set<String> rooms = online.get(player);
    return switch (event.kind()) {
      case LOGIN -> {
        hasLogins = true;
        yield online.putIfAbsent(player, new HashSet<>()) == null
            ? null
            : player + " is connected already";
      }
      case LOGOUT -> {
        online.remove(player);
        if (rooms != null) {
          rooms.forEach(room -> sizes.merge(room, -1, Integer::sum));
        }
        yield rooms == null ? player + " is not connected" : null;
      }
      case JOIN -> join(player, event.place());
      case LEAVE -> {
        if (rooms == null || !rooms.remove(event.place())) {
          yield player + " is not in " + event.place();
        }
        sizes.merge(event.place(), -1, Integer::sum);
        yield null;
      }
      case SAY -> say(player, event.place(), rooms);
      case DM ->
          rooms == null && hasLogins ? player + " sends a message and is not connected" : null;
      case NICK, IDLE -> null;
    };
  }

  private @Nullable String join(String player, String room) {
    hasJoins = true;
    boolean isOffline = !online.containsKey(player);
    if (!online.computeIfAbsent(player, name -> new HashSet<>()).add(room)) {
      return player + " is in " + room + " already";
    }
    int size = sizes.merge(room, 1, Integer::sum);
    if (size > maxRoom) {
      return room + " has " + size + " players, more than " + maxRoom;
    }
    return isOffline && hasLogins ? player + " enters " + room + " and is not connected" : null;
  }

  private @Nullable String say(String player, String room, @Nullable Set<String> rooms) {
    if (rooms != null && rooms.contains(room)) {
      return null;
    }
    if (!hasJoins) {
      outside++;
      return null;
    }
    return player + " speaks in " + room + " and is not there";
  }

  private void header(TraceHeader header) {
    if (hasJoins && outside > 0) {
      fault(outside + " messages are before the first join");
    }
    try {
      long millis = header.whole(TraceHeader.LENGTH, Long.MAX_VALUE);
      if (millis <= last) {
        fault("#length=" + millis + " is not after the last event, " + last);
      }
    } catch (IllegalArgumentException e) {
      fault(String.valueOf(e.getMessage()));
    }
  }
}
