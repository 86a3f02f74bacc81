package im.zonda.stream.server;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.link.DomainPair;
import im.zonda.link.ack.AckCount;
import im.zonda.module.Xep;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.HeaderReply;
import im.zonda.stream.HeaderRules;
import im.zonda.stream.Stream;
import im.zonda.stream.TlsStart;
import im.zonda.stream.sasl.SaslBase64;
import im.zonda.stream.sasl.SaslFailure;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.framing.Frame;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The role of a stream that another server has opened (RFC 6120): it proves its domain by SASL
/// EXTERNAL (XEP-0178) or by dialback (XEP-0220), then sends stanzas.
@Xep(
    number = 178,
    version = "1.2",
    title = "Best Practices for Use of SASL EXTERNAL with Certificates",
    note = "Between servers, and of clients where a host takes their certificates.")
final class IncomingServerStream extends ServerStreamRole {
  private static final Logger LOG = LoggerFactory.getLogger(IncomingServerStream.class);

  /// Failed authentications after which the stream is closed.
  private static final int MAX_FAILURES = 3;

  /// How long stanzas wait for the other server to enable acknowledgements, in milliseconds.
  private static final long ENABLE_MILLIS = 2_000;

  private static final QName MECHANISM = new QName(Namespaces.SASL, "mechanism");

  /// The domain that the stream is to; null before the first header.
  private @Nullable Jid to;

  /// The domain in the header's `from`; null if it has none.
  private @Nullable Jid from;

  /// Whether the header's `from` has been proved by SASL.
  private boolean authenticated;

  /// Whether EXTERNAL has been offered, since the certificate is good for `from`.
  private boolean offered;

  private int failures;

  /// Pairs that could be sent stanzas, but would lose them if the other server were killed: it has
  /// not said yet that it acknowledges them (XEP-0198).
  private final Set<DomainPair> undecided = new LinkedHashSet<>();

  private long undecidedSince;

  /// Whether it is known if the other server acknowledges stanzas.
  private boolean decided;

  /// How the domain has been proved.
  private String proof = "";

  /// Since when a resumption waits for stanzas to be handled; 0 if none does.
  private long resumingSince;

  IncomingServerStream(ServerStreamContext context, Stream stream) {
    super(context, stream, true);
  }

  // ---- headers

  @Override
  public HeaderReply answer(StreamHeader header) {
    setLang(header);
    Jid newTo = null;
    Jid newFrom = null;
    StreamErrorCondition error;
    try {
      newTo = HeaderRules.domainTo(header);
      newFrom = domainFrom(header);
      error = checkDomains(newTo, newFrom);
    } catch (JidFormatException e) {
      error = StreamErrorCondition.IMPROPER_ADDRESSING;
    }
    boolean known = newTo != null && context().served().findHost(newTo.domain()) != null;
    if (error == null) {
      to = newTo;
      from = newFrom;
    }
    return new HeaderReply(known ? newTo : null, newFrom, error);
  }

  private static @Nullable Jid domainFrom(StreamHeader header) throws JidFormatException {
    String text = header.attribute("from");
    if (text == null) {
      return null;
    }
    Jid jid = Jid.of(text);
    if (!jid.isDomain()) {
      throw new JidFormatException("not the address of a domain");
    }
    return jid;
  }

  private @Nullable StreamErrorCondition checkDomains(@Nullable Jid newTo, @Nullable Jid newFrom) {
    if (newTo == null || context().served().findHost(newTo.domain()) == null) {
      return StreamErrorCondition.HOST_UNKNOWN;
    }
    if (newFrom != null && context().served().findHost(newFrom.domain()) != null) {
      return StreamErrorCondition.INVALID_FROM;
    }
    if (to != null && !to.equals(newTo)) {
      return StreamErrorCondition.HOST_UNKNOWN;
    }
    // What was claimed before TLS was a hint; what was authenticated stays.
    boolean changed = from != null && !from.equals(newFrom);
    if (changed || (authenticated && newFrom == null)) {
      return StreamErrorCondition.INVALID_FROM;
    }
    return newFrom != null
            && !context().policy().isAllowed(new DomainPair(newTo.domain(), newFrom.domain()))
        ? StreamErrorCondition.POLICY_VIOLATION
        : null;
  }

  @Override
  public void opened(StreamHeader header, @Nullable String id) {
    dialback().setStreamId(id);
    stream().write(features());
    DomainPair pair = headerPair();
    if (authenticated && pair != null) {
      accept(pair, CERTIFICATE);
    }
  }

  /// The pair of the header; null if it does not say who the other server is.
  private @Nullable DomainPair headerPair() {
    return from == null || to == null ? null : new DomainPair(to.domain(), from.domain());
  }

  // ---- features

  private Element features() {
    Element.Builder features = Element.builder(Namespaces.STREAM, "features");
    DomainPair pair = headerPair();
    boolean secure = transport().secure();
    boolean clear = secure || !requiresTls(pair);
    if (canStartTls()) {
      Element.Builder starttls = Element.builder(Namespaces.TLS, "starttls");
      if (!clear) {
        starttls.child(Element.of(Namespaces.TLS, "required"));
      }
      features.child(starttls.build());
    }
    offered = !authenticated && pair != null && findCertificateProblem(pair.remote()) == null;
    if (offered) {
      features.child(
          Element.builder(Namespaces.SASL, "mechanisms")
              .child(Element.text(MECHANISM, "EXTERNAL"))
              .build());
    }
    if (clear) {
      features.child(DialbackElement.FEATURE);
      features.child(Acknowledgements.FEATURE);
    }
    if (!isBidirectional()) {
      features.child(Element.of(BIDI_FEATURE, "bidi"));
    }
    return features.child(context().announcedLimits(authenticated)).build();
  }

  private boolean requiresTls(@Nullable DomainPair pair) {
    return pair == null || context().policy().requiresTls(pair);
  }

  private boolean canStartTls() {
    return !transport().secure() && transport().canStartTls() && !link().hasPairs();
  }

  // ---- negotiation

  @Override
  void negotiation(Frame frame) {
    QName name = frame.name();
    switch (name.namespace()) {
      case Namespaces.TLS -> tls(name);
      case Namespaces.SASL -> sasl(frame.toElement());
      case BIDI -> bidi(frame);
      default ->
          stream()
              .fail(
                  link().hasPairs()
                      ? StreamErrorCondition.UNSUPPORTED_STANZA_TYPE
                      : StreamErrorCondition.NOT_AUTHORIZED,
                  null);
    }
  }

  private void tls(QName name) {
    if (!name.name().equals("starttls")) {
      stream().fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    } else if (canStartTls()) {
      TlsStart start = TlsStart.SERVER.requestingCertificate();
      if (to != null) {
        start = start.withCertificateOf(to.domain());
      }
      from = null;
      stream().startTls(start, Element.of(Namespaces.TLS, "proceed"));
    } else {
      stream().write(Element.of(Namespaces.TLS, "failure"));
      stream().finish();
    }
  }

  private void bidi(Frame frame) {
    if (link().hasPairs()) {
      stream().fail(StreamErrorCondition.POLICY_VIOLATION, "bidi after authentication");
      return;
    }
    if (!frame.name().name().equals("bidi")) {
      stream().fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
      return;
    }
    setBidirectional();
    link().setMaxStanzaBytes(StreamLimits.maxBytes(frame.toElement()));
  }

  /// SASL EXTERNAL (XEP-0178, section 3).
  private void sasl(Element element) {
    DomainPair pair = headerPair();
    if (link().hasPairs()
        || authenticated
        || pair == null
        || !element.name().name().equals("auth")) {
      stream().fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
      return;
    }
    if (!"EXTERNAL".equals(element.attribute("mechanism"))) {
      refuse("invalid-mechanism", "only EXTERNAL is supported");
      return;
    }
    String problem = findCertificateProblem(pair.remote());
    if (!offered || problem != null) {
      refuse("not-authorized", Objects.requireNonNullElse(problem, "EXTERNAL was not offered"));
      return;
    }
    try {
      String identity =
          new String(SaslBase64.decode(element.text().strip()), StandardCharsets.UTF_8);
      if (identity.isEmpty() || isSameDomain(identity, pair.remote())) {
        authenticated = true;
        raiseLimits();
        stream().write(Element.of(Namespaces.SASL, "success"));
        stream().restart();
      } else {
        refuse("invalid-authzid", "the authorization identity is not the stream's from");
      }
    } catch (SaslFailure e) {
      refuse(e.condition().elementName(), "not Base64");
    }
  }

  private static boolean isSameDomain(String text, String domain) {
    try {
      Jid jid = Jid.of(text);
      return jid.isDomain() && jid.domain().equals(domain);
    } catch (JidFormatException e) {
      return false;
    }
  }

  private void refuse(String condition, String reason) {
    LOG.atInfo()
        .addKeyValue("address", transport().remoteAddress().getHostAddress())
        .addKeyValue("domain", from)
        .addKeyValue("reason", reason)
        .log("server_authentication_failed");
    stream()
        .write(
            Element.builder(Namespaces.SASL, "failure")
                .child(Element.of(Namespaces.SASL, condition))
                .child(
                    Element.builder(Namespaces.SASL, "text")
                        .attribute(new QName(Namespaces.XML, "lang"), "en")
                        .text(reason)
                        .build())
                .build());
    if (++failures >= MAX_FAILURES) {
      stream().fail(StreamErrorCondition.POLICY_VIOLATION, "too many failed authentications");
    }
  }

  // ---- pairs

  @Override
  void accept(DomainPair pair, String by) {
    proof = by;
    super.accept(pair, by);
    if (!isBidirectional()) {
      return;
    }
    if (decided) {
      link().ready(pair);
    } else {
      undecidedSince = undecided.isEmpty() ? transport().now() : undecidedSince;
      undecided.add(pair);
    }
  }

  /// The other server acknowledges stanzas, or will not: a stanza has come first, or nothing for
  /// too long.
  private void decide() {
    decided = true;
    undecided.forEach(link()::ready);
    undecided.clear();
  }

  @Override
  void stanzaComes() {
    if (!decided) {
      decide();
    }
  }

  @Override
  public boolean tick(long now) {
    if (resumingSince == 0 && !undecided.isEmpty() && now - undecidedSince >= ENABLE_MILLIS) {
      decide();
    }
    if (resumingSince != 0 && now - resumingSince >= context().patienceMillis()) {
      // Not <failed/>: the other server would send again what is still being stored.
      stream()
          .fail(
              StreamErrorCondition.RESOURCE_CONSTRAINT,
              "what was sent before is still being stored; resume again later");
    }
    return super.tick(now);
  }

  @Override
  void dialbackRequest(DialbackElement request) {
    dialback().authorize(request);
  }

  @Override
  void dialbackAnswer(DialbackElement answer) {
    rejectUnsolicited(answer);
  }

  // ---- acknowledgements

  @Override
  boolean enabling(Frame frame) {
    switch (frame.name().name()) {
      case "enable" -> enable(frame);
      case "resume" -> resume(frame);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void enable(Frame frame) {
    if (isManaged() || !link().hasPairs()) {
      stream().write(ResumptionElements.failed(ErrorCondition.UNEXPECTED_REQUEST, null));
      return;
    }
    ResumableLinks.Terms terms = null;
    Duration max = context().resumable().max(AckCount.unsignedInt(frame.attribute("max")));
    // A stanza that is not counted could not be sent again.
    if (ResumptionElements.isResumable(frame.attribute("resume"))
        && !max.isZero()
        && link().isUnused()) {
      terms = new ResumableLinks.Terms(openedPair(), context().newId(), max, true);
      link().makeResumable(terms);
      context().resumable().add(link(), terms);
    }
    manage(ResumptionElements.enabled(terms));
    decide();
  }

  /// The pair that has been proved and for which the stream was opened.
  private DomainPair openedPair() {
    DomainPair pair = headerPair();
    return pair != null && link().accepts(pair) ? pair : link().pairs().iterator().next();
  }

  /// Lets the other server go on with a link whose connection is lost, or that it believes to be
  /// lost. An identifier that belongs to another domain is answered like one that does not exist.
  private void resume(Frame frame) {
    String id = frame.attribute("previd");
    long h = AckCount.unsignedInt(frame.attribute("h"));
    if (!link().hasPairs() || isManaged() || !link().isUnused()) {
      stream().write(ResumptionElements.failed(ErrorCondition.UNEXPECTED_REQUEST, null));
      return;
    }
    if (id == null || h < 0) {
      stream().write(ResumptionElements.failed(ErrorCondition.BAD_REQUEST, null));
      return;
    }
    DomainPair opened = openedPair();
    ServerLink old = context().resumable().find(id, opened.remote());
    if (old == null || !provesPairsOf(old, opened)) {
      LOG.atInfo()
          .addKeyValue("address", transport().remoteAddress().getHostAddress())
          .addKeyValue("domain", opened.remote())
          .addKeyValue("known", old != null)
          .log("server_stream_not_resumed");
      stream().write(ResumptionElements.failed(ErrorCondition.ITEM_NOT_FOUND, null));
      return;
    }
    resumingSince = transport().now();
    stream().suspendInput();
    old.takeOver(stream(), () -> resume(old, id, h));
  }

  private void resume(ServerLink old, String id, long h) {
    if (stream().closed()) {
      return;
    }
    resumingSince = 0;
    undecidedSince = transport().now();
    long count = old.countAcknowledged(h);
    if (count < 0) {
      Acknowledgements.rejectCount(stream(), old, h);
    } else if (adopt(old, count, ResumptionElements.resumed(old, id), proof)) {
      decided = true;
      undecided.clear();
    } else {
      stream().write(ResumptionElements.failed(ErrorCondition.ITEM_NOT_FOUND, old));
    }
    stream().resumeInput();
  }

  @Override
  public @Nullable Jid peer() {
    return link().acceptedPairs() > 0 ? from : null;
  }
}
