package im.zonda.module.muc.occupant;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.muc.room.Room.Subject;
import im.zonda.stanza.Message;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The rooms that a session has asked to enter. Confined to the home of the session's account.
final class Visits {
  /// The most rooms; a session with more gets everything unfiltered, and is not recovered in rooms.
  private static final int MOST = 1_000;

  private static final String NONE = "-";

  private final Map<Jid, Visit> byRoom = new HashMap<>(2);
  private boolean mayLackRooms;

  /// How much of the room's answer to the request to enter (XEP-0045, section 7.2.2) the session
  /// has been sent.
  enum Progress {
    /// At most presence of other occupants.
    NONE,
    /// Its own presence, and a part of the history.
    PRESENCE,
    /// All, the subject at last.
    ALL
  }

  /// One room.
  static final class Visit {
    private Progress progress = Progress.NONE;
    private boolean left;

    /// The last stanza id (XEP-0359) that the room has sent; null if there was none.
    private @Nullable String last;

    /// The id of the request that the room has not answered; null if there is none.
    private @Nullable String request;

    /// The number of requests by this home.
    private int requests;

    Progress progress() {
      return progress;
    }

    /// Whether the session has been sent its own presence.
    boolean isEntered() {
      return progress != Progress.NONE;
    }

    /// Whether the session has been sent the history and the subject.
    boolean isComplete() {
      return progress == Progress.ALL;
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

    /// The client has acknowledged the message with that id.
    void setLast(String id) {
      last = id;
    }

    /// Notes a message of the room that the session is sent. The subject ends the answer to the
    /// request to enter; its id is older than those of the history.
    ///
    /// @param id the stanza id that the room has assigned, or null
    /// @return whether the message belongs to that answer
    boolean sent(Message message, @Nullable String id) {
      boolean answer = !isComplete();
      if (answer && Subject.isChangedBy(message)) {
        progress = Progress.ALL;
      } else if (id != null) {
        last = id;
      }
      return answer;
    }

    /// Notes a request to the room for what the session has not been sent.
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

  /// Whether the session was recovered at this home after its node died: it may be in rooms that
  /// are missing here, until its client sends its requests to enter again.
  boolean mayLackRooms() {
    return mayLackRooms;
  }

  void setMayLackRooms() {
    mayLackRooms = true;
  }

  /// Whether the session is in a room, or may be.
  boolean mayBeIn(Jid room) {
    Visit visit = byRoom.get(room);
    return visit == null ? mayLackRooms : !visit.left;
  }

  @Nullable Visit at(Jid room) {
    return byRoom.get(room);
  }

  /// The visit to a room, which begins now if there was none; null if there are too many.
  @Nullable Visit open(Jid room) {
    Visit visit = byRoom.get(room);
    if (visit == null && byRoom.size() < MOST) {
      visit = new Visit();
      byRoom.put(room, visit);
    }
    if (visit != null) {
      visit.left = false;
    }
    return visit;
  }

  /// Notes that the session is sent its own presence in a room. If it becomes unavailable and its
  /// client has not asked for that, the client may have asked to enter again.
  void sentOwnPresence(Jid room, boolean available) {
    Visit visit = byRoom.get(room);
    if (visit == null) {
      return;
    }
    if (available) {
      visit.progress = visit.isEntered() ? visit.progress : Progress.PRESENCE;
    } else if (visit.left) {
      byRoom.remove(room);
    } else {
      byRoom.put(room, new Visit());
    }
  }

  void forEach(BiConsumer<Jid, Visit> action) {
    Map.copyOf(byRoom).forEach(action);
  }

  /// The visits as text: a line for each room. Its first character tells whether the session has
  /// entered; the second is 1 if it has left, and 2 if it has not been sent the whole history.
  String write() {
    StringBuilder text = new StringBuilder(byRoom.size() * 64);
    byRoom.forEach((room, visit) ->
        text.append(visit.isEntered() ? '1' : '0')
            .append(visit.left ? '1' : visit.progress == Progress.PRESENCE ? '2' : '0')
            .append(' ')
            .append(visit.last == null ? NONE : visit.last)
            .append(' ')
            .append(visit.request == null ? NONE : visit.request)
            .append(' ')
            .append(room)
            .append('\n'));
    return text.toString();
  }

  /// Reads the output of [#write], also that of the version before, which did not write 2.
  ///
  /// @throws IllegalArgumentException if it is something else
  static Visits read(String text) {
    Visits visits = new Visits();
    for (String line : text.split("\n", -1)) {
      if (line.isEmpty()) {
        continue;
      }
      String[] fields = line.split(" ", 4);
      if (fields.length != 4 || fields[0].length() != 2) {
        throw new IllegalArgumentException("not the rooms of a session");
      }
      Visit visit = new Visit();
      char second = fields[0].charAt(1);
      if (fields[0].charAt(0) == '1') {
        visit.progress = second == '2' ? Progress.PRESENCE : Progress.ALL;
      }
      visit.left = second == '1';
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
