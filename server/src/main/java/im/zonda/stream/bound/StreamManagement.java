package im.zonda.stream.bound;

import im.zonda.account.GuestAddress;
import im.zonda.jid.Jid;
import im.zonda.link.ToStream;
import im.zonda.link.ack.AckCount;
import im.zonda.module.Xep;
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
        "`location` is not sent: there is one node. A second `<enable/>` is rejected, and the"
            + " stream stays open.")
public final class StreamManagement {
  /// The namespace of its elements.
  public static final String NAMESPACE = "urn:xmpp:sm:3";

  /// The stream feature.
  public static final Element FEATURE = Element.of(NAMESPACE, "sm");

  /// Between a guest's localpart and the id of its session.
  private static final char GUEST = '/';

  private static final Element REQUEST = Element.of(NAMESPACE, "r");
  private static final long ANSWER_MILLIS = 1_000;

  private final OpenStream stream;
  private final SessionLink link;

  /// The client has not been told yet that stream management is enabled.
  private boolean enabling;

  /// The stanzas that the client has acknowledged.
  private long acknowledged;

  private boolean asked;
  private long askedAt;

  /// The stanzas that had been sent when the client was last asked.
  private long askedAbout;

  /// The count that the client waits for since its oldest question, or
  /// [SessionLink#NOTHING_AWAITED]; and since its newest.
  private long owed = SessionLink.NOTHING_AWAITED;

  private long owedLater = SessionLink.NOTHING_AWAITED;
  private long owingSince;

  /// @param acknowledged the stanzas that the client has acknowledged on earlier streams
  /// @param enabling whether the client is still to be notified by [#enabled]
  StreamManagement(OpenStream stream, SessionLink link, long acknowledged, boolean enabling) {
    this.stream = stream;
    this.link = link;
    this.acknowledged = acknowledged;
    this.enabling = enabling;
  }

  /// A client's wish to resume a session.
  ///
  /// @param previd the session
  /// @param h the client's count of stanzas
  public record Resume(String previd, long h) {
    /// The account or guest whose session it is. A guest may resume the session of any guest of the
    /// host whose id it knows.
    public Jid owner(Jid client, boolean guest) {
      int end = previd.indexOf(GUEST);
      String local = end < 0 ? "" : previd.substring(0, end);
      return guest && GuestAddress.isGuest(local) ? Jid.of(local, client.domain(), null) : client;
    }

    /// The session's own id.
    public String id(boolean guest) {
      return guest ? previd.substring(previd.indexOf(GUEST) + 1) : previd;
    }

    /// Reads it; null if it is not as it must be.
    public static @Nullable Resume of(Element element) {
      String previd = element.attribute("previd");
      long h = AckCount.unsignedInt(element.attribute("h"));
      return previd == null || previd.isEmpty() || h < 0 ? null : new Resume(previd, h);
    }
  }

  /// The id of a session that can be resumed, as its client knows it. A guest gets another address
  /// whenever it logs in, so the id names the guest whose session it is; that of an account is the
  /// session's own.
  private static String idOf(Jid session, String id) {
    return GuestAddress.isGuest(session) ? session.local() + GUEST + id : id;
  }

  /// Whether an `<enable/>` asks for a session that can be resumed.
  public static boolean wantsResumption(Element enable) {
    String resume = enable.attribute("resume");
    return "true".equals(resume) || "1".equals(resume);
  }

  /// The answer to an `<enable/>`.
  ///
  /// @param session the full address
  public static Element enabled(Jid session, ToStream.Enabled managed) {
    Element.Builder enabled = Element.builder(NAMESPACE, "enabled");
    String id = managed.id();
    if (id != null) {
      enabled
          .attribute("id", idOf(session, id))
          .attribute("max", Long.toString(managed.max().toSeconds()))
          .attribute("resume", "true");
    }
    return enabled.build();
  }

  /// The answer to a `<resume/>` that is granted.
  public static Element resumed(String previd, long handled) {
    return Element.builder(NAMESPACE, "resumed")
        .attribute("h", AckCount.onWire(handled))
        .attribute("previd", previd)
        .build();
  }

  /// The answer to what is not granted.
  ///
  /// @param handled the client's stanzas that were handled, if that is known
  public static Element failed(ErrorCondition condition, @Nullable Long handled) {
    Element.Builder failed = Element.builder(NAMESPACE, "failed");
    if (handled != null) {
      failed.attribute("h", AckCount.onWire(handled));
    }
    return failed.child(Element.of(Namespaces.STANZA_ERRORS, condition.elementName())).build();
  }

  /// What goes into the stream error of a client that claims to have more than it was sent.
  public static Element tooHigh(long h, long sent) {
    return Element.builder(NAMESPACE, "handled-count-too-high")
        .attribute("h", Long.toString(h))
        .attribute("send-count", AckCount.onWire(sent))
        .build();
  }

  /// Takes an element of the namespace, other than `<enable/>`.
  void element(QName name, @Nullable String h) {
    switch (name.name()) {
      case "r" -> requested();
      case "a" -> acknowledged(AckCount.unsignedInt(h));
      case "resume" -> stream.write(failed(ErrorCondition.UNEXPECTED_REQUEST, null));
      default -> stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    }
  }

  /// The client has been told that stream management is enabled.
  void enabled() {
    enabling = false;
    handled();
  }

  private void requested() {
    long received = link.received();
    if (!enabling && link.handled() >= received) {
      answer();
      return;
    }
    // A client that asks all the time must not wait for what it sent last.
    if (owed == SessionLink.NOTHING_AWAITED) {
      owed = received;
      owingSince = stream.now();
      link.await(owed);
      // The session may have got there before it could see that someone waits.
      handled();
    } else {
      owedLater = received;
    }
  }

  private void acknowledged(long h) {
    if (h < 0) {
      stream.fail(StreamErrorCondition.BAD_FORMAT, "no count");
      return;
    }
    asked = false;
    long sent = sent();
    switch (AckCount.of(h, acknowledged, sent)) {
      case VALID -> {
        long number = AckCount.number(h, acknowledged);
        if (number > acknowledged) {
          acknowledged = number;
          link.acknowledged(number);
        }
      }
      case OLD -> {}
      case TOO_HIGH -> {
        stream.fail(
            StreamErrorCondition.UNDEFINED_CONDITION,
            "acknowledged " + h + " stanzas of " + AckCount.onWire(sent),
            tooHigh(h, sent));
        return;
      }
    }
    if (unacknowledged() > 0 && sent() > askedAbout) {
      // Nothing else may leave for a while, and what waits for the acknowledgement would wait too.
      ask();
    }
  }

  private long sent() {
    return enabling ? 0 : link.delivered();
  }

  private long unacknowledged() {
    return sent() - acknowledged;
  }

  /// More has been handled, perhaps all that the client has asked about.
  void handled() {
    if (enabling || owed == SessionLink.NOTHING_AWAITED || link.handled() < owed) {
      return;
    }
    owed =
        owedLater == SessionLink.NOTHING_AWAITED || link.handled() >= owedLater
            ? SessionLink.NOTHING_AWAITED
            : owedLater;
    owedLater = SessionLink.NOTHING_AWAITED;
    owingSince = stream.now();
    link.await(owed);
    answer();
    // Once more, for what was handled meanwhile.
    handled();
  }

  /// Sends a last acknowledgement, so that the client need not send handled stanzas again.
  void lastWord() {
    if (!enabling) {
      answer();
    }
  }

  /// Tells the client how many of its stanzas have been handled.
  private void answer() {
    stream.write(
        Element.builder(NAMESPACE, "a").attribute("h", AckCount.onWire(link.handled())).build());
  }

  /// Called before output to the client is flushed.
  void flushing() {
    if (!asked && unacknowledged() > 0) {
      ask();
    }
  }

  /// Asks the client for its count.
  void ask() {
    asked = true;
    askedAt = stream.clientTime();
    askedAbout = sent();
    stream.write(REQUEST);
  }

  /// Looks at the time, which is `now`; false if the client has not answered for too long.
  boolean tick(long now) {
    if (!enabling && owed != SessionLink.NOTHING_AWAITED && now - owingSince >= ANSWER_MILLIS) {
      // The client must see that we are here; the rest follows.
      owingSince = now;
      answer();
    }
    if (asked) {
      return stream.clientTime() - askedAt <= stream.patience();
    }
    if (unacknowledged() > 0) {
      ask();
    }
    return true;
  }
}
