package im.zonda.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.jid.Jid;
import im.zonda.simulation.Ledger.Counted;
import im.zonda.simulation.Ledger.Letter;
import im.zonda.simulation.Ledger.Question;
import im.zonda.xml.Element;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlLimits;
import im.zonda.xml.framing.Frame;
import im.zonda.xml.framing.FrameHandler;
import im.zonda.xml.framing.XmppFramer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A client that keeps all the rules: it counts what it reads and sends, acknowledges rightly,
/// resumes if it can, and sends again what the server has not acknowledged.
///
/// The person behind it never loses what the client has read.
final class SimulatedClient {
  private static final String SM = "urn:xmpp:sm:3";
  private static final String HEADER =
      "<?xml version='1.0'?><stream:stream xmlns='jabber:client'"
          + " xmlns:stream='http://etherx.jabber.org/streams' version='1.0' to='example.org'>";

  /// What a client does of stream management.
  enum Kind {
    RESUMABLE,
    MANAGED,
    UNMANAGED
  }

  /// How far it has come on its connection.
  enum Step {
    OFFLINE,
    OPENING,
    AUTHENTICATING,
    REOPENING,
    RESUMING,
    BINDING,
    ENABLING,
    READY,
    LEAVING
  }

  /// A session with stream management, as its client knows it.
  static final class Managed {
    @Nullable String id;
    final Ledger.Reading seen;

    /// All stanzas ever sent in it.
    final List<Counted> sent = new ArrayList<>();

    /// What the server acknowledges of them.
    int acknowledged;

    /// How far the ledger has looked at what the server acknowledges.
    int checked;

    /// The stanzas that were read.
    long handled;

    /// Whether what is sent again within the session counts as sent once more.
    boolean sendsAnew;

    private Managed(Ledger.Reading seen) {
      this.seen = seen;
    }

    List<Counted> unacknowledged() {
      return sent.subList(acknowledged, sent.size());
    }
  }

  private final Ledger ledger;
  private final Jid jid;
  private final Kind kind;
  private final boolean alone;
  private int priority;
  private @Nullable SimulatedConnection connection;
  private Step step = Step.OFFLINE;
  private XmppFramer framer = newFramer();
  private boolean reopened;
  private @Nullable Managed managed;
  private Ledger.Reading seen = new Ledger.Reading();
  private final List<Letter> again = new ArrayList<>();
  private boolean lazy;
  private boolean owesAnswer;
  private int letters;
  private int questions;

  /// @param alone whether its account has no other client
  SimulatedClient(Ledger ledger, Jid jid, Kind kind, int priority, boolean alone) {
    this.ledger = ledger;
    this.jid = jid;
    this.kind = kind;
    this.priority = priority;
    this.alone = alone;
  }

  String name() {
    return jid.local() + "." + jid.resource();
  }

  Jid jid() {
    return jid;
  }

  boolean isAlone() {
    return alone;
  }

  boolean isManaged() {
    return kind != Kind.UNMANAGED;
  }

  Step step() {
    return step;
  }

  boolean isReady() {
    return step == Step.READY;
  }

  @Nullable SimulatedConnection connection() {
    return connection;
  }

  boolean canResume() {
    return managed != null && managed.id != null;
  }

  /// Whether the server has not acknowledged all that was sent.
  boolean waitsForServer() {
    return !again.isEmpty() || (managed != null && !managed.unacknowledged().isEmpty());
  }

  // ---- connections

  /// Comes online by a new connection; an old one is left to itself.
  void connect(SimulatedConnection fresh) {
    connection = fresh;
    step = Step.OPENING;
    framer = newFramer();
    reopened = false;
    owesAnswer = false;
    raw(HEADER);
  }

  /// Its connection is gone, or it gives it up.
  void offline() {
    connection = null;
    if (step == Step.LEAVING || !canResume()) {
      forgetSession();
    }
    step = Step.OFFLINE;
  }

  /// Does not want its old session back.
  void forgetSession() {
    Managed old = managed;
    managed = null;
    if (old == null) {
      return;
    }
    int at = 0;
    for (Counted counted : old.unacknowledged()) {
      if (counted.letter() != null && !again.contains(counted.letter())) {
        again.add(at++, counted.letter());
      }
    }
    for (Counted counted : old.sent) {
      if (counted.question() != null) {
        counted.question().abandoned = true;
      }
    }
  }

  // ---- what it does when it is online

  void say(Jid to, String type, boolean kept) {
    Letter letter = ledger.letter(this, to, ++letters, kept);
    post(letter, type);
  }

  private void post(Letter letter, String type) {
    letter.attempts++;
    String hint = letter.kept ? "" : "<no-store xmlns='urn:xmpp:hints'/>";
    stanza(
        "<message to='"
            + letter.to
            + "' type='"
            + type
            + "' id='"
            + letter.id
            + "'><body>b</body>"
            + hint
            + "</message>",
        letter,
        null);
  }

  /// @param other whom to ask; null asks the server
  void ask(@Nullable SimulatedClient other) {
    Jid to = other == null ? null : other.jid;
    Question question = ledger.question(name() + "?" + ++questions, to == null);
    question.attempts++;
    // Without stream management it may get lost on the way unnoticed.
    question.abandoned = managed == null || (other != null && !other.isManaged());
    String addressee = to == null ? "" : " to='" + to + "'";
    stanza(
        "<iq type='get' id='"
            + question.id
            + "'"
            + addressee
            + "><ping xmlns='urn:xmpp:ping'/></iq>",
        null,
        question);
  }

  void presence(@Nullable Jid to) {
    String addressee = to == null ? "" : " to='" + to + "'";
    stanza(
        "<presence" + addressee + "><priority>" + priority + "</priority></presence>", null, null);
  }

  void priority(int newPriority) {
    priority = newPriority;
  }

  void clientState(boolean active) {
    raw("<" + (active ? "active" : "inactive") + " xmlns='urn:xmpp:csi:0'/>");
  }

  /// Asks the server what it has handled.
  void request() {
    if (managed != null) {
      raw("<r xmlns='" + SM + "'/>");
    }
  }

  /// Tells the server what it has handled.
  void acknowledge() {
    if (managed != null) {
      owesAnswer = false;
      raw("<a xmlns='" + SM + "' h='" + (managed.handled & 0xffff_ffffL) + "'/>");
    }
  }

  /// Whether it takes its time to answer the server's questions.
  void lazy(boolean now) {
    lazy = now;
  }

  boolean owesAnswer() {
    return owesAnswer;
  }

  /// Ends the stream in the proper way, and with it the session.
  void logOut() {
    raw("</stream:stream>");
    step = Step.LEAVING;
  }

  private void stanza(String xml, @Nullable Letter letter, @Nullable Question question) {
    // The server counts from where it is asked to.
    Managed counting = step == Step.ENABLING ? Objects.requireNonNull(connection).managed : managed;
    if (counting != null) {
      counting.sent.add(new Counted(xml, letter, question));
    }
    raw(xml);
  }

  private void raw(String xml) {
    if (xml.startsWith("<iq type='result' id='")) {
      ledger.answers(xml.substring(22, xml.indexOf('\'', 22)));
    }
    ledger.trace(name() + " >> " + xml);
    Objects.requireNonNull(connection).fromClient(xml.getBytes(UTF_8));
  }

  // ---- what it reads

  /// The server was stopped and could not write: what was read may come a second time in the
  /// session, and what is sent again may have been stored.
  void couldNotBeStored() {
    seen.mayRepeat();
    if (managed != null) {
      managed.sendsAnew = true;
    }
  }

  /// Reads what has come.
  void read(byte[] bytes) {
    if (bytes.length == 0) {
      offline();
      return;
    }
    ledger.trace(name() + " << " + new String(bytes, UTF_8));
    try {
      framer.feed(bytes, 0, bytes.length);
      if (reopened) {
        framer = newFramer();
        reopened = false;
      }
    } catch (XmlException e) {
      throw new AssertionError("the server writes nonsense: " + new String(bytes, UTF_8), e);
    }
  }

  private XmppFramer newFramer() {
    return new XmppFramer(XmlLimits.CLIENT, new Frames());
  }

  private void element(Element element) {
    switch (element.name().name()) {
      case "features" -> features();
      case "success" -> {
        step = Step.REOPENING;
        reopened = true;
        raw(HEADER);
      }
      case "failure" -> offline();
      case "enabled" -> enabled(element);
      case "resumed" -> resumed(element);
      case "failed" -> failed(element);
      case "r" -> {
        owesAnswer = true;
        if (!lazy && step == Step.READY) {
          acknowledge();
        }
      }
      case "a" -> counted(element);
      case "message", "presence", "iq" -> stanza(element);
      case "error" -> {}
      default -> throw new AssertionError("unexpected: " + element);
    }
  }

  private void features() {
    if (step == Step.OPENING) {
      step = Step.AUTHENTICATING;
      String plain = "\0" + jid.local() + "\0secret";
      raw(
          "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>"
              + Base64.getEncoder().encodeToString(plain.getBytes(UTF_8))
              + "</auth>");
    } else if (managed != null && managed.id != null) {
      step = Step.RESUMING;
      Objects.requireNonNull(connection).managed = managed;
      raw(
          "<resume xmlns='"
              + SM
              + "' previd='"
              + managed.id
              + "' h='"
              + (managed.handled & 0xffff_ffffL)
              + "'/>");
    } else {
      bind();
    }
  }

  private void bind() {
    step = Step.BINDING;
    raw(
        "<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>"
            + jid.resource()
            + "</resource></bind></iq>");
  }

  private void bound(Element answer) {
    if (!"result".equals(answer.attribute("type"))) {
      offline();
      return;
    }
    seen = new Ledger.Reading();
    if (kind == Kind.UNMANAGED) {
      begin();
    } else {
      step = Step.ENABLING;
      Objects.requireNonNull(connection).managed = new Managed(seen);
      raw("<enable xmlns='" + SM + "'" + (kind == Kind.RESUMABLE ? " resume='1'" : "") + "/>");
    }
  }

  private void enabled(Element element) {
    managed = Objects.requireNonNull(connection).managed;
    Objects.requireNonNull(managed).id = element.attribute("id");
    begin();
  }

  private void begin() {
    step = Step.READY;
    presence(null);
    List<Letter> letters = List.copyOf(again);
    again.clear();
    letters.forEach(letter -> post(letter, "chat"));
  }

  private void resumed(Element element) {
    step = Step.READY;
    counted(element);
    for (Counted counted : Objects.requireNonNull(managed).unacknowledged()) {
      if (counted.letter() != null && managed.sendsAnew) {
        counted.letter().attempts++;
      }
      if (counted.question() != null) {
        counted.question().attempts++;
      }
      raw(counted.xml());
    }
  }

  private void failed(Element element) {
    if (step != Step.RESUMING) {
      throw new AssertionError("unexpected: " + element);
    }
    if (element.attribute("h") != null) {
      counted(element);
    }
    forgetSession();
    Objects.requireNonNull(connection).managed = null;
    bind();
  }

  private void counted(Element element) {
    Managed session = managed;
    if (session == null) {
      return;
    }
    long h = Long.parseLong(Objects.requireNonNull(element.attribute("h")));
    if (h > session.sent.size()) {
      throw new AssertionError(name() + " has sent " + session.sent.size() + ", not " + h);
    }
    for (; session.acknowledged < h; session.acknowledged++) {
      ledger.acknowledged(session.sent.get(session.acknowledged));
    }
  }

  private void stanza(Element element) {
    if (step == Step.BINDING && "bind".equals(element.attribute("id"))) {
      bound(element);
      return;
    }
    if (managed != null && (step == Step.READY || step == Step.LEAVING)) {
      managed.handled++;
    }
    String type = element.attribute("type");
    String id = element.attribute("id");
    boolean error = "error".equals(type);
    switch (element.name().name()) {
      case "message" -> {
        if (!error) {
          ledger.arrived(this, seen, element);
        }
      }
      case "iq" -> {
        if (error || "result".equals(type)) {
          ledger.answered(id);
        } else {
          ledger.asked(id);
          if (step == Step.LEAVING) {
            return;
          }
          stanza(
              "<iq type='result' id='" + id + "' to='" + element.attribute("from") + "'/>",
              null,
              null);
        }
      }
      default -> {}
    }
  }

  private final class Frames implements FrameHandler {
    @Override
    public void onStreamOpen(StreamHeader header) {}

    @Override
    public void onFrame(Frame frame) {
      if (connection != null) {
        element(frame.toElement());
      }
    }

    @Override
    public void onStreamClose() {}
  }
}
