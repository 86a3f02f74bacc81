package im.zonda.module.muc.occupant;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The rooms that a session has asked to enter, or that have sent something to it. Confined to the
/// home of the session's account.
final class Visits {
  /// The most rooms; a session with more gets all their messages unfiltered.
  private static final int MOST = 1_000;

  private static final String NONE = "-";

  private final boolean bound;
  private boolean recovered;
  private final Map<Jid, Visit> byRoom = new HashMap<>(2);

  /// @param bound whether the session was bound at this home, so that all its visits are known
  Visits(boolean bound) {
    this.bound = bound;
  }

  /// One room.
  static final class Visit {
    private boolean entered;
    private boolean left;

    /// The last stanza id (XEP-0359) that the room has sent; null if there was none.
    private @Nullable String last;

    /// The id of the request that the room has not answered; null if there is none.
    private @Nullable String request;

    /// The number of requests by this home.
    private int requests;

    boolean isEntered() {
      return entered;
    }

    /// The session has received its own presence.
    void entered() {
      entered = true;
    }

    /// The client has sent unavailable presence; it may enter again.
    void left() {
      left = true;
    }

    boolean hasLeft() {
      return left;
    }

    @Nullable String last() {
      return last;
    }

    void received(String id) {
      last = id;
    }

    /// Notes a request to the room for messages after the last one.
    void ask(String id) {
      request = id;
      requests++;
    }

    /// The number of requests since the last answer, or since the session is at this home.
    int requests() {
      return requests;
    }

    /// Whether an answer is waited for.
    boolean isCatchingUp() {
      return request != null;
    }

    /// Whether the answer to that request is waited for.
    boolean isWaitingFor(String id) {
      return id.equals(request);
    }

    /// The room has answered, or is no longer asked.
    void answered() {
      request = null;
      requests = 0;
    }
  }

  boolean bound() {
    return bound;
  }

  /// Whether the session was recovered at this home after its node died: it may have entered rooms
  /// that its replica lacks.
  boolean recovered() {
    return recovered;
  }

  void setRecovered() {
    recovered = true;
  }

  @Nullable Visit at(Jid room) {
    return byRoom.get(room);
  }

  /// The visit to a room, which begins now if there was none; null if there are too many.
  @Nullable Visit open(Jid room) {
    Visit visit = byRoom.get(room);
    if (visit == null && byRoom.size() < MOST) {
      visit = new Visit();
      visit.entered = !bound;
      byRoom.put(room, visit);
    }
    if (visit != null) {
      visit.left = false;
    }
    return visit;
  }

  void forEach(BiConsumer<Jid, Visit> action) {
    Map.copyOf(byRoom).forEach(action);
  }

  /// The visits as text: a line for each room.
  String write() {
    StringBuilder text = new StringBuilder(byRoom.size() * 64);
    byRoom.forEach((room, visit) ->
        text.append(visit.entered ? '1' : '0')
            .append(visit.left ? '1' : '0')
            .append(' ')
            .append(visit.last == null ? NONE : visit.last)
            .append(' ')
            .append(visit.request == null ? NONE : visit.request)
            .append(' ')
            .append(room)
            .append('\n'));
    return text.toString();
  }

  /// Reads the output of [#write], for a session that has moved from another node.
  ///
  /// @throws IllegalArgumentException if it is something else
  static Visits read(String text) {
    Visits visits = new Visits(false);
    for (String line : text.split("\n", -1)) {
      if (line.isEmpty()) {
        continue;
      }
      String[] fields = line.split(" ", 4);
      if (fields.length != 4 || fields[0].length() != 2) {
        throw new IllegalArgumentException("not the rooms of a session");
      }
      Visit visit = new Visit();
      visit.entered = fields[0].charAt(0) == '1';
      visit.left = fields[0].charAt(1) == '1';
      visit.last = fields[1].equals(NONE) ? null : fields[1];
      visit.request = fields[2].equals(NONE) ? null : fields[2];
      try {
        visits.byRoom.put(Jid.stored(fields[3]), visit);
      } catch (JidFormatException e) {
        throw new IllegalArgumentException(e);
      }
    }
    return visits;
  }
}
