package im.zonda.stream.client;

import im.zonda.jid.Jid;
import im.zonda.module.IdSource;
import im.zonda.router.BoundSession;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.StreamTransport;
import im.zonda.xml.Element;
import im.zonda.xml.Frame;
import im.zonda.xml.QName;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The elements of a stream that has its session. Runs on the stream's thread.
final class BoundStream {
  private static final String CLIENT_STATE = "urn:xmpp:csi:0";
  private static final long BEGIN_MILLIS = 5_000;
  private static final String PING = "urn:xmpp:ping";

  private final ClientStream stream;
  private final StreamTransport transport;
  private final StreamHost host;
  private final BoundSession session;
  private final @Nullable String lang;
  private final Duration patience;
  private final long since;
  private boolean begun;
  private @Nullable StreamManagement management;

  /// @param lang the language of the stream
  /// @param patience how long the client may take to answer
  BoundStream(
      ClientStream stream,
      StreamTransport transport,
      StreamHost host,
      BoundSession session,
      @Nullable String lang,
      Duration patience) {
    this.stream = stream;
    this.transport = transport;
    this.host = host;
    this.session = session;
    this.lang = lang;
    this.patience = patience;
    this.since = transport.now();
  }

  /// The session.
  BoundSession session() {
    return session;
  }

  // ---- stream management (XEP-0198)

  /// The session is managed already.
  void managed() {
    management = new StreamManagement(stream, session, patience.toMillis());
  }

  /// Whether stream management is enabled.
  boolean isManaged() {
    return management != null;
  }

  /// Makes the stream a managed one; `answer` writes the answer to the client where it belongs.
  void manage(Element enable, Consumer<Element> answer) {
    boolean done =
        session.manage(
            StreamManagement.wantsResumption(enable),
            managed -> answer.accept(StreamManagement.enabled(managed)));
    if (done) {
      managed();
    } else {
      answer.accept(StreamManagement.failed(ErrorCondition.UNEXPECTED_REQUEST, null));
    }
  }

  /// All that the client has asked about has been handled.
  void allHandled() {
    if (management != null) {
      management.handled();
    }
  }

  /// What was written is about to leave.
  void flushing() {
    if (management != null) {
      management.flushing();
    }
  }

  /// What the client is told has been handled it need not send again.
  void lastWord() {
    if (management != null) {
      management.answer();
    }
  }

  /// Looks at the time; false if the client has not answered for too long.
  boolean tick(long now) {
    if (!begun && now - since >= BEGIN_MILLIS) {
      begun = true;
      session.begun();
    }
    return management == null || management.tick(now);
  }

  // ---- elements

  /// Takes a first-level element.
  void element(Frame frame) {
    QName name = frame.name();
    switch (name.namespace()) {
      case Namespaces.CLIENT -> stanza(frame);
      case Namespaces.STREAM -> stream.streamElement(name);
      case StreamManagement.NAMESPACE -> managementElement(frame);
      case CLIENT_STATE -> clientState(name);
      default -> stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    }
  }

  private void managementElement(Frame frame) {
    QName name = frame.name();
    StreamManagement managed = management;
    if (name.name().equals("enable")) {
      // A second one is refused, and the stream goes on: section 3 would have it closed, but there
      // are clients that reconnect for ever then.
      manage(frame.toElement(), stream::write);
    } else if (managed != null) {
      managed.element(name, frame.attribute("h"));
    } else if (name.name().equals("resume")) {
      stream.write(StreamManagement.failed(ErrorCondition.UNEXPECTED_REQUEST, null));
    } else {
      stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    }
  }

  /// XEP-0352, section 4.
  private void clientState(QName name) {
    switch (name.name()) {
      case "active" -> session.active(true);
      case "inactive" -> session.active(false);
      default -> stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    }
  }

  private void stanza(Frame frame) {
    Stanza stanza;
    try {
      if (!isStanza(frame.name())) {
        stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
        return;
      }
      stanza = Stanza.of(frame);
    } catch (StanzaFormatException e) {
      session.dealtWith();
      stream.refuse(e, session.jid().bare());
      return;
    }
    transport.received();
    Jid from = stanza.from();
    if (from != null && !from.equals(session.jid()) && !from.equals(session.jid().bare())) {
      stream.fail(StreamErrorCondition.INVALID_FROM, null);
      return;
    }
    if (lang != null && stanza.lang() == null) {
      // RFC 6120, section 8.1.5: the stream's language is that of its stanzas.
      stanza = stanza.withLang(lang);
    }
    if (stanza instanceof Iq iq && answered(iq)) {
      session.dealtWith();
    } else {
      session.received(stanza);
    }
  }

  private static boolean isStanza(QName name) {
    return switch (name.name()) {
      case "message", "presence", "iq" -> true;
      default -> false;
    };
  }

  /// Answers what concerns the stream itself: a second bind, the old session request.
  private boolean answered(Iq iq) {
    QName payload = iq.type() == Iq.Type.SET ? iq.payloadName() : null;
    if (payload == null) {
      return false;
    }
    Jid to = iq.to();
    boolean forServer = to == null || to.equals(host.domain());
    if (forServer && payload.namespace().equals(Namespaces.SESSION)) {
      session.send(Iq.result(iq, null));
      return true;
    }
    if (forServer && payload.namespace().equals(Namespaces.BIND)) {
      session.send(Iq.error(iq, StanzaError.of(ErrorCondition.NOT_ALLOWED)));
      return true;
    }
    return false;
  }

  /// Asks the client for a sign of life.
  void ping(IdSource ids) {
    if (management != null) {
      management.ask();
    } else {
      Element payload = Element.of(PING, "ping");
      session.send(Iq.of(Iq.Type.GET, host.domain(), session.jid(), ids.next(), payload));
    }
  }
}
