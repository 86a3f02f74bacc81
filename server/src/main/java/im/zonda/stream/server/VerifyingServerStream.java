package im.zonda.stream.server;

import im.zonda.dns.Target;
import im.zonda.jid.Jid;
import im.zonda.link.DomainPair;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.HeaderReply;
import im.zonda.stream.Stream;
import im.zonda.stream.StreamRole;
import im.zonda.stream.StreamXml;
import im.zonda.stream.TlsStart;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.framing.Frame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The role of a stream on which the servers of a domain are asked whether a dialback key is theirs
/// (XEP-0220, section 2.1.2). It carries nothing else and ends with the answer. Confined to the
/// stream's thread.
final class VerifyingServerStream implements StreamRole {
  private static final QName STARTTLS = new QName(Namespaces.TLS, "starttls");

  private final ServerStreamContext context;
  private final Stream stream;
  private final KeyVerification verification;
  private final DomainPair pair;
  private final Target server;
  private boolean starting;
  private boolean asked;

  VerifyingServerStream(
      ServerStreamContext context, Stream stream, KeyVerification verification, Target server) {
    this.context = context;
    this.stream = stream;
    this.verification = verification;
    this.pair = verification.pair();
    this.server = server;
  }

  @Override
  public void connected() {
    if (!server.directTls()) {
      open();
    }
  }

  @Override
  public void secured() {
    starting = false;
    DomainCertificate.Verdict verdict =
        DomainCertificate.check(
            stream.transport().peerCertificates(),
            pair.remote(),
            server,
            context.clock().instant());
    if (verdict.isExcluded()) {
      verification.fail(
          ErrorCondition.REMOTE_SERVER_TIMEOUT,
          "the authoritative server is not trusted: " + verdict.problem());
      stream.finish();
      return;
    }
    open();
  }

  private void open() {
    stream.open(Jid.of(pair.local()), Jid.of(pair.remote()));
  }

  @Override
  public HeaderReply answer(StreamHeader header) {
    throw new IllegalStateException("the initiating side does not answer headers");
  }

  @Override
  public void opened(StreamHeader header, @Nullable String id) {}

  @Override
  public void receive(Frame frame) {
    QName name = frame.name();
    switch (name.namespace()) {
      case Namespaces.STREAM -> streamElement(frame);
      case Namespaces.TLS -> tls(name.name());
      case StreamXml.DIALBACK -> answered(DialbackElement.read(frame.toElement()));
      default -> stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    }
  }

  private void streamElement(Frame frame) {
    if (frame.name().name().equals("features") && !asked && !starting) {
      negotiate(frame.toElement());
      return;
    }
    if (frame.name().name().equals("error")) {
      Element error = frame.toElement();
      boolean unknown = error.child(new QName(Namespaces.STREAM_ERRORS, "host-unknown")) != null;
      verification.fail(
          unknown ? ErrorCondition.REMOTE_SERVER_NOT_FOUND : ErrorCondition.REMOTE_SERVER_TIMEOUT,
          "the authoritative server has ended the stream with an error");
    }
    stream.receiveStreamElement(frame.name());
  }

  private void negotiate(Element features) {
    if (!stream.transport().secure()
        && features.child(STARTTLS) != null
        && stream.transport().canStartTls()) {
      starting = true;
      stream.write(Element.of(STARTTLS));
    } else if (!stream.transport().secure() && context.policy().requiresTls(pair)) {
      verification.fail(
          ErrorCondition.REMOTE_SERVER_TIMEOUT, "the authoritative server does not offer TLS");
      stream.finish();
    } else {
      asked = true;
      stream.write(
          DialbackElement.verify(
              pair.local(), pair.remote(), verification.id(), verification.key()));
    }
  }

  private void tls(String name) {
    if (starting && name.equals("proceed")) {
      stream.startTls(
          TlsStart.client(pair.remote(), List.of()).withCertificateOf(pair.local()), null);
    } else {
      stream.finish();
    }
  }

  private void answered(@Nullable DialbackElement answer) {
    if (!asked
        || answer == null
        || answer.kind() != DialbackElement.Kind.VERIFY
        || !answer.from().equals(pair.remote())
        || !answer.to().equals(pair.local())
        || !answer.id().equals(verification.id())) {
      stream.fail(StreamErrorCondition.INVALID_FROM, "not the answer to what was asked");
      return;
    }
    switch (answer.outcome()) {
      case VALID -> verification.complete(new KeyVerification.Result.Valid());
      case INVALID -> verification.complete(new KeyVerification.Result.Invalid());
      // Section 2.5: whatever was wrong there, this is the answer to the other server.
      case ERROR ->
          verification.fail(
              ErrorCondition.REMOTE_SERVER_NOT_FOUND,
              "the authoritative server answers " + answer.condition());
      case null -> {
        stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
        return;
      }
    }
    stream.finish();
  }

  @Override
  public void ping() {}

  @Override
  public void ended(boolean lost) {
    verification.fail(
        ErrorCondition.REMOTE_SERVER_TIMEOUT, "the authoritative server has not answered");
  }

  @Override
  public @Nullable Jid peer() {
    return null;
  }
}
