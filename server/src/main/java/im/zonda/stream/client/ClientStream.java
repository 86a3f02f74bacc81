package im.zonda.stream.client;

import im.zonda.jid.Jid;
import im.zonda.link.ToStream;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.HeaderReply;
import im.zonda.stream.Stream;
import im.zonda.stream.StreamLang;
import im.zonda.stream.StreamRole;
import im.zonda.stream.StreamTransport;
import im.zonda.stream.bound.BoundStream;
import im.zonda.stream.bound.OpenStream;
import im.zonda.stream.bound.SessionLink;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.framing.Frame;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The role of a client's stream (RFC 6120, sections 5 to 8): negotiates by [Negotiation] until a
/// resource is bound, then passes stanzas to the session by [BoundStream] and its [SessionLink].
/// Confined to the stream's thread.
final class ClientStream implements StreamRole, OpenStream, UnboundStreams.Member {
  private static final Logger LOG = LoggerFactory.getLogger(ClientStream.class);

  private final Stream stream;
  private final @Nullable StreamMove move;

  private @Nullable ClientNegotiation negotiation;
  private @Nullable SessionLink link;
  private @Nullable BoundStream bound;
  private @Nullable String lang;

  /// The host that knows this stream as unbound.
  private @Nullable StreamHost unboundAt;

  /// @param negotiations makes the negotiation
  /// @param move takes the stream to another process once a resource is bound; null if it stays
  ClientStream(
      Stream stream,
      Function<ClientStream, ClientNegotiation> negotiations,
      @Nullable StreamMove move) {
    this.stream = stream;
    this.move = move;
    this.negotiation = negotiations.apply(this);
  }

  // ---- the role

  @Override
  public @Nullable HeaderReply answer(StreamHeader header) {
    lang = StreamLang.checked(header.lang());
    ClientNegotiation step = negotiation;
    // A framer reports no header within a stream.
    return step == null
        ? HeaderReply.reject(null, null, StreamErrorCondition.INVALID_XML)
        : step.answer(header);
  }

  @Override
  public void opened(StreamHeader header, @Nullable String id) {
    ClientNegotiation step = negotiation;
    if (step != null) {
      step.opened();
    }
  }

  @Override
  public void receive(Frame frame) {
    BoundStream live = bound;
    if (live != null) {
      live.element(frame);
      return;
    }
    ClientNegotiation step = negotiation;
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
      live.ping(stream.profile().ids());
    }
  }

  @Override
  public boolean isResumable() {
    BoundStream live = bound;
    return live != null && live.isResumable();
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
  public void written(long number) {
    if (link != null) {
      link.written(number);
    }
  }

  @Override
  public void outputEnded() {
    if (link != null) {
      link.outputEnded();
    }
  }

  @Override
  public void ended(boolean lost) {
    leaveHost();
    ClientNegotiation unfinished = negotiation;
    bound = null;
    negotiation = null;
    if (unfinished != null) {
      unfinished.ended();
    }
    if (link != null) {
      link.end(lost);
    }
  }

  @Override
  public @Nullable Jid peer() {
    BoundStream live = bound;
    return live == null ? null : live.jid();
  }

  // ---- for the link

  /// The link to the session; opened by the first call.
  SessionLink link(StreamHost at) {
    SessionLink opened = link;
    if (opened == null) {
      opened = new SessionLink(this, move == null ? at.gate() : move.gate(at.gate()));
      link = opened;
    }
    return opened;
  }

  /// The link has no session and leads to another home than the next one: that gets a link of its
  /// own.
  void abandonLink() {
    SessionLink abandoned = link;
    link = null;
    if (abandoned != null) {
      abandoned.abandon();
    }
  }

  /// Uses a link that another process has opened.
  void link(SessionLink opened) {
    link = opened;
  }

  // ---- for negotiation

  /// The stream is one to that host, until it has bound a resource; false if the host has been
  /// removed.
  boolean enterHost(StreamHost host) {
    leaveHost();
    unboundAt = host;
    return host.unbound().add(this);
  }

  private void leaveHost() {
    StreamHost left = unboundAt;
    if (left != null) {
      unboundAt = null;
      left.unbound().remove(this);
    }
  }

  void finish() {
    stream.finish();
  }

  /// A resource is bound; what follows is between the client and its session.
  BoundStream bound(Jid domain, SessionLink session, Jid jid) {
    stream.establish();
    LOG.atDebug()
        .addKeyValue("jid", jid)
        .addKeyValue("address", transport().remoteAddress().getHostAddress())
        .log("stream_bound");
    leaveHost();
    BoundStream live = new BoundStream(this, domain, session, jid);
    bound = live;
    negotiation = null;
    if (move != null) {
      move.bound(domain);
    }
    return live;
  }

  /// Answers a stanza that could not be read before a resource is bound; the stream goes on.
  void refuse(StanzaFormatException e, Jid domain) {
    Stanza answer = e.reply(domain, null);
    if (answer != null) {
      transport().write(answer);
    }
  }

  @Override
  public void hostGone() {
    if (bound == null) {
      fail(StreamErrorCondition.HOST_GONE, "this host has been removed");
    }
  }

  // ---- for the bound stream and its link

  @Override
  public StreamTransport transport() {
    return stream.transport();
  }

  @Override
  public void write(Element element) {
    stream.write(element);
  }

  @Override
  public void fail(
      StreamErrorCondition condition, @Nullable String text, @Nullable Element detail) {
    stream.fail(condition, text, detail);
  }

  @Override
  public void streamElement(QName name) {
    stream.receiveStreamElement(name);
  }

  @Override
  public void pauseReading() {
    stream.pauseReading();
  }

  @Override
  public void resumeReading() {
    stream.resumeReading();
  }

  @Override
  public void enabled(ToStream.@Nullable Enabled enabled) {
    if (bound != null) {
      bound.enabled(enabled);
    }
  }

  @Override
  public void allHandled() {
    if (bound != null) {
      bound.allHandled();
    }
  }

  @Override
  public @Nullable String lang() {
    return lang;
  }

  @Override
  public long now() {
    return transport().now();
  }

  @Override
  public long clientTime() {
    return stream.peerTime();
  }

  @Override
  public long patience() {
    return stream.profile().times().ping().toMillis();
  }
}
