package im.zonda.stream.server;

import im.zonda.jid.Jid;
import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamFailure;
import im.zonda.link.ServerStreamLink;
import im.zonda.module.Xep;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.Stream;
import im.zonda.stream.StreamLang;
import im.zonda.stream.StreamRole;
import im.zonda.stream.StreamTransport;
import im.zonda.stream.StreamXml;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.framing.Frame;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The common role of both sides of a stream between servers: verifies domains, passes stanzas on,
/// acknowledges them, and answers dialback. Confined to the stream's thread.
@Xep(
    number = 288,
    version = "1.0.1",
    title = "Bidirectional Server-to-Server Connections",
    note = "We do not request further domain pairs on streams that other servers have opened.")
abstract class ServerStreamRole implements StreamRole {
  static final String BIDI = "urn:xmpp:bidi";
  static final String BIDI_FEATURE = "urn:xmpp:features:bidi";

  private static final QName ERROR_TEXT = new QName(Namespaces.STREAM_ERRORS, "text");

  /// How the other server has proved a domain.
  static final String CERTIFICATE = ServerStreamLink.Status.CERTIFICATE;

  static final String DIALBACK = ServerStreamLink.Status.DIALBACK;

  private static final Logger LOG = LoggerFactory.getLogger(ServerStreamRole.class);

  private final ServerStreamContext context;
  private final Stream stream;
  private final DialbackRequests dialback;
  private ServerLink link;
  private @Nullable Acknowledgements acknowledgements;
  private @Nullable String lang;
  private boolean bidirectional;
  private boolean raised;
  private boolean stopping;

  /// What has ended the stream, if that is known better than by its end.
  private @Nullable ServerStreamFailure failure;

  /// Why the link ends with the output of the stream.
  private @Nullable ServerStreamFailure endedBy;

  ServerStreamRole(ServerStreamContext context, Stream stream, boolean incoming) {
    this.context = context;
    this.stream = stream;
    this.link = context.newLink(stream, incoming);
    this.dialback = new DialbackRequests(this);
  }

  // ---- for the parts of the role

  ServerStreamContext context() {
    return context;
  }

  Stream stream() {
    return stream;
  }

  StreamTransport transport() {
    return stream.transport();
  }

  ServerLink link() {
    return link;
  }

  boolean isBidirectional() {
    return bidirectional;
  }

  void setBidirectional() {
    bidirectional = true;
    link.setBidirectional();
  }

  /// Why the certificates of the other server do not prove `domain`; null if they do.
  @Nullable String findCertificateProblem(String domain) {
    if (!transport().secure()) {
      return "the connection is not encrypted";
    }
    return DomainCertificate.findProblem(
        transport().peerCertificates(), domain, context.clock().instant());
  }

  /// The other server has proved the remote domain of the pair.
  void accept(DomainPair pair, String by) {
    establish();
    link.accept(pair, by);
  }

  /// The other server may send as much as one that has proved its domain.
  void raiseLimits() {
    if (!raised) {
      raised = true;
      stream.authenticated(context.provedLimits());
    }
  }

  /// Negotiation is complete.
  void establish() {
    raiseLimits();
    if (!stream.isEstablished()) {
      stream.establish();
    }
  }

  /// Ends the stream without a stream error; `why` goes to the queues.
  void end(ServerStreamFailure.Reason reason, String detail) {
    failure = new ServerStreamFailure(reason, detail);
    stream.finish();
  }

  /// The failure that has ended the stream.
  ServerStreamFailure failure(boolean lost) {
    ServerStreamFailure known = failure;
    if (known != null) {
      return known;
    }
    return lost
        ? new ServerStreamFailure(ServerStreamFailure.Reason.LOST, "the connection broke")
        : new ServerStreamFailure(ServerStreamFailure.Reason.CLOSED, "the stream was closed");
  }

  /// The text of the language in the peer's header, which is that of its stanzas.
  void setLang(StreamHeader header) {
    lang = StreamLang.checked(header.lang());
  }

  // ---- elements

  @Override
  public void receive(Frame frame) {
    switch (frame.name().namespace()) {
      case Namespaces.CLIENT -> stanza(frame);
      case Namespaces.STREAM -> streamElement(frame);
      case Acknowledgements.NAMESPACE -> management(frame);
      case StreamXml.DIALBACK -> dialbackElement(frame.toElement());
      default -> negotiation(frame);
    }
  }

  /// Handles an element of the negotiation.
  abstract void negotiation(Frame frame);

  /// Handles an answer to a dialback request of this server.
  abstract void dialbackAnswer(DialbackElement answer);

  /// Handles an element of XEP-0198 that has to do with enabling it or with resumption; false if it
  /// is none.
  abstract boolean enabling(Frame frame);

  void streamElement(Frame frame) {
    if (frame.name().name().equals("error")) {
      Element error = frame.toElement();
      String condition = "";
      String text = "";
      for (Element each : error.children()) {
        if (each.name().equals(ERROR_TEXT)) {
          text = each.text();
        } else if (each.name().namespace().equals(Namespaces.STREAM_ERRORS)) {
          condition = each.name().name();
        }
      }
      failure = streamError(condition, text);
      LOG.atInfo()
          .addKeyValue("address", transport().remoteAddress().getHostAddress())
          .addKeyValue("condition", condition)
          .addKeyValue("text", text)
          .log("server_stream_error_received");
    }
    stream.receiveStreamElement(frame.name());
  }

  private static ServerStreamFailure streamError(String condition, String text) {
    ServerStreamFailure.Reason reason =
        switch (condition) {
          case "host-unknown", "host-gone" -> ServerStreamFailure.Reason.NO_SUCH_DOMAIN;
          case "not-authorized", "invalid-from", "policy-violation" ->
              ServerStreamFailure.Reason.NOT_ACCEPTED;
          case "connection-timeout" -> ServerStreamFailure.Reason.TIMEOUT;
          default -> ServerStreamFailure.Reason.CLOSED;
        };
    return new ServerStreamFailure(
        reason,
        "the other server has ended the stream with the error "
            + condition
            + (text.isEmpty() ? "" : ": " + text));
  }

  private void dialbackElement(Element element) {
    DialbackElement read = DialbackElement.read(element);
    if (read == null) {
      stream.fail(StreamErrorCondition.IMPROPER_ADDRESSING, "dialback without valid domains");
    } else if (read.outcome() != null) {
      dialbackAnswer(read);
    } else if (read.kind() == DialbackElement.Kind.VERIFY) {
      dialback.verify(read);
    } else {
      dialbackRequest(read);
    }
  }

  /// Handles the other server's request to accept it.
  abstract void dialbackRequest(DialbackElement request);

  DialbackRequests dialback() {
    return dialback;
  }

  /// An answer that this server has not asked for (XEP-0220, section 4): an attempt to spoof.
  void rejectUnsolicited(DialbackElement answer) {
    LOG.atWarn()
        .addKeyValue("address", transport().remoteAddress().getHostAddress())
        .addKeyValue("from", answer.from())
        .addKeyValue("to", answer.to())
        .log("dialback_answer_unsolicited");
    stream.fail(StreamErrorCondition.INVALID_FROM, "a dialback answer that was not asked for");
  }

  // ---- stanzas

  private void stanza(Frame frame) {
    switch (frame.name().name()) {
      case "message", "presence", "iq" -> {}
      default -> {
        stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
        return;
      }
    }
    if (link.acceptedPairs() == 0) {
      stream.fail(StreamErrorCondition.NOT_AUTHORIZED, "no domain has been proved");
      return;
    }
    if (frame.attribute("from") == null || frame.attribute("to") == null) {
      stream.fail(StreamErrorCondition.IMPROPER_ADDRESSING, "a stanza without from or to");
      return;
    }
    try {
      receive(Stanza.received(frame));
    } catch (StanzaFormatException e) {
      // Not the end of the stream: what this server cannot read, another user may not suffer from.
      unreadable(UnreadableStanza.of(frame, e));
    }
  }

  private void unreadable(UnreadableStanza stanza) {
    LOG.atInfo()
        .addKeyValue("address", transport().remoteAddress().getHostAddress())
        .addKeyValue("from", stanza.frame().attribute("from"))
        .addKeyValue("cause", stanza.cause().getMessage())
        .log("server_stanza_malformed");
    DomainPair pair = stanza.pair();
    if (pair != null && !accepts(pair)) {
      return;
    }
    transport().received();
    link.receiveUnreadable(pair, pair == null ? null : stanza.answer());
  }

  /// Whether the other server speaks for the remote domain of the pair; ends the stream otherwise.
  private boolean accepts(DomainPair pair) {
    if (link.accepts(pair)) {
      return true;
    }
    boolean served = context.served().findHost(pair.local()) != null;
    stream.fail(
        served ? StreamErrorCondition.INVALID_FROM : StreamErrorCondition.HOST_UNKNOWN,
        "not proved: from " + pair.remote() + " to " + pair.local());
    return false;
  }

  private void receive(Stanza stanza) {
    Jid from = stanza.from();
    Jid to = stanza.to();
    if (from == null || to == null) {
      stream.fail(StreamErrorCondition.IMPROPER_ADDRESSING, "a stanza without from or to");
      return;
    }
    DomainPair pair = new DomainPair(to.domain(), from.domain());
    if (!accepts(pair)) {
      return;
    }
    transport().received();
    stanzaComes();
    link.receive(pair, lang == null || stanza.lang() != null ? stanza : stanza.withLang(lang));
  }

  /// Called before a stanza is passed on.
  void stanzaComes() {}

  // ---- acknowledgements

  private void management(Frame frame) {
    String name = frame.name().name();
    Acknowledgements enabled = acknowledgements;
    if (enabling(frame)) {
      return;
    }
    if (enabled != null) {
      enabled.receive(name, frame.attribute("h"));
    } else {
      stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    }
  }

  boolean isManaged() {
    return acknowledgements != null;
  }

  /// Stanzas are acknowledged from now on.
  ///
  /// @param answer goes to the other server, or null
  void manage(@Nullable Element answer) {
    link.manage(stream, answer);
    acknowledgements = new Acknowledgements(stream, link, context.patienceMillis());
  }

  /// Whether a link may go on over this stream, which was opened for that pair: what was proved on
  /// another connection says nothing about this one.
  boolean provesPairsOf(ServerLink other, DomainPair opened) {
    Set<DomainPair> pairs = other.pairs();
    return pairs.contains(opened)
        && other.isBidirectional() == bidirectional
        && pairs.stream().allMatch(pair -> pair.equals(opened) || provesBySelf(pair));
  }

  private boolean provesBySelf(DomainPair pair) {
    return context.policy().isAllowed(pair)
        && (link.accepts(pair) || findCertificateProblem(pair.remote()) == null);
  }

  /// The stream carries an interrupted link from now on, in place of its own.
  ///
  /// @param count what the other server has of the stanzas of the link
  /// @param answer goes to the other server before any stanza, or null
  /// @param trust how it has proved its domain
  /// @return false if the link has ended meanwhile
  boolean adopt(ServerLink other, long count, @Nullable Element answer, String trust) {
    ServerLink own = link;
    Acknowledgements before = acknowledgements;
    link = other;
    acknowledgements = new Acknowledgements(stream, other, context.patienceMillis());
    if (!other.resume(stream, count, answer)) {
      link = own;
      acknowledgements = before;
      return false;
    }
    other.setTrust(trust);
    other.setMaxStanzaBytes(own.maxStanzaBytes());
    own.end(
        stream,
        new ServerStreamFailure(ServerStreamFailure.Reason.CLOSED, "it goes on with another"));
    return true;
  }

  @Override
  public void flushing() {
    if (acknowledgements != null && !stream.closed()) {
      acknowledgements.flushing();
    }
  }

  @Override
  public boolean tick(long now) {
    return acknowledgements == null || acknowledgements.tick(now);
  }

  /// Asks for an acknowledgement. Without them a server that only receives has no way to answer,
  /// and silence means nothing: whether the connection is alive is left to TCP.
  @Override
  public void ping() {
    if (acknowledgements != null) {
      acknowledgements.ask();
    } else {
      stream.noteInput();
    }
  }

  @Override
  public void stopping() {
    stopping = true;
    failure = new ServerStreamFailure(ServerStreamFailure.Reason.CLOSED, "this server stops");
  }

  @Override
  public void closing() {
    if (acknowledgements != null) {
      acknowledgements.answer();
    }
  }

  @Override
  public void written(long number) {
    link.written(number);
  }

  @Override
  public void ended(boolean lost) {
    dialback.cancel();
    if (lost && !stopping && link.interrupt(stream)) {
      return;
    }
    if (link.awaitsWritten()) {
      endedBy = failure(lost);
    } else {
      link.end(stream, failure(lost));
    }
  }

  /// What has not left by now is sent again on another stream.
  @Override
  public void outputEnded() {
    ServerStreamFailure why = endedBy;
    if (why != null) {
      link.end(stream, why);
    }
  }
}
