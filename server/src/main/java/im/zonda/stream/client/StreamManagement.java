package im.zonda.stream.client;

import im.zonda.module.Xep;
import im.zonda.router.BoundSession;
import im.zonda.router.Managed;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import org.jspecify.annotations.Nullable;

/// A managed stream (XEP-0198): what is asked and answered about the stanzas on it. What was sent
/// and what was handled is the session's, which may outlive this stream.
///
/// The server answers a request once all that came before it has been handled, which is when it is
/// durable, but after a second at the latest by what has been handled until then. It asks at most
/// one question at a time, together with other output if it can; when the answer comes and more has
/// been sent since the question, it asks again at once. Everything runs on the stream's thread.
@Xep(
    number = 198,
    version = "1.6.3",
    title = "Stream Management",
    note =
        "`location` is not sent: there is one node. A second `<enable/>` is refused, and the stream"
            + " goes on.")
final class StreamManagement {
  /// The namespace of its elements.
  static final String NAMESPACE = "urn:xmpp:sm:3";

  /// The stream feature.
  static final Element FEATURE = Element.of(NAMESPACE, "sm");

  private static final Element REQUEST = Element.of(NAMESPACE, "r");
  private static final long ANSWER_MILLIS = 1_000;
  private static final long UNSIGNED = 0xffff_ffffL;

  private final ClientStream stream;
  private final BoundSession session;
  private final long patience;
  private boolean asked;
  private long askedAt;

  /// The stanzas that had been sent when the client was last asked.
  private long askedAbout;

  private long owingSince;

  /// @param patience how long the client may take to answer a request, in ms
  StreamManagement(ClientStream stream, BoundSession session, long patience) {
    this.stream = stream;
    this.session = session;
    this.patience = patience;
  }

  /// A client's wish to resume a session.
  ///
  /// @param previd the session
  /// @param h the client's count of stanzas
  record Resume(String previd, long h) {
    /// Reads it; null if it is not as it must be.
    static @Nullable Resume of(Element element) {
      String previd = element.attribute("previd");
      long h = count(element.attribute("h"));
      return previd == null || previd.isEmpty() || h < 0 ? null : new Resume(previd, h);
    }
  }

  /// Whether an `<enable/>` asks for a session that can be resumed.
  static boolean wantsResumption(Element enable) {
    String resume = enable.attribute("resume");
    return "true".equals(resume) || "1".equals(resume);
  }

  /// The answer to an `<enable/>`.
  static Element enabled(Managed managed) {
    Element.Builder enabled = Element.builder(NAMESPACE, "enabled");
    if (managed.id() != null) {
      enabled
          .attribute("id", managed.id())
          .attribute("max", Long.toString(managed.max().toSeconds()))
          .attribute("resume", "true");
    }
    return enabled.build();
  }

  /// The answer to a `<resume/>` that is granted.
  static Element resumed(String previd, long handled) {
    return Element.builder(NAMESPACE, "resumed")
        .attribute("h", Long.toString(handled & UNSIGNED))
        .attribute("previd", previd)
        .build();
  }

  /// The answer to what is not granted.
  ///
  /// @param handled the client's stanzas that were handled, if that is known
  static Element failed(ErrorCondition condition, @Nullable Long handled) {
    Element.Builder failed = Element.builder(NAMESPACE, "failed");
    if (handled != null) {
      failed.attribute("h", Long.toString(handled & UNSIGNED));
    }
    return failed.child(Element.of(Namespaces.STANZA_ERRORS, condition.elementName())).build();
  }

  /// What goes into the stream error of a client that claims to have more than it was sent.
  static Element tooHigh(long h, long sent) {
    return Element.builder(NAMESPACE, "handled-count-too-high")
        .attribute("h", Long.toString(h))
        .attribute("send-count", Long.toString(sent & UNSIGNED))
        .build();
  }

  /// Takes an element of the namespace, other than `<enable/>`.
  void element(QName name, @Nullable String h) {
    switch (name.name()) {
      case "r" -> requested();
      case "a" -> acknowledged(count(h));
      case "resume" -> stream.write(failed(ErrorCondition.UNEXPECTED_REQUEST, null));
      default -> stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    }
  }

  private void requested() {
    boolean owed = session.owes();
    if (session.requested()) {
      answer();
    } else if (!owed) {
      owingSince = stream.now();
    }
  }

  private void acknowledged(long h) {
    if (h < 0) {
      stream.fail(StreamErrorCondition.BAD_FORMAT, "no count");
      return;
    }
    asked = false;
    if (!session.acknowledged(h)) {
      long sent = session.sent();
      stream.fail(
          StreamErrorCondition.UNDEFINED_CONDITION,
          "acknowledged " + h + " stanzas of " + (sent & UNSIGNED),
          tooHigh(h, sent));
    } else if (session.unacknowledged() > 0 && session.sent() > askedAbout) {
      // Nothing else may leave for a while, and what waits for the acknowledgement would wait too.
      ask();
    }
  }

  /// What the client has asked about has been handled.
  void handled() {
    owingSince = stream.now();
    answer();
  }

  /// Tells the client how many of its stanzas have been handled.
  void answer() {
    stream.write(
        Element.builder(NAMESPACE, "a")
            .attribute("h", Long.toString(session.handled() & UNSIGNED))
            .build());
  }

  /// Something is about to leave to the client.
  void flushing() {
    if (!asked && session.unacknowledged() > 0) {
      ask();
    }
  }

  /// Asks the client for its count.
  void ask() {
    asked = true;
    askedAt = stream.clientTime();
    askedAbout = session.sent();
    stream.write(REQUEST);
  }

  /// Looks at the time, which is `now`; false if the client has not answered for too long.
  boolean tick(long now) {
    if (now - owingSince >= ANSWER_MILLIS && session.owes()) {
      // The client must see that we are here; the rest follows.
      owingSince = now;
      answer();
    }
    if (asked) {
      return stream.clientTime() - askedAt <= patience;
    }
    if (session.unacknowledged() > 0) {
      ask();
    }
    return true;
  }

  /// A count between 0 and 2 to the power of 32; -1 if it is none.
  private static long count(@Nullable String text) {
    if (text == null || text.isEmpty() || text.length() > 10) {
      return -1;
    }
    long value = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      value = value * 10 + (c - '0');
    }
    return value > UNSIGNED ? -1 : value;
  }
}
