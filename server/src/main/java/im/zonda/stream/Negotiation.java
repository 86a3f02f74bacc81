package im.zonda.stream;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.Xep;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.Element;
import im.zonda.xml.Frame;
import im.zonda.xml.QName;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.XmlChars;
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

  private final ClientStream stream;
  private final StreamContext context;
  private final StreamTransport transport;
  private final EarlyRequests requests;
  private final ResourceBinding binding;
  private final Resuming resuming;
  private final LoginFailures failures;

  private @Nullable StreamHost host;
  private @Nullable Jid from;
  private @Nullable SaslLogin sasl;
  private @Nullable Sasl2Login sasl2;
  private @Nullable Jid account;
  private @Nullable String mechanism;
  private int unauthenticatedBytes;
  private boolean startTls;

  /// What is being done elsewhere before input is read again.
  private int waiting;

  private byte[] waitingInput = new byte[0];

  Negotiation(ClientStream stream, StreamContext context, StreamTransport transport) {
    this.stream = stream;
    this.context = context;
    this.transport = transport;
    this.requests = new EarlyRequests(this, stream, transport);
    this.binding = new ResourceBinding(this, stream, transport);
    this.resuming = new Resuming(this, stream);
    this.failures = new LoginFailures(this, context, transport);
  }

  ClientStream stream() {
    return stream;
  }

  ResourceBinding binding() {
    return binding;
  }

  LoginFailures failures() {
    return failures;
  }

  /// The stream has ended before a resource was bound.
  void ended() {
    failures.ended();
  }

  /// The name of the mechanism that authenticated the client, or null.
  @Nullable String mechanism() {
    return mechanism;
  }

  // ---- input

  /// Takes bytes from the client.
  void input(byte[] bytes, int offset, int length) {
    if (waiting > 0) {
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
      startTls(bytes, offset + length - unread, unread);
    } else if (waiting > 0) {
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
    int allowed =
        account == null
            ? context.limits().unauthenticatedBytes() - unauthenticatedBytes
            : context.limits().client().maxBytes();
    if (before + length > allowed) {
      stream.fail(StreamErrorCondition.POLICY_VIOLATION, "too much at once");
      return;
    }
    waitingInput = Arrays.copyOf(waitingInput, before + length);
    System.arraycopy(bytes, offset, waitingInput, before, length);
  }

  /// Input waits from now on, until [#goOn] was called as often as this.
  void await() {
    if (waiting++ == 0) {
      stream.stopFraming();
      stream.pauseReadingNow();
    }
  }

  /// Reads on; the stream may be bound by now.
  void goOn() {
    if (--waiting > 0) {
      return;
    }
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
    from = HeaderRules.from(header);
    StreamErrorCondition error = HeaderRules.formError(header);
    if (error == null) {
      try {
        String to = header.attribute("to");
        Jid domain = to == null ? null : Jid.of(to);
        if (domain != null && domain.isDomain()) {
          found = context.hosts().apply(domain.domain());
        }
        error = HeaderRules.hostError(found, account);
      } catch (JidFormatException e) {
        error = StreamErrorCondition.IMPROPER_ADDRESSING;
      }
    }
    if (error == null && account != null) {
      error = HeaderRules.fromError(header, account);
    }
    stream.open(
        new StreamOpening(
            found == null ? null : found.domain(),
            from,
            context.ids().next(),
            StreamLang.ofServer(lang)));
    if (error != null || found == null) {
      stream.fail(error == null ? StreamErrorCondition.HOST_UNKNOWN : error, null);
      return;
    }
    host = found;
    stream.write(features(found));
  }

  // ---- features

  /// What a stream to that host is offered as it is now.
  Element features(StreamHost at) {
    Element.Builder features = Element.builder(Namespaces.STREAM, "features");
    if (account != null) {
      features.child(Element.of(EarlyRequests.BIND));
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
      sasl = new SaslLogin(this, context, failures, at);
    }
    if (sasl2 == null) {
      Bind2 bind2 = new Bind2(this, context, stream);
      sasl2 = new Sasl2Login(this, context, failures, new Sasl2Success(this, resuming, bind2), at);
    }
    sasl.offered(at, offer);
    sasl2.offered(at, offer, from);
    if (mayStartTls()) {
      Element.Builder starttls = Element.builder(Namespaces.TLS, "starttls");
      if (offer == null) {
        starttls.child(Element.of(Namespaces.TLS, "required"));
      }
      features.child(starttls.build());
    }
    if (offer != null) {
      offer.addTo(features);
      features.child(authentication(at, offer));
      features.children(at.featuresBefore().get());
    }
    features.child(limits(context.limits().beforeAuthentication().maxBytes()));
    return features.build();
  }

  /// What a bound stream is still offered.
  ///
  /// @param managed whether stream management has been enabled: there are clients that would enable
  ///   it again
  Element featuresWhenBound(StreamHost at, boolean managed) {
    Element.Builder features = Element.builder(Namespaces.STREAM, "features");
    if (!managed) {
      features.child(StreamManagement.FEATURE);
    }
    return features
        .child(CLIENT_STATE)
        .children(at.featuresAfter().get())
        .child(limits(context.limits().client().maxBytes()))
        .build();
  }

  /// The feature of XEP-0388, section 2.1.
  private static Element authentication(StreamHost at, SaslOffer offer) {
    Element.Builder feature = Element.builder(Sasl2Request.NAMESPACE, "authentication");
    for (SaslMechanism each : offer.mechanisms()) {
      feature.child("mechanism", each.saslName());
    }
    feature.child(
        Element.builder(Sasl2Request.NAMESPACE, "inline")
            .child(Bind2.feature(at))
            .child(StreamManagement.FEATURE)
            .child(fast(offer))
            .build());
    for (String task : UpgradeTasks.OFFERED) {
      feature.child(Element.text(new QName(UpgradeTasks.NAMESPACE, "upgrade"), task));
    }
    return feature.build();
  }

  /// XEP-0484, section 3.1.
  private static Element fast(SaslOffer offer) {
    Element.Builder fast = Element.builder(ClientTokens.NAMESPACE, "fast");
    for (TokenMechanism each : TokenMechanism.values()) {
      if (each.bindingOf(offer) != null) {
        fast.child("mechanism", each.saslName());
      }
    }
    return fast.build();
  }

  private Element limits(int maxBytes) {
    String idle = Long.toString(context.limits().idleTime().toSeconds());
    return Element.builder("urn:xmpp:stream-limits:0", "limits")
        .child("max-bytes", Integer.toString(maxBytes))
        .child("idle-seconds", idle)
        .build();
  }

  /// Whether secrets may pass on this connection as it is.
  boolean maySpeakOpenly() {
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
    Sasl2Login inline = sasl2;
    if (inline != null
        && inline.underWay()
        && !name.namespace().equals(Sasl2Request.NAMESPACE)
        && !name.namespace().equals(Namespaces.STREAM)) {
      inline.outOfTurn();
      return;
    }
    switch (name.namespace()) {
      case Namespaces.TLS -> tls(name);
      case Namespaces.SASL -> sasl(frame);
      case Sasl2Request.NAMESPACE -> sasl2(frame);
      case Namespaces.CLIENT -> requests.stanza(at, account, frame);
      case Namespaces.STREAM -> stream.streamElement(name);
      case StreamManagement.NAMESPACE -> resuming.element(at, account, frame);
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

  /// Begins TLS. The bytes that follow the request are dropped if they are white space; anything
  /// else may have been injected to be taken for encrypted input, and ends the stream.
  private void startTls(byte[] bytes, int offset, int length) {
    startTls = false;
    for (int i = offset; i < offset + length; i++) {
      if (!XmlChars.isSpace(bytes[i])) {
        stream.fail(StreamErrorCondition.POLICY_VIOLATION, "input between STARTTLS and TLS");
        return;
      }
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

  private void sasl2(Frame frame) {
    Sasl2Login login = sasl2;
    if (account != null || login == null || (sasl != null && sasl.mechanism() != null)) {
      stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    } else {
      login.element(frame.toElement());
    }
  }

  /// The client has proved that the account is its own; it opens the stream anew.
  void authenticated(Jid jid, String by) {
    proved(jid, by);
    host = null;
    stream.restart();
  }

  /// The client has proved that the account is its own; the stream goes on.
  ///
  /// @param by the name of the mechanism
  void proved(Jid jid, String by) {
    account = jid;
    mechanism = by;
    transport.authenticated();
    stream.limits(context.limits().client());
  }
}
