package im.zonda.bench.scenario.occupant;

import im.zonda.bench.trace.Trace;
import im.zonda.bench.trace.Trace.Message;
import im.zonda.bench.trace.Trace.Session;
import im.zonda.bench.trace.Trace.Stay;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A trace by player and room. All processes of a run have the same.
final class Timetable {
  /// A message that is due shorter before a departure may reach the room after it, in milliseconds.
  static final long BEFORE_DEPARTURE = 10_000;

  private record Place(int player, int room) {}

  private final Trace trace;
  private final long[][] saidIn;
  private final int[] senderPlaces;
  private final int[] sizes;
  private final Map<Integer, long[]> sentTo = new HashMap<>();
  private final List<List<Session>> sessions = new ArrayList<>();
  private final List<List<Stay>> stays = new ArrayList<>();

  Timetable(Trace trace) {
    this.trace = trace;
    int players = trace.players().size();
    for (int player = 0; player < players; player++) {
      sessions.add(new ArrayList<>(1));
      stays.add(new ArrayList<>(1));
    }
    trace.sessions().forEach(session -> sessions.get(session.player()).add(session));
    sizes = new int[trace.rooms().size()];
    Map<Place, Integer> places = new HashMap<>();
    for (Stay stay : trace.stays()) {
      stays.get(stay.player()).add(stay);
      if (!places.containsKey(new Place(stay.player(), stay.room()))) {
        places.put(new Place(stay.player(), stay.room()), sizes[stay.room()]++);
      }
    }
    List<Message> messages = trace.messages();
    senderPlaces = new int[messages.size()];
    int[] counts = new int[sizes.length];
    Map<Integer, Integer> direct = new HashMap<>();
    for (int i = 0; i < senderPlaces.length; i++) {
      Message message = messages.get(i);
      if (message.direct()) {
        direct.merge(message.place(), 1, Integer::sum);
      } else {
        senderPlaces[i] = places.getOrDefault(new Place(message.player(), message.place()), -1);
        counts[message.place()]++;
      }
    }
    saidIn = new long[sizes.length][];
    Arrays.setAll(saidIn, room -> new long[counts[room]]);
    direct.forEach((player, count) -> sentTo.put(player, new long[count]));
    fill(messages, counts, direct);
  }

  /// Lists when messages are due, by room and by receiver; the counts become 0.
  private void fill(List<Message> messages, int[] counts, Map<Integer, Integer> direct) {
    for (int i = messages.size() - 1; i >= 0; i--) {
      Message message = messages.get(i);
      long[] times = message.direct() ? sentTo.get(message.place()) : saidIn[message.place()];
      if (times != null) {
        int at =
            message.direct()
                ? direct.merge(message.place(), -1, Integer::sum)
                : --counts[message.place()];
        times[at] = message.millis();
      }
    }
  }

  Trace trace() {
    return trace;
  }

  Message message(int number) {
    return trace.messages().get(number);
  }

  /// Whether there is a message with that number.
  boolean has(int number) {
    return number >= 0 && number < senderPlaces.length;
  }

  /// The place of the sender of a message among all who are ever in its room, from 0.
  int senderPlace(int message) {
    return senderPlaces[message];
  }

  /// The number of players who are ever in a room.
  int visitors(int room) {
    return sizes[room];
  }

  List<Session> sessions(int player) {
    return sessions.get(player);
  }

  List<Stay> stays(int player) {
    return stays.get(player);
  }

  /// The number of messages of a room that are due from a time to another, both included.
  long countSaid(int room, long from, long until) {
    return count(saidIn[room], from, until);
  }

  /// The number of direct messages to a player that are due from a time to another, both included.
  long countSentTo(int player, long from, long until) {
    long[] times = sentTo.get(player);
    return times == null ? 0 : count(times, from, until);
  }

  private static long count(long[] times, long from, long until) {
    return Math.max(0, below(times, until + 1) - below(times, from));
  }

  private static int below(long[] times, long time) {
    int low = 0;
    int high = times.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (times[middle] < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// The last time at which a message is certain to arrive at one who leaves then.
  long certainUntil(long departure) {
    return departure >= trace.millis() ? trace.millis() : departure - BEFORE_DEPARTURE;
  }
}
