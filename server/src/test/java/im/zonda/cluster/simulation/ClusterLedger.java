package im.zonda.cluster.simulation;

import im.zonda.cluster.frame.Delivery;
import im.zonda.cluster.frame.Origin;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What clients have sent, what was promised to them and what they got; checks the promises.
final class ClusterLedger {
  /// Lines of the trace that are kept.
  private static final int LINES = 80;

  /// A message that a client has sent.
  static final class Message {
    final String text;
    final String session;
    final long number;
    final String from;
    final String to;
    final boolean room;
    boolean acknowledged;
    boolean delivered;

    /// Whether it came back from processes that the cluster had gone on without.
    boolean replayed;

    /// Its client does not know any more whether the server has it.
    boolean abandoned;

    Message(String session, long number, String from, String to, boolean room, int id) {
      this.text = "m" + id;
      this.session = session;
      this.number = number;
      this.from = from;
      this.to = to;
      this.room = room;
    }

    @Override
    public String toString() {
      return text + " from " + session + " no. " + number + " to " + to;
    }
  }

  /// A promise that was broken.
  static final class Violation extends AssertionError {
    private static final long serialVersionUID = 1L;
    final String invariant;

    Violation(String invariant, String text) {
      super(invariant + ": " + text);
      this.invariant = invariant;
    }
  }

  /// What a session has received.
  private static final class Session {
    boolean bound;
    boolean over;
    final Set<String> texts = new HashSet<>();
    final Map<String, Long> last = new HashMap<>();
    final Map<String, Long> rooms = new HashMap<>();
  }

  private final Agenda agenda;
  private final boolean traced;
  private final Deque<String> trace = new ArrayDeque<>();
  private final Map<String, Message> messages = new LinkedHashMap<>();
  private final Map<String, Session> sessions = new HashMap<>();
  private final Map<Origin, String> roomOrder = new HashMap<>();
  private final Map<String, Long> roomEnds = new HashMap<>();
  private int acknowledged;

  /// Whether sessions may be lost, because more has failed than the cluster can bear.
  boolean sessionsMayBeLost;

  /// Set by the simulation: how many processes, or the database, have a message.
  private @Nullable CopyCount copies;

  /// Counts the copies of a message that has been acknowledged.
  interface CopyCount {
    /// The problem with them; null if there is none.
    @Nullable String problem(Message message);
  }

  ClusterLedger(Agenda agenda, boolean traced) {
    this.agenda = agenda;
    this.traced = traced;
  }

  void countCopies(CopyCount count) {
    copies = count;
  }

  void note(Object what, Object detail) {
    if (traced) {
      trace.add(agenda.now() + " " + what + " " + detail);
      if (trace.size() > LINES) {
        trace.remove();
      }
    }
  }

  String trace() {
    return String.join("\n", trace);
  }

  int acknowledgements() {
    return acknowledged;
  }

  void check(boolean holds, String invariant, Supplier<String> text) {
    if (!holds) {
      throw new Violation(invariant, text.get());
    }
  }

  // ---- sessions

  void begins(SimulatedClient client, String session) {
    note(client, "begins");
    sessions.put(session, new Session());
  }

  void bound(String session) {
    session(session).bound = true;
  }

  boolean isBinding(@Nullable String session) {
    return session != null && !session(session).bound;
  }

  /// The client has ended or forgotten it.
  void over(String session) {
    session(session).over = true;
  }

  /// The server says that there is no such session.
  ///
  /// @param replaced whether another one of the same resource may have replaced it
  void sessionLost(String session, boolean replaced) {
    check(
        sessionsMayBeLost || replaced || session(session).over || !session(session).bound,
        "I1",
        () -> "the session " + session + " is lost");
  }

  private Session session(String id) {
    return sessions.computeIfAbsent(id, _ -> new Session());
  }

  // ---- messages

  Message send(String session, long number, String from, String to, boolean room) {
    Message message = new Message(session, number, from, to, room, messages.size() + 1);
    messages.put(message.text, message);
    note("sends", message);
    return message;
  }

  void acknowledged(Message message) {
    message.acknowledged = true;
    acknowledged++;
    String problem = message.delivered || copies == null ? null : copies.problem(message);
    check(problem == null, "I1", () -> message + " is acknowledged: " + problem);
  }

  void delivered(SimulatedClient client, String session, Delivery delivery) {
    Origin origin = delivery.stanza().origin();
    String text = delivery.stanza().bytes().text();
    Message message = messages.get(text);
    note(client.user + " receives " + delivery.number(), text + " " + origin);
    check(message != null, "I2", () -> "unknown message " + text);
    if (message == null) {
      return;
    }
    Session in = session(session);
    boolean first = in.texts.add(text);
    boolean replayed = origin.source().startsWith("replay:");
    if (replayed) {
      message.replayed = true;
    }
    check(first || message.replayed, "I2", () -> message + " comes twice in " + session);
    if (message.room) {
      reflected(in, session, origin, text);
    } else if (!message.replayed && !message.delivered && client.isAlone()) {
      long last = in.last.getOrDefault(message.session, 0L);
      check(
          message.number > last,
          "I2",
          () -> message + " comes after no. " + last + " in " + session);
      in.last.put(message.session, message.number);
    }
    message.delivered = true;
  }

  private void reflected(Session in, String session, Origin origin, String text) {
    String before = roomOrder.putIfAbsent(origin, text);
    check(
        before == null || before.equals(text),
        "I2",
        () -> origin + " of the room is " + before + " and " + text);
    Long last = in.rooms.put(origin.source(), origin.number());
    check(
        last == null || origin.number() == last + 1,
        "I2",
        () -> session + " gets no. " + origin.number() + " of the room after " + last);
    roomEnds.merge(origin.source(), origin.number(), Math::max);
  }

  /// A message was stored.
  ///
  /// @param tooLate whether the user had fetched after the home asked for it
  void stored(String owner, boolean tooLate) {
    check(!tooLate, "I5", () -> "stored for " + owner + " after the user has fetched");
  }

  /// Nothing happens any more, all users are there and have got everything.
  void checkEnd(List<SimulatedClient> clients) {
    List<String> lost = new ArrayList<>();
    for (Message message : messages.values()) {
      if (message.acknowledged && !message.delivered && !message.room) {
        lost.add(message.toString());
      }
    }
    check(lost.isEmpty(), "I1", () -> "acknowledged and lost: " + lost);
    for (SimulatedClient client : clients) {
      String session = client.session();
      if (session != null) {
        session(session)
            .rooms
            .forEach((room, last) ->
                check(
                    last.equals(roomEnds.get(room)),
                    "I1",
                    () -> session + " has " + last + " of " + roomEnds + " in the room"));
      }
    }
  }
}
