package im.zonda.stream.client;

import im.zonda.jid.Jid;
import im.zonda.router.BoundSession;
import im.zonda.router.Outbound;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.HeaderReply;
import im.zonda.stream.Stream;
import im.zonda.stream.StreamLang;
import im.zonda.stream.StreamRole;
import im.zonda.stream.StreamTransport;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.framing.Frame;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The role of a client's stream (RFC 6120, sections 5 to 8): negotiates by [Negotiation] until a
/// resource is bound, then passes stanzas to the session by [BoundStream].
///
/// Confined to the stream's thread, except the methods of [Outbound], which any thread may call.
final class ClientStream implements StreamRole, Outbound {
  private static final Logger LOG = LoggerFactory.getLogger(ClientStream.class);

  private final StreamContext context;
  private final Stream stream;
  private final StreamTransport transport;

  private @Nullable Negotiation negotiation;
  private @Nullable BoundStream bound;
  private @Nullable String lang;

  ClientStream(StreamContext context, Stream stream) {
    this.context = context;
    this.stream = stream;
    this.transport = stream.transport();
    this.negotiation = new Negotiation(this, context, stream);
  }

  // ---- the role

  @Override
  public HeaderReply answer(StreamHeader header) {
    lang = StreamLang.checked(header.lang());
    Negotiation step = negotiation;
    // A framer reports no header within a stream.
    return step == null
        ? HeaderReply.reject(null, null, StreamErrorCondition.INVALID_XML)
        : step.answer(header);
  }

  @Override
  public void opened(StreamHeader header, @Nullable String id) {
    Negotiation step = negotiation;
    if (step != null) {
      step.offerFeatures();
    }
  }

  @Override
  public void receive(Frame frame) {
    BoundStream live = bound;
    if (live != null) {
      live.element(frame);
      return;
    }
    Negotiation step = negotiation;
    if (step != null) {
      step.receive(frame);
    }
  }

  @Override
  public void flushing() {
    BoundStream live = bound;
    if (live != null) {
      live.flushing();
    }
  }

  @Override
  public boolean tick(long now) {
    BoundStream live = bound;
    return live == null || live.tick(now);
  }

  @Override
  public void ping() {
    BoundStream live = bound;
    if (live != null) {
      live.ping(context.ids());
    }
  }

  /// Acknowledges what has been handled, so that the client does not send it again.
  @Override
  public void closing() {
    BoundStream live = bound;
    if (live != null) {
      live.lastWord();
    }
  }

  @Override
  public void ended(boolean lost) {
    BoundStream live = bound;
    Negotiation unfinished = negotiation;
    bound = null;
    negotiation = null;
    if (unfinished != null) {
      unfinished.cancel();
    }
    if (live == null) {
      return;
    }
    if (lost) {
      live.session().lost();
    } else {
      live.session().ended();
    }
  }

  @Override
  public @Nullable Jid peer() {
    BoundStream live = bound;
    return live == null ? null : live.session().jid();
  }

  // ---- called by the router, on any thread

  @Override
  public void send(Stanza stanza, @Nullable Runnable left) {
    transport.send(stanza, left);
  }

  @Override
  public void close(StreamErrorCondition condition, @Nullable String text) {
    transport.execute(() -> fail(condition, text));
  }

  @Override
  public void allHandled() {
    transport.execute(() -> {
      BoundStream live = bound;
      if (live != null) {
        live.allHandled();
      }
    });
  }

  @Override
  public void pauseReading() {
    transport.execute(stream::pauseReading);
  }

  @Override
  public void resumeReading() {
    transport.execute(stream::resumeReading);
  }

  // ---- for negotiation and the bound stream

  void write(Element element) {
    stream.write(element);
  }

  void fail(StreamErrorCondition condition, @Nullable String text) {
    stream.fail(condition, text);
  }

  void fail(StreamErrorCondition condition, @Nullable String text, @Nullable Element detail) {
    stream.fail(condition, text, detail);
  }

  void finish() {
    stream.finish();
  }

  void streamElement(QName name) {
    stream.receiveStreamElement(name);
  }

  boolean closed() {
    return stream.closed();
  }

  long now() {
    return transport.now();
  }

  long clientTime() {
    return stream.peerTime();
  }

  /// A resource is bound; what follows is between the client and its session.
  BoundStream bound(StreamHost at, BoundSession session) {
    long millis = stream.establish();
    StreamBoundEvent event = new StreamBoundEvent();
    if (event.isEnabled() && negotiation != null) {
      event.host = at.domain().toString();
      event.mechanism = negotiation.mechanism();
      event.encrypted = transport.secure();
      event.negotiationMillis = millis;
      event.commit();
    }
    LOG.atDebug()
        .addKeyValue("jid", session.jid())
        .addKeyValue("address", transport.remoteAddress().getHostAddress())
        .log("stream_bound");
    BoundStream live =
        new BoundStream(this, transport, at, session, lang, context.limits().pingTime());
    bound = live;
    negotiation = null;
    return live;
  }

  /// Answers a stanza that could not be read; the stream goes on.
  void refuse(StanzaFormatException e, Jid from) {
    String name = e.stanzaName();
    if (!e.answerable() || name == null) {
      return;
    }
    Element error =
        Element.builder(Namespaces.CLIENT, name)
            .attribute("type", "error")
            .attribute("id", e.id())
            .attribute("from", from.toString())
            .child(StanzaError.of(e.condition()).toElement())
            .build();
    try {
      Stanza answer = Stanza.of(error);
      if (bound == null) {
        transport.send(answer, null);
      } else {
        bound.session().send(answer);
      }
    } catch (StanzaFormatException impossible) {
      throw new IllegalStateException("an error that is no stanza", impossible);
    }
  }
}
