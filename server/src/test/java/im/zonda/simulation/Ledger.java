package im.zonda.simulation;

import im.zonda.home.session.LocalSession;
import im.zonda.jid.Jid;
import im.zonda.link.SessionVersion;
import im.zonda.stanza.Message;
import im.zonda.store.StanzaIds;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What was sent and what became of it, as someone sees it who looks over everybody's shoulder. It
/// knows what must not be ([Simulation]) and says so at once.
final class Ledger {

  /// A message, through all attempts to send it.
  static final class Letter {
    final String id;
    final SimulatedClient sender;
    final Jid to;
    final int number;
    final boolean kept;

    /// How often its sender has sent it.
    int attempts;

    /// Entries that are on their way to the disk.
    private int appended;

    /// The log has not taken it; it was refused, or delivered without the log.
    private boolean unlogged;

    private boolean durable;
    private boolean settled;
    private boolean refused;
    private boolean arrived;
    private boolean leftUnmanaged;
    private boolean acknowledged;
    private final Map<SimulatedClient, Set<String>> copies = new HashMap<>();

    private Letter(SimulatedClient sender, Jid to, int number, boolean kept) {
      this.id = sender.name() + "-" + number;
      this.sender = sender;
      this.to = to;
      this.number = number;
      this.kept = kept;
    }

    private boolean safe() {
      return !kept || durable || settled || refused;
    }
  }

  /// A request, through all attempts to send it.
  static final class Question {
    final String id;
    final boolean toServer;
    int attempts;

    /// Whether the session in which it was asked is over.
    boolean abandoned;

    private int answers;
    private boolean read;

    /// How often the one who was asked has sent its answer.
    private int given;

    private Question(String id, boolean toServer) {
      this.id = id;
      this.toServer = toServer;
    }
  }

  /// What a client has read in one session, resumptions included.
  static final class Reading {
    private final Set<String> copies = new HashSet<>();
    private final Set<Letter> letters = new HashSet<>();
    private final Map<String, Integer> latest = new HashMap<>();
    private boolean mayRepeat;

    /// What was read may come a second time from now on.
    void mayRepeat() {
      mayRepeat = true;
    }
  }

  /// A stanza as its client counts it.
  record Counted(String xml, @Nullable Letter letter, @Nullable Question question) {}

  private final Map<String, SessionVersion> versions = new HashMap<>();
  private final Map<String, Letter> letters = new HashMap<>();
  private final Map<String, Question> questions = new HashMap<>();
  private final Map<String, Integer> latest = new HashMap<>();
  private final List<Letter> suspects = new ArrayList<>();
  private final boolean trace;
  private int arrivals;
  private @Nullable AssertionError fault;

  /// @param trace whether all that happens is printed
  Ledger(boolean trace) {
    this.trace = trace;
  }

  /// Something happens.
  void trace(String what) {
    if (trace) {
      System.out.println(what);
    }
  }

  // ---- what must not be

  /// The version of a session never goes back, also over a clean restart.
  void checkVersions(List<LocalSession> sessions) {
    for (LocalSession each : sessions) {
      String id = each.resumptionId();
      SessionVersion now = each.version();
      SessionVersion before = id == null ? null : versions.put(id, now);
      if (before != null && now.resumptions() <= before.resumptions() && !now.covers(before)) {
        throw wrong(each + " is " + now + " after " + before);
      }
    }
  }

  /// Records a fault and returns it as an error to throw. If a task of the server throws it, the
  /// server survives it; [#check] therefore throws the first fault again.
  AssertionError wrong(String what) {
    AssertionError error = new AssertionError(what);
    if (fault == null) {
      fault = error;
    }
    return error;
  }

  /// The first fault; `later` if there was none.
  Throwable first(Throwable later) {
    return fault == null ? later : fault;
  }

  /// Throws the first fault, if there was one.
  void check() {
    if (fault != null) {
      throw fault;
    }
  }

  // ---- what clients send

  Letter letter(SimulatedClient sender, Jid to, int number, boolean kept) {
    Letter letter = new Letter(sender, to, number, kept);
    letters.put(letter.id, letter);
    return letter;
  }

  Question question(String id, boolean toServer) {
    Question question = new Question(id, toServer);
    questions.put(id, question);
    return question;
  }

  // ---- what the store does

  private @Nullable Letter of(SimulatedLog.Row row) {
    // The sender's own copy is not what the receiver gets.
    return row.waiting() ? letters.get(String.valueOf(row.entry().message().id())) : null;
  }

  void appended(SimulatedLog.Row row) {
    Letter letter = of(row);
    if (letter != null) {
      letter.appended++;
    }
  }

  /// The log is full.
  void unlogged(SimulatedLog.Row row) {
    Letter letter = of(row);
    if (letter != null) {
      letter.unlogged = true;
    }
  }

  /// The process is gone, and with it what was not durable, and errors that nobody has read.
  void crashed() {
    letters.values().forEach(letter -> letter.appended = 0);
    questions.values().forEach(question -> question.abandoned = true);
    suspects.forEach(letter -> letter.refused = true);
    suspects.clear();
  }

  void durable(SimulatedLog.Row row) {
    Letter letter = of(row);
    if (letter != null) {
      letter.appended--;
      letter.durable = true;
    }
  }

  /// The server says that the entry has been delivered.
  void settled(SimulatedLog.Row row) {
    Letter letter = of(row);
    if (letter == null) {
      return;
    }
    if (!letter.arrived && !letter.leftUnmanaged) {
      throw wrong("the cursor passes " + letter.id + ", which has reached nobody");
    }
    letter.settled = true;
  }

  /// An entry turns out to be at fault: the server must tell its sender.
  void refusedByStore(SimulatedLog.Row row) {
    Letter letter = of(row);
    if (letter != null) {
      letter.appended--;
    }
  }

  // ---- what the server does

  /// An error for a message has reached its sender's home.
  void refused(@Nullable String id) {
    Letter letter = letters.get(String.valueOf(id));
    if (letter != null) {
      letter.refused = true;
    }
  }

  /// The message has left on a stream without stream management: no more can be known.
  void leftUnmanaged(Message message) {
    Letter letter = letters.get(String.valueOf(message.id()));
    if (letter != null) {
      letter.leftUnmanaged = true;
    }
  }

  /// The server tells a client that it has handled `h` stanzas.
  void counts(SimulatedClient.Managed session, long h) {
    if (h > session.sent.size()) {
      throw wrong("the server has handled " + h + " stanzas of " + session.sent.size());
    }
    for (; session.checked < h; session.checked++) {
      Letter letter = session.sent.get(session.checked).letter();
      if (letter == null || letter.safe()) {
        continue;
      }
      if (letter.appended > 0) {
        throw wrong("h covers " + letter.id + ", which is not durable");
      }
      // It must have been refused, and the error be on its way.
      suspects.add(letter);
    }
  }

  /// A stanza is written to a stream that is not managed (yet).
  void mayGetLost(@Nullable String id) {
    Question question = questions.get(String.valueOf(id));
    if (question != null) {
      question.abandoned = true;
    }
  }

  // ---- what clients read

  /// A client has read the server's count: what it covers it forgets.
  void acknowledged(Counted counted) {
    if (counted.letter() != null) {
      counted.letter().acknowledged = true;
    }
  }

  /// A client has read a message.
  void arrived(SimulatedClient receiver, Reading session, Element message) {
    String id = String.valueOf(message.attribute("id"));
    Letter letter = letters.get(id);
    if (letter == null) {
      throw wrong("nobody has sent " + message);
    }
    letter.arrived = true;
    arrivals++;
    Element stanzaId = message.child(StanzaIds.NAME);
    String copy = stanzaId == null ? "none " + arrivals : String.valueOf(stanzaId.attribute("id"));
    if (!session.copies.add(copy) && !session.mayRepeat) {
      throw wrong(id + " comes twice in one session of " + receiver.name());
    }
    Set<String> copies = letter.copies.computeIfAbsent(receiver, client -> new HashSet<>());
    boolean first = copies.isEmpty();
    if (receiver.isAlone() && letter.attempts == 1) {
      checkOrder(session, letter);
    }
    if (copies.add(copy) && copies.size() > letter.attempts) {
      throw wrong(
          id + ", sent " + letter.attempts + " times, came as " + copies.size() + " messages");
    }
    // What was lost on a stream without stream management may come in a later session, because the
    // server was killed before it was durable that it had left.
    if (first && inOrder(letter) && !letter.leftUnmanaged && receiver.isAlone()) {
      checkOrder(latest, letter);
    }
  }

  private void checkOrder(Reading session, Letter letter) {
    if (session.letters.add(letter) && inOrder(letter) && !session.mayRepeat) {
      checkOrder(session.latest, letter);
    }
  }

  private void checkOrder(Map<String, Integer> lastOfPair, Letter letter) {
    String pair = letter.sender.name() + ">" + letter.to;
    int before = lastOfPair.getOrDefault(pair, 0);
    if (letter.number < before) {
      throw wrong(letter.id + " comes after " + before);
    }
    lastOfPair.put(pair, letter.number);
  }

  /// Whether its order says anything: not if it was refused, or was delivered without the log, and
  /// may have been sent again later.
  private static boolean inOrder(Letter letter) {
    return letter.kept && !letter.unlogged && !letter.refused;
  }

  /// A client has read a request of another one.
  void asked(@Nullable String id) {
    Question question = questions.get(String.valueOf(id));
    if (question != null) {
      question.read = true;
    }
  }

  /// A client sends its answer to a request of another one.
  void answers(@Nullable String id) {
    Question question = questions.get(String.valueOf(id));
    if (question != null) {
      question.given++;
    }
  }

  /// A client has read an answer to its request.
  void answered(@Nullable String id) {
    Question question = questions.get(String.valueOf(id));
    if (question == null) {
      return;
    }
    question.answers++;
    // Who has read a request and loses its session may have answered it, and the server answers
    // too.
    int most = question.attempts + question.given;
    if (question.answers > most) {
      throw wrong(id + " is answered " + question.answers + " times");
    }
  }

  // ---- the end

  /// All clients have come back; nobody has logged out.
  ///
  /// @param room whether what one client asks another has always found room
  void allAnswered(boolean room) {
    List<String> wrong = new ArrayList<>();
    for (Question question : questions.values()) {
      boolean due = !question.abandoned && (question.toServer || (room && !question.read));
      if (due && question.attempts > 0 && question.answers == 0) {
        wrong.add(question.id + " was never answered");
      }
    }
    say(wrong);
  }

  /// All clients have come back and have read all there was.
  void close() {
    List<String> wrong = new ArrayList<>();
    for (Letter letter : suspects) {
      if (!letter.safe()) {
        wrong.add("h covers " + letter.id + ", which was neither kept nor refused");
      }
    }
    for (Letter letter : letters.values()) {
      boolean gone = letter.leftUnmanaged || letter.refused || letter.arrived;
      if (letter.kept && letter.acknowledged && !gone) {
        wrong.add(letter.id + " was acknowledged and is lost");
      }
    }
    say(wrong);
  }

  private static void say(List<String> wrong) {
    if (!wrong.isEmpty()) {
      throw new AssertionError(String.join("; ", wrong));
    }
  }

  /// Copies of messages that clients have read.
  int arrivals() {
    return arrivals;
  }

  /// Messages that were acknowledged.
  long acknowledgements() {
    return letters.values().stream().filter(letter -> letter.acknowledged).count();
  }
}
