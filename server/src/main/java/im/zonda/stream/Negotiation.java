package im.zonda.stream;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.IqReply;
import im.zonda.module.UnauthenticatedHandler;
import im.zonda.module.Xep;
import im.zonda.router.BoundSession;
import im.zonda.router.Resumed;
import im.zonda.router.SessionGate;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.Element;
import im.zonda.xml.Frame;
import im.zonda.xml.QName;
import im.zonda.xml.StreamHeader;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A stream until its resource is bound: headers, TLS, authentication, binding (RFC 6120, sections
/// 4 to 7). Dropped after that, so that an idle session does not pay for it.
///
/// While something is done elsewhere the input waits, so that steps never overlap.
@Xep(number = 478, version = "0.2.0", title = "Stream Limits Advertisement")
final class Negotiation {
  private static final Logger LOG = LoggerFactory.getLogger(Negotiation.class);
  private static final Element CLIENT_STATE = Element.of("urn:xmpp:csi:0", "csi");
  private static final QName BIND = new QName(Namespaces.BIND, "bind");

  private final ClientStream stream;
  private final StreamContext context;
  private final StreamTransport transport;

  private @Nullable StreamHost host;
  private @Nullable SaslLogin sasl;
  private @Nullable Jid account;
  private int unauthenticatedBytes;
  private boolean startTls;
  private boolean waiting;
  private byte[] waitingInput = new byte[0];

  Negotiation(ClientStream stream, StreamContext context, StreamTransport transport) {
    this.stream = stream;
    this.context = context;
    this.transport = transport;
  }

  ClientStream stream() {
    return stream;
  }

  /// The name of the mechanism that authenticated the client, or null.
  @Nullable String mechanism() {
    SaslMechanism mechanism = sasl == null ? null : sasl.mechanism();
    return mechanism == null ? null : mechanism.saslName();
  }

  // ---- input

  /// Takes bytes from the client.
  void input(byte[] bytes, int offset, int length) {
    if (waiting) {
      keep(bytes, offset, length);
      return;
    }
    int allowed = length;
    if (account == null) {
      allowed = Math.min(length, context.limits().unauthenticatedBytes() - unauthenticatedBytes);
      unauthenticatedBytes += allowed;
    }
    int unread = length - allowed + stream.feed(bytes, offset, allowed);
    if (stream.closed() || (unread == 0 && !startTls)) {
      return;
    }
    if (startTls) {
      startTls(unread);
    } else if (waiting) {
      if (account == null) {
        unauthenticatedBytes -= unread - (length - allowed);
      }
      keep(bytes, offset + length - unread, unread);
    } else if (account == null) {
      stream.fail(StreamErrorCondition.POLICY_VIOLATION, "too much before authentication");
    } else {
      stream.input(bytes, offset + length - unread, unread);
    }
  }

  private void keep(byte[] bytes, int offset, int length) {
    int before = waitingInput.length;
    if (before + length > context.limits().client().maxBytes()) {
      stream.fail(StreamErrorCondition.POLICY_VIOLATION, "too much at once");
      return;
    }
    waitingInput = Arrays.copyOf(waitingInput, before + length);
    System.arraycopy(bytes, offset, waitingInput, before, length);
  }

  private void await() {
    waiting = true;
    stream.stopFraming();
    stream.pauseReadingNow();
  }

  private void goOn() {
    waiting = false;
    byte[] input = waitingInput;
    waitingInput = new byte[0];
    if (input.length > 0) {
      stream.input(input, 0, input.length);
    }
    stream.resumeReadingNow();
  }

  /// Does `work` on another thread and what it returns on this one; `broken` if it throws. Input
  /// waits meanwhile.
  void elsewhere(Callable<Runnable> work, Consumer<Exception> broken) {
    await();
    try {
      context
          .authenticator()
          .run(() -> {
            Runnable then = outcome(work, broken);
            transport.execute(() -> {
              if (!stream.closed()) {
                then.run();
                goOn();
              }
            });
          });
    } catch (RejectedExecutionException e) {
      LOG.atWarn().setCause(e).log("stream_work_rejected");
      stream.fail(StreamErrorCondition.RESOURCE_CONSTRAINT, null);
    }
  }

  private static Runnable outcome(Callable<Runnable> work, Consumer<Exception> broken) {
    try {
      return work.call();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return () -> broken.accept(e);
    } catch (Exception e) {
      return () -> broken.accept(e);
    }
  }

  // ---- the header

  /// Takes the client's stream header (RFC 6120, section 4.7): answers it and offers features, or
  /// ends the stream.
  void open(StreamHeader header) {
    String lang = StreamLang.checked(header.lang());
    stream.lang(lang);
    StreamHost found = null;
    Jid from = null;
    StreamErrorCondition error = formError(header);
    if (error == null) {
      try {
        String to = header.attribute("to");
        Jid domain = to == null ? null : Jid.of(to);
        if (domain != null && domain.isDomain()) {
          found = context.hosts().apply(domain.domain());
        }
        String ownAddress = header.attribute("from");
        from = ownAddress == null ? null : Jid.of(ownAddress);
        error = addressError(found, from);
      } catch (JidFormatException e) {
        error = StreamErrorCondition.IMPROPER_ADDRESSING;
      }
    }
    stream.open(
        new StreamOpening(found == null ? null : found.domain(), from, context.ids().next(), lang));
    if (error != null || found == null) {
      stream.fail(error == null ? StreamErrorCondition.HOST_UNKNOWN : error, null);
      return;
    }
    host = found;
    stream.write(features(found));
  }

  private static @Nullable StreamErrorCondition formError(StreamHeader header) {
    if (!header.name().namespace().equals(Namespaces.STREAM)
        || !header.defaultNamespace().equals(Namespaces.CLIENT)) {
      return StreamErrorCondition.INVALID_NAMESPACE;
    }
    if (!header.name().name().equals("stream")) {
      return StreamErrorCondition.BAD_FORMAT;
    }
    return isVersion1(header.attribute("version"))
        ? null
        : StreamErrorCondition.UNSUPPORTED_VERSION;
  }

  /// Whether the major version is 1 or more; the server then speaks 1.0 (section 4.7.5).
  private static boolean isVersion1(@Nullable String version) {
    if (version == null) {
      return false;
    }
    int dot = version.indexOf('.');
    boolean digits =
        dot > 0
            && dot < version.length() - 1
            && version.length() <= 9
            && version.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'))
            && version.indexOf('.', dot + 1) < 0;
    return digits && Integer.parseInt(version.substring(0, dot)) >= 1;
  }

  private @Nullable StreamErrorCondition addressError(
      @Nullable StreamHost found, @Nullable Jid from) {
    Jid authenticated = account;
    if (found == null) {
      return StreamErrorCondition.HOST_UNKNOWN;
    }
    if (authenticated == null) {
      return null;
    }
    if (!found.domain().domain().equals(authenticated.domain())) {
      // Whoever is authenticated at one host is nobody at another.
      return StreamErrorCondition.HOST_UNKNOWN;
    }
    return from == null || from.bare().equals(authenticated)
        ? null
        : StreamErrorCondition.INVALID_FROM;
  }

  // ---- features

  private Element features(StreamHost at) {
    Element.Builder features = Element.builder(Namespaces.STREAM, "features");
    if (account != null) {
      features.child(Element.of(BIND));
      features.child(
          Element.builder(Namespaces.SESSION, "session")
              .child(Element.of(Namespaces.SESSION, "optional"))
              .build());
      features.child(StreamManagement.FEATURE);
      features.child(CLIENT_STATE);
      features.children(at.featuresAfter().get());
      features.child(limits(context.limits().client().maxBytes()));
      return features.build();
    }
    SaslOffer offer = maySpeakOpenly() ? new SaslOffer(transport) : null;
    if (sasl == null) {
      sasl = new SaslLogin(this, context, at);
    }
    sasl.offered(at, offer);
    if (mayStartTls()) {
      Element.Builder starttls = Element.builder(Namespaces.TLS, "starttls");
      if (offer == null) {
        starttls.child(Element.of(Namespaces.TLS, "required"));
      }
      features.child(starttls.build());
    }
    if (offer != null) {
      offer.addTo(features);
      features.children(at.featuresBefore().get());
    }
    features.child(limits(context.limits().beforeAuthentication().maxBytes()));
    return features.build();
  }

  private Element limits(int maxBytes) {
    String idle = Long.toString(context.limits().idleTime().toSeconds());
    return Element.builder("urn:xmpp:stream-limits:0", "limits")
        .child("max-bytes", Integer.toString(maxBytes))
        .child("idle-seconds", idle)
        .build();
  }

  /// Whether secrets may pass on this connection as it is.
  private boolean maySpeakOpenly() {
    return transport.secure() || (context.plaintextOnLoopback() && transport.loopback());
  }

  private boolean mayStartTls() {
    return !transport.secure() && transport.canStartTls();
  }

  // ---- elements

  /// Takes a first-level element.
  void frame(Frame frame) {
    StreamHost at = host;
    if (at == null) {
      throw new IllegalStateException("an element before the stream header");
    }
    QName name = frame.name();
    switch (name.namespace()) {
      case Namespaces.TLS -> tls(name);
      case Namespaces.SASL -> sasl(frame);
      case Namespaces.CLIENT -> stanza(at, frame);
      case Namespaces.STREAM -> stream.streamElement(name);
      case StreamManagement.NAMESPACE -> managed(at, frame);
      default ->
          stream.fail(
              account == null
                  ? StreamErrorCondition.NOT_AUTHORIZED
                  : StreamErrorCondition.UNSUPPORTED_STANZA_TYPE,
              null);
    }
  }

  private void tls(QName name) {
    if (!name.name().equals("starttls")) {
      stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    } else if (mayStartTls() && account == null) {
      startTls = true;
      stream.stopFraming();
    } else {
      // RFC 6120, section 5.4.2.2: a failure ends the stream.
      stream.write(Element.of(Namespaces.TLS, "failure"));
      stream.finish();
    }
  }

  private void startTls(int bytesAfter) {
    startTls = false;
    if (bytesAfter > 0) {
      // Somebody may have put them there to be taken for encrypted input.
      stream.fail(StreamErrorCondition.POLICY_VIOLATION, "input between STARTTLS and TLS");
      return;
    }
    stream.write(Element.of(Namespaces.TLS, "proceed"));
    transport.startTls();
    host = null;
    stream.restart();
  }

  private void sasl(Frame frame) {
    SaslLogin login = sasl;
    if (account != null || login == null) {
      stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    } else {
      login.element(frame.toElement());
    }
  }

  /// The client has proved that the account is its own; it opens the stream anew.
  void authenticated(Jid jid) {
    account = jid;
    host = null;
    stream.restart();
    stream.limits(context.limits().client());
  }

  // ---- stanzas

  private void stanza(StreamHost at, Frame frame) {
    if (!frame.name().name().equals("iq")) {
      stream.fail(StreamErrorCondition.NOT_AUTHORIZED, null);
      return;
    }
    Iq iq;
    try {
      if (!(Stanza.of(frame) instanceof Iq read)) {
        stream.fail(StreamErrorCondition.NOT_AUTHORIZED, null);
        return;
      }
      iq = read;
    } catch (StanzaFormatException e) {
      if (account == null) {
        stream.fail(StreamErrorCondition.NOT_AUTHORIZED, null);
      } else {
        stream.refuse(e, at.domain());
      }
      return;
    }
    Element payload = iq.isRequest() ? iq.payload() : null;
    if (payload == null) {
      stream.fail(StreamErrorCondition.NOT_AUTHORIZED, null);
    } else if (account == null) {
      unauthenticated(at, iq, payload);
    } else if (iq.type() == Iq.Type.SET && payload.name().equals(BIND)) {
      bind(at, account, iq, payload);
    } else {
      stream.fail(StreamErrorCondition.NOT_AUTHORIZED, "bind a resource first");
    }
  }

  private void unauthenticated(StreamHost at, Iq iq, Element payload) {
    UnauthenticatedHandler handler =
        maySpeakOpenly() ? at.unauthenticated().handler(iq.type(), payload.name()) : null;
    if (handler == null) {
      stream.fail(StreamErrorCondition.NOT_AUTHORIZED, null);
      return;
    }
    // Nobody has proved who they are: the request comes from nobody.
    Iq request = iq.withAddresses(null, at.domain());
    elsewhere(
        () -> {
          IqReply reply = handler.handle(request, payload, transport.remoteAddress());
          return () -> answer(request, reply);
        },
        cause -> {
          LOG.atError().setCause(cause).addKeyValue("payload", payload.name()).log("iq_failed");
          answer(request, IqReply.refuse(ErrorCondition.INTERNAL_SERVER_ERROR));
        });
  }

  private void answer(Iq request, IqReply reply) {
    Iq answer =
        switch (reply) {
          case IqReply.Result result -> Iq.result(request, result.payload());
          case IqReply.Refuse refusal -> Iq.error(request, refusal.error());
          case IqReply.Later later -> {
            LOG.atError().addKeyValue("payload", request.payloadName()).log("iq_reply_impossible");
            yield Iq.error(request, StanzaError.of(ErrorCondition.INTERNAL_SERVER_ERROR));
          }
        };
    transport.send(answer, null);
  }

  // ---- binding

  private void bind(StreamHost at, Jid jid, Iq iq, Element payload) {
    // No `from` can be right before the resource is known.
    Iq request = iq.withAddresses(null, null);
    Element child = payload.child("resource");
    String resource = child == null || child.text().isEmpty() ? null : child.text();
    if (resource != null) {
      try {
        resource = jid.withResource(resource).resource();
      } catch (JidFormatException e) {
        transport.send(Iq.error(request, StanzaError.of(ErrorCondition.BAD_REQUEST)), null);
        return;
      }
    }
    await();
    at.gate().bind(jid, resource, stream, new BindAnswer(at, request));
  }

  // ---- resumption

  /// XEP-0198 before a resource is bound: only a session that exists can be managed.
  private void managed(StreamHost at, Frame frame) {
    Jid jid = account;
    if (jid == null) {
      stream.fail(StreamErrorCondition.NOT_AUTHORIZED, null);
      return;
    }
    StreamManagement.Resume resume =
        frame.name().name().equals("resume") ? StreamManagement.Resume.of(frame.toElement()) : null;
    if (resume == null) {
      boolean form = frame.name().name().equals("resume");
      ErrorCondition condition =
          form ? ErrorCondition.BAD_REQUEST : ErrorCondition.UNEXPECTED_REQUEST;
      stream.write(StreamManagement.failed(condition, null));
      return;
    }
    await();
    at.gate()
        .resume(
            jid,
            resume.previd(),
            resume.h(),
            stream,
            outcome -> transport.execute(() -> resumed(at, resume, outcome)));
  }

  private void resumed(StreamHost at, StreamManagement.Resume resume, Resumed outcome) {
    switch (outcome) {
      case Resumed.Done(BoundSession session, long handled) -> {
        Element answer = StreamManagement.resumed(resume.previd(), handled);
        if (stream.closed()) {
          session.lost();
          return;
        }
        stream.bound(at, session).managed();
        session.attach(() -> stream.write(answer));
        goOn();
      }
      case Resumed.NotFound(Long handled) -> {
        if (!stream.closed()) {
          stream.write(StreamManagement.failed(ErrorCondition.ITEM_NOT_FOUND, handled));
          goOn();
        }
      }
      case Resumed.TooHigh(long sent) ->
          stream.fail(
              StreamErrorCondition.UNDEFINED_CONDITION,
              null,
              StreamManagement.tooHigh(resume.h(), sent));
    }
  }

  /// Called by any thread.
  private final class BindAnswer implements SessionGate.Binding {
    private final StreamHost at;
    private final Iq request;

    private BindAnswer(StreamHost at, Iq request) {
      this.at = at;
      this.request = request;
    }

    @Override
    public void bound(BoundSession session) {
      Element jid = Element.builder(BIND).child("jid", session.jid().toString()).build();
      Iq answer = Iq.result(request, jid);
      transport.execute(() -> becomeBound(at, session, () -> transport.send(answer, null)));
    }

    @Override
    public void refused(ErrorCondition condition) {
      transport.send(Iq.error(request, StanzaError.of(condition)), null);
      transport.execute(() -> {
        if (!stream.closed()) {
          goOn();
        }
      });
    }
  }

  /// The stream has its session; `answer` tells the client.
  private void becomeBound(StreamHost at, BoundSession session, Runnable answer) {
    if (stream.closed()) {
      session.lost();
      return;
    }
    BoundStream _ = stream.bound(at, session);
    session.attach(answer);
    goOn();
  }
}
