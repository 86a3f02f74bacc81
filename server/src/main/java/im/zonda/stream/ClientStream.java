package im.zonda.stream;

import im.zonda.jid.Jid;
import im.zonda.link.ToStream;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.Element;
import im.zonda.xml.Frame;
import im.zonda.xml.FrameHandler;
import im.zonda.xml.QName;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlLimits;
import im.zonda.xml.XmppFramer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The stream of one client (RFC 6120), from accept to end: a state machine without sockets.
///
/// Everything runs on the stream's thread (see [StreamTransport]). The transport brings the input,
/// the time and the end; the stream answers through the transport and hands stanzas to its session
/// by its [SessionLink].
public final class ClientStream {
  private static final Logger LOG = LoggerFactory.getLogger(ClientStream.class);

  private final StreamContext context;
  private final StreamTransport transport;
  private final XmppFramer framer;

  private @Nullable Negotiation negotiation;
  private @Nullable SessionLink link;
  private @Nullable BoundStream bound;
  private @Nullable String lang;
  private long lastInput;

  /// When the negotiation began, or when the client was pinged; in the client's time.
  private long since;

  /// How many reasons there are not to read.
  private int pauses;

  /// While input is read: the time that has passed without reading. Otherwise the client's time,
  /// which stands still.
  private long unread;

  private boolean stopped;
  private boolean opened;
  private boolean pinged;
  private boolean closed;

  /// A stream on a connection that was accepted now.
  public ClientStream(StreamContext context, StreamTransport transport) {
    this.context = context;
    this.transport = transport;
    this.framer = new XmppFramer(context.limits().beforeAuthentication(), new Frames());
    this.negotiation = new Negotiation(this, context, transport);
    this.lastInput = transport.now();
    this.since = lastInput;
  }

  // ---- what the transport tells

  /// Takes bytes from the client; the array may be reused after the call.
  public void input(byte[] bytes, int offset, int length) {
    if (closed || length == 0) {
      return;
    }
    lastInput = clientTime();
    pinged = false;
    Negotiation step = negotiation;
    if (step == null) {
      feed(bytes, offset, length);
    } else {
      step.input(bytes, offset, length);
    }
  }

  /// Looks at the time; to be called about once a second.
  public void tick() {
    if (closed) {
      return;
    }
    long now = clientTime();
    if (negotiation != null) {
      if (now - since > context.limits().negotiationTime().toMillis()) {
        fail(StreamErrorCondition.CONNECTION_TIMEOUT, "negotiation took too long");
      }
    } else if (bound != null && !bound.tick(transport.now())) {
      fail(StreamErrorCondition.CONNECTION_TIMEOUT, null);
    } else if (pinged) {
      if (now - since > context.limits().pingTime().toMillis()) {
        fail(StreamErrorCondition.CONNECTION_TIMEOUT, null);
      }
    } else if (bound != null && now - lastInput > context.limits().idleTime().toMillis()) {
      pinged = true;
      since = now;
      bound.ping(context.ids());
    }
  }

  /// The connection is gone.
  public void disconnected() {
    if (!closed) {
      closed = true;
      endSession(true);
    }
  }

  /// More waits for the client than may wait, and the transport has dropped it.
  public void overflowed() {
    fail(StreamErrorCondition.RESOURCE_CONSTRAINT, "too much is waiting to be read");
  }

  /// The bytes that are held of a stanza that has not come to its end.
  public int unfinishedBytes() {
    return closed ? 0 : framer.heldBytes();
  }

  /// The account whose stream it is, or null before a resource is bound.
  public @Nullable Jid account() {
    BoundStream live = bound;
    return live == null ? null : live.jid().bare();
  }

  /// All streams together hold too much that is unfinished, and this one is to give way. Must not
  /// be called from within [#input].
  public void unfinishedTooLong() {
    fail(StreamErrorCondition.RESOURCE_CONSTRAINT, "too many unfinished stanzas");
    // The connection may last for some seconds more; what it has sent must not.
    framer.reset();
  }

  /// What was written is about to leave.
  public void flushing() {
    BoundStream live = bound;
    if (live != null) {
      live.flushing();
    }
  }

  /// The server stops.
  public void shutdown() {
    fail(StreamErrorCondition.SYSTEM_SHUTDOWN, null);
  }

  /// The transport is broken by a defect.
  public void broken() {
    fail(StreamErrorCondition.INTERNAL_SERVER_ERROR, null);
  }

  /// Whether the stream has ended.
  public boolean closed() {
    return closed;
  }

  /// Whether a resource is bound.
  public boolean isBound() {
    return bound != null;
  }

  /// The bytes of the session's stanzas that were to be reported have left, up to that number
  /// ([ToStream.Deliver]). Also called after the end of the stream.
  public void written(long number) {
    if (link != null) {
      link.written(number);
    }
  }

  // ---- what the session tells

  /// The link to the session; opened when it is first asked for.
  SessionLink link(StreamHost at) {
    SessionLink opened = link;
    if (opened == null) {
      opened = new SessionLink(this, transport, at.gate());
      link = opened;
    }
    return opened;
  }

  /// The session's answer to an `<enable/>`; null if it was managed before.
  void enabled(ToStream.@Nullable Enabled enabled) {
    if (bound != null) {
      bound.enabled(enabled);
    }
  }

  /// What the client has asked about has been handled.
  void allHandled() {
    if (bound != null) {
      bound.allHandled();
    }
  }

  // ---- for the negotiation

  /// Parses; returns how many bytes were left unread because framing was stopped.
  int feed(byte[] bytes, int offset, int length) {
    stopped = false;
    try {
      framer.feed(bytes, offset, length);
      return stopped && !closed ? framer.droppedBytes() : 0;
    } catch (XmlException e) {
      LOG.atDebug()
          .addKeyValue("address", address())
          .addKeyValue("reason", e.getMessage())
          .log("stream_input_refused");
      fail(StreamErrorCondition.valueOf(e.condition().name()), null);
      return 0;
    }
  }

  void stopFraming() {
    stopped = true;
    framer.pause();
  }

  /// Expects a new header, remembering nothing of what was parsed.
  void restart() {
    framer.reset();
    opened = false;
  }

  void limits(XmlLimits limits) {
    framer.limits(limits);
  }

  void lang(@Nullable String streamLang) {
    lang = streamLang;
  }

  void open(StreamOpening opening) {
    opened = true;
    transport.open(opening);
  }

  void write(Element element) {
    transport.write(element);
  }

  String address() {
    return transport.remoteAddress().getHostAddress();
  }

  long now() {
    return transport.now();
  }

  /// Milliseconds of a clock that stands still while the server does not read: what the client is
  /// given a time for is measured by it, because an answer may wait unread.
  long clientTime() {
    return pauses > 0 ? unread : transport.now() - unread;
  }

  /// A resource is bound; what follows is between the client and its session.
  BoundStream bound(StreamHost at, SessionLink session, Jid jid) {
    StreamBoundEvent event = new StreamBoundEvent();
    if (event.isEnabled() && negotiation != null) {
      event.host = at.domain().toString();
      event.mechanism = negotiation.mechanism();
      event.encrypted = transport.secure();
      event.negotiationMillis = transport.now() - since;
      event.commit();
    }
    LOG.atDebug().addKeyValue("jid", jid).addKeyValue("address", address()).log("stream_bound");
    BoundStream live =
        new BoundStream(this, transport, at, session, jid, lang, context.limits().pingTime());
    bound = live;
    negotiation = null;
    return live;
  }

  void pauseReadingNow() {
    if (pauses == 0) {
      unread = clientTime();
      transport.reading(false);
    }
    pauses++;
  }

  void resumeReadingNow() {
    if (--pauses == 0) {
      unread = transport.now() - unread;
      if (!closed) {
        transport.reading(true);
      }
    }
  }

  // ---- the end

  /// Ends the stream with an error (RFC 6120, section 4.9). Does nothing if it has ended.
  void fail(StreamErrorCondition condition, @Nullable String text) {
    fail(condition, text, null);
  }

  /// The same with a condition of the application.
  void fail(StreamErrorCondition condition, @Nullable String text, @Nullable Element detail) {
    if (closed) {
      return;
    }
    if (!opened) {
      // An error is part of a stream: without a header nobody could read it (section 4.9.1.2).
      open(new StreamOpening(null, null, context.ids().next(), StreamLang.ofServer(null)));
    }
    LOG.atDebug()
        .addKeyValue("address", address())
        .addKeyValue("jid", bound == null ? null : bound.jid())
        .addKeyValue("condition", condition.elementName())
        .log("stream_error");
    try {
      lastWord();
      transport.write(StreamXml.error(condition, text, detail));
    } finally {
      finish(keepsSession(condition));
    }
  }

  /// Whether the client is not to blame, so that it may come back to its session.
  private static boolean keepsSession(StreamErrorCondition condition) {
    return switch (condition) {
      case CONNECTION_TIMEOUT, RESOURCE_CONSTRAINT, SYSTEM_SHUTDOWN -> true;
      default -> false;
    };
  }

  /// Ends the stream in peace.
  void finish() {
    if (!closed) {
      lastWord();
      finish(false);
    }
  }

  private void finish(boolean lost) {
    closed = true;
    try {
      transport.closeStream();
      endSession(lost);
    } finally {
      transport.close(); // nothing else would
    }
  }

  /// What the client is told has been handled it need not send again.
  private void lastWord() {
    if (bound != null) {
      bound.lastWord();
    }
  }

  private void endSession(boolean lost) {
    Negotiation unfinished = negotiation;
    bound = null;
    negotiation = null;
    if (unfinished != null) {
      unfinished.ended();
    }
    if (link != null) {
      link.end(lost);
    }
  }

  // ---- elements

  /// Answers a stanza that could not be read before a resource is bound; the stream goes on.
  void refuse(StanzaFormatException e, Jid from) {
    Stanza answer = errorFor(e, from);
    if (answer != null) {
      transport.write(answer);
    }
  }

  /// The answer to a stanza that could not be read; null if it gets none.
  static @Nullable Stanza errorFor(StanzaFormatException e, Jid from) {
    String name = e.stanzaName();
    if (!e.answerable() || name == null) {
      return null;
    }
    Element error =
        Element.builder(Namespaces.CLIENT, name)
            .attribute("type", "error")
            .attribute("id", e.id())
            .attribute("from", from.toString())
            .child(StanzaError.of(e.condition()).toElement())
            .build();
    try {
      return Stanza.of(error);
    } catch (StanzaFormatException impossible) {
      throw new IllegalStateException("an error that is no stanza", impossible);
    }
  }

  /// An element of the stream's own namespace: the client's stream error, or nonsense.
  void streamElement(QName name) {
    if (name.name().equals("error")) {
      LOG.atDebug().addKeyValue("address", address()).log("stream_error_received");
      finish();
    } else {
      fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    }
  }

  /// What the framer tells; out of sight of those who use the stream.
  private final class Frames implements FrameHandler {
    @Override
    public void onStreamOpen(StreamHeader header) {
      if (!closed && negotiation != null) {
        negotiation.open(header);
      }
    }

    @Override
    public void onFrame(Frame frame) {
      if (closed) {
        return;
      }
      if (bound != null) {
        bound.element(frame);
      } else if (negotiation != null) {
        negotiation.frame(frame);
      }
    }

    @Override
    public void onStreamClose() {
      finish();
    }
  }
}
