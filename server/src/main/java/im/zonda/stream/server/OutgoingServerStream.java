package im.zonda.stream.server;

import im.zonda.dns.Target;
import im.zonda.jid.Jid;
import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamFailure;
import im.zonda.link.ServerStreamFailure.Reason;
import im.zonda.link.ack.AckCount;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.HeaderReply;
import im.zonda.stream.HeaderRules;
import im.zonda.stream.Stream;
import im.zonda.stream.TlsStart;
import im.zonda.stream.sasl.SaslBase64;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.framing.Frame;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The role of a stream that this server opens to another one for a domain pair (RFC 6120): checks
/// whom it has reached, proves our domain by SASL EXTERNAL (XEP-0178) or by dialback (XEP-0220),
/// enables acknowledgements or resumes an interrupted link (XEP-0198), and is then ready to carry
/// stanzas.
final class OutgoingServerStream extends ServerStreamRole {
  private static final QName STARTTLS = new QName(Namespaces.TLS, "starttls");
  private static final QName MECHANISMS = new QName(Namespaces.SASL, "mechanisms");
  private static final QName MANAGEMENT = new QName(Acknowledgements.NAMESPACE, "sm");
  private static final QName BIDIRECTIONAL = new QName(BIDI_FEATURE, "bidi");

  private static final ServerStreamFailure NOT_RESUMED =
      new ServerStreamFailure(Reason.LOST, "the connection broke and was not resumed");

  /// What the other server is expected to send.
  private enum Step {
    FEATURES,
    PROCEED,
    SASL_RESULT,
    DIALBACK_RESULT,
    SETTLED,
    RESUMED,
    ENABLED,
    STANZAS
  }

  private final DomainPair pair;
  private final Jid local;
  private final Jid remote;
  private final Target server;
  private Step step = Step.FEATURES;
  private @Nullable String id;

  /// Whether the other server has accepted us by SASL.
  private boolean authenticated;

  /// Whether its header says that it is another domain's.
  private boolean misdirected;

  /// Whether its certificate is good for the remote domain.
  private boolean trusted;

  /// The interrupted link that this stream tries to resume.
  private @Nullable ServerLink interrupted;

  private Element features = Element.of(Namespaces.STREAM, "features");

  OutgoingServerStream(ServerStreamContext context, Stream stream, DomainPair pair, Target server) {
    super(context, stream, false);
    this.pair = pair;
    this.local = Jid.of(pair.local());
    this.remote = Jid.of(pair.remote());
    this.server = server;
  }

  // ---- headers and TLS

  @Override
  public void connected() {
    if (!server.directTls()) {
      stream().open(local, remote);
    }
  }

  @Override
  public void secured() {
    DomainCertificate.Verdict verdict =
        DomainCertificate.check(
            transport().peerCertificates(), pair.remote(), server, context().clock().instant());
    trusted = verdict.problem() == null;
    // What contradicts DANE is not the domain's server, whatever dialback says.
    if (verdict.isExcluded()
        || (verdict.problem() != null && !context().policy().allowsDialback(pair))) {
      end(Reason.NOT_TRUSTED, String.valueOf(verdict.problem()));
      return;
    }
    stream().open(local, remote);
  }

  @Override
  public HeaderReply answer(StreamHeader header) {
    throw new IllegalStateException("the initiating side does not answer headers");
  }

  @Override
  public void opened(StreamHeader header, @Nullable String newId) {
    setLang(header);
    id = newId;
    dialback().setStreamId(newId);
    step = Step.FEATURES;
    misdirected = header.attribute("from") != null && !remote.equals(HeaderRules.bareFrom(header));
  }

  /// A server that does not serve the domain names none or another one in its header, and then says
  /// so by a stream error.
  @Override
  public void receive(Frame frame) {
    if (misdirected && !isStreamError(frame.name())) {
      stream().fail(StreamErrorCondition.INVALID_FROM, "the stream is to " + remote);
    } else {
      super.receive(frame);
    }
  }

  private static boolean isStreamError(QName name) {
    return name.namespace().equals(Namespaces.STREAM) && name.name().equals("error");
  }

  // ---- negotiation

  @Override
  void streamElement(Frame frame) {
    if (frame.name().name().equals("features") && step == Step.FEATURES) {
      features = frame.toElement();
      link().setMaxStanzaBytes(StreamLimits.maxBytes(features));
      negotiate();
    } else {
      super.streamElement(frame);
    }
  }

  private void negotiate() {
    if (authenticated) {
      accepted();
    } else if (transport().secure()) {
      if (offersExternal()) {
        requestBidirectional();
        byte[] identity = pair.local().getBytes(StandardCharsets.UTF_8);
        stream()
            .write(
                Element.builder(Namespaces.SASL, "auth")
                    .attribute("mechanism", "EXTERNAL")
                    .text(SaslBase64.encode(identity))
                    .build());
        step = Step.SASL_RESULT;
      } else {
        requestDialback("it does not accept our certificate: it does not offer SASL EXTERNAL");
      }
    } else if (features.child(STARTTLS) != null && transport().canStartTls()) {
      stream().write(Element.of(STARTTLS));
      step = Step.PROCEED;
    } else if (context().policy().requiresTls(pair)) {
      end(Reason.NO_TLS, "the other server does not offer TLS, which is required here");
    } else {
      requestDialback("it offers neither TLS nor anything else to prove our domain by");
    }
  }

  private boolean offersExternal() {
    Element mechanisms = features.child(MECHANISMS);
    return mechanisms != null
        && mechanisms.children().stream().anyMatch(each -> each.text().strip().equals("EXTERNAL"));
  }

  private void requestBidirectional() {
    if (features.child(BIDIRECTIONAL) != null && !isBidirectional()) {
      stream().write(Element.builder(BIDI, "bidi").child(context().announcedLimits(true)).build());
      setBidirectional();
    }
  }

  /// @param problem why nothing but dialback is left
  private void requestDialback(String problem) {
    if (!context().policy().allowsDialback(pair)) {
      end(Reason.NOT_ACCEPTED, problem + "; dialback is not allowed here");
      return;
    }
    if (id == null) {
      end(Reason.PROTOCOL, "the other server has given the stream no id");
      return;
    }
    requestBidirectional();
    String key = context().keys().make(pair.remote(), pair.local(), id);
    stream().write(DialbackElement.result(pair.local(), pair.remote(), key));
    step = Step.DIALBACK_RESULT;
  }

  @Override
  void negotiation(Frame frame) {
    QName name = frame.name();
    if (name.namespace().equals(Namespaces.TLS) && step == Step.PROCEED) {
      tls(name.name());
    } else if (name.namespace().equals(Namespaces.SASL) && step == Step.SASL_RESULT) {
      sasl(frame.toElement());
    } else {
      stream().fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    }
  }

  private void tls(String name) {
    if (name.equals("proceed")) {
      stream()
          .startTls(
              TlsStart.client(pair.remote(), List.of()).withCertificateOf(pair.local()), null);
    } else {
      end(Reason.NO_TLS, "the other server cannot start TLS");
    }
  }

  private void sasl(Element element) {
    switch (element.name().name()) {
      case "success" -> {
        authenticated = true;
        stream().restart();
        stream().open(local, remote);
      }
      case "failure" -> requestDialback("it does not accept our certificate: " + describe(element));
      default -> stream().fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    }
  }

  private static String describe(Element failure) {
    StringBuilder text = new StringBuilder();
    for (Element each : failure.children()) {
      text.append(text.isEmpty() ? "" : ", ")
          .append(each.name().name().equals("text") ? each.text() : each.name().name());
    }
    return text.toString();
  }

  @Override
  void dialbackAnswer(DialbackElement answer) {
    if (step != Step.DIALBACK_RESULT
        || answer.kind() != DialbackElement.Kind.RESULT
        || !answer.from().equals(pair.remote())
        || !answer.to().equals(pair.local())) {
      rejectUnsolicited(answer);
      return;
    }
    switch (answer.outcome()) {
      case VALID -> accepted();
      case INVALID ->
          end(
              Reason.NOT_ACCEPTED,
              "dialback failed: the servers that DNS names for "
                  + pair.local()
                  + " do not know our key; they must share our secret");
      case ERROR ->
          end(
              "item-not-found".equals(answer.condition())
                  ? Reason.NO_SUCH_DOMAIN
                  : Reason.NOT_ACCEPTED,
              "dialback failed at the other server: " + answer.condition());
      case null -> throw new IllegalStateException("a request");
    }
  }

  /// Only from those who may send on this stream (XEP-0288).
  @Override
  void dialbackRequest(DialbackElement request) {
    if (isBidirectional() && step == Step.STANZAS) {
      dialback().authorize(request);
    } else {
      stream().fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    }
  }

  // ---- ready

  /// The other server accepts us.
  private void accepted() {
    ServerLink old = context().resumable().claim(pair);
    boolean managed = features.child(MANAGEMENT) != null;
    if (old != null && managed && provesPairsOf(old, pair)) {
      interrupted = old;
      step = Step.SETTLED;
      old.await(stream(), old.received(), this::requestResumption);
      return;
    }
    if (old != null) {
      old.end(null, NOT_RESUMED);
    }
    if (managed) {
      enable();
    } else {
      carry();
    }
  }

  private void enable() {
    stream().write(ResumptionElements.enable(context().resumable().max(-1)));
    step = Step.ENABLED;
  }

  /// All that has come in on the interrupted link has been handled: it will not be sent again.
  private void requestResumption() {
    ServerLink old = interrupted;
    ResumableLinks.Terms terms = old == null ? null : old.terms();
    if (old == null || terms == null || stream().closed()) {
      return;
    }
    stream().write(ResumptionElements.resume(old, terms.id()));
    step = Step.RESUMED;
  }

  @Override
  boolean enabling(Frame frame) {
    ServerLink old = interrupted;
    if (step == Step.RESUMED && old != null) {
      return resuming(old, frame);
    }
    if (step != Step.ENABLED) {
      return false;
    }
    switch (frame.name().name()) {
      case "enabled" -> {
        enabled(frame);
        carry();
      }
      case "failed" -> carry();
      default -> {
        return false;
      }
    }
    return true;
  }

  private void enabled(Frame frame) {
    String id = frame.attribute("id");
    // A stanza that is not counted could not be sent again.
    if (ResumptionElements.isResumable(frame.attribute("resume"))
        && id != null
        && ResumptionElements.isIdentifier(id)
        && link().isUnused()) {
      Duration max = context().resumable().max(AckCount.unsignedInt(frame.attribute("max")));
      if (!max.isZero()) {
        link().makeResumable(new ResumableLinks.Terms(pair, id, max, false));
      }
    }
    manage(null);
  }

  private boolean resuming(ServerLink old, Frame frame) {
    long h = AckCount.unsignedInt(frame.attribute("h"));
    long count = h < 0 ? -1 : old.countAcknowledged(h);
    boolean tooHigh = h >= 0 && count < 0;
    switch (frame.name().name()) {
      case "resumed" -> {
        interrupted = null;
        ResumableLinks.Terms terms = old.terms();
        if (count >= 0 && terms != null && terms.id().equals(frame.attribute("previd"))) {
          goOn(old, count);
          return true;
        }
        old.end(null, NOT_RESUMED);
        if (!tooHigh) {
          stream().fail(StreamErrorCondition.BAD_FORMAT, "not what was to be resumed");
        }
      }
      case "failed" -> {
        interrupted = null;
        old.acknowledge(Math.max(0, count));
        old.end(null, NOT_RESUMED);
        if (!tooHigh) {
          enable();
        }
      }
      default -> {
        return false;
      }
    }
    if (tooHigh) {
      Acknowledgements.rejectCount(stream(), old, h);
    }
    return true;
  }

  private void goOn(ServerLink old, long count) {
    step = Step.STANZAS;
    establish();
    if (!adopt(old, count, null, trusted ? CERTIFICATE : DIALBACK)) {
      // It has ended meanwhile; the other server learns that by the end of the stream.
      step = Step.RESUMED;
      stream().finish();
    }
  }

  private void carry() {
    step = Step.STANZAS;
    establish();
    if (isBidirectional()) {
      accept(pair, trusted ? CERTIFICATE : DIALBACK);
    } else {
      link().setTrust(trusted ? CERTIFICATE : DIALBACK);
      link().ready(pair);
    }
  }

  @Override
  void accept(DomainPair proved, String by) {
    super.accept(proved, by);
    link().ready(proved);
  }

  @Override
  public void ended(boolean lost) {
    ServerLink old = interrupted;
    if (old != null) {
      context().resumable().putBack(pair, old);
    }
    if (!link().isReady(pair)) {
      ServerStreamFailure why = failure(lost);
      context().gate().failed(pair, why);
    }
    super.ended(lost);
  }

  @Override
  public @Nullable Jid peer() {
    return step == Step.STANZAS ? remote : null;
  }
}
