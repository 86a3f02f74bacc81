package im.zonda.stream;

import im.zonda.jid.Jid;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.Element;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.XmlLimits;
import im.zonda.xml.framing.Frame;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The initiating side of a stream (RFC 6120, section 4.3), written against the core only: it opens
/// the stream, reads features, starts TLS if it is offered, and decides whether to trust the peer.
public final class InitiatingRole implements StreamRole {
  private static final Jid DOMAIN = Jid.of("example.org");

  private final Stream stream;
  private final BlockingQueue<String> events;
  private final Predicate<PeerCertificates> trusts;
  private final boolean directTls;

  private InitiatingRole(
      Stream stream,
      BlockingQueue<String> events,
      Predicate<PeerCertificates> trusts,
      boolean directTls) {
    this.stream = stream;
    this.events = events;
    this.trusts = trusts;
    this.directTls = directTls;
  }

  /// The profile of streams to `example.org`.
  ///
  /// @param events gets what happens, in words
  /// @param trusts whether the peer is accepted
  /// @param directTls whether TLS comes before the stream
  public static StreamProfile profile(
      BlockingQueue<String> events, Predicate<PeerCertificates> trusts, boolean directTls) {
    return new StreamProfile(
        new StreamProfile.Headers(Namespaces.CLIENT, true, true, Map.of("x", "urn:x")),
        InputLimits.ofElements(XmlLimits.CLIENT),
        new StreamProfile.Times(
            Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofSeconds(10)),
        () -> "unused",
        Runnable::run,
        TlsStart.client("example.org", List.of("xmpp-client")),
        stream -> new InitiatingRole(stream, events, trusts, directTls));
  }

  @Override
  public void connected() {
    events.add("connected");
    if (!directTls) {
      stream.open(null, DOMAIN);
    }
  }

  @Override
  public void secured() {
    PeerCertificates peer = stream.transport().peerCertificates();
    if (peer == null || !trusts.test(peer)) {
      events.add("untrusted " + (peer == null ? null : peer.problem()));
      stream.finish();
      return;
    }
    events.add("secured " + peer.isTrusted() + " " + peer.cover("example.org"));
    stream.open(null, DOMAIN);
  }

  @Override
  public HeaderReply answer(StreamHeader header) {
    throw new IllegalStateException("the initiating side does not answer headers");
  }

  @Override
  public void opened(StreamHeader header, @Nullable String id) {
    events.add("opened from " + header.attribute("from"));
  }

  @Override
  public void receive(Frame frame) {
    Element element = frame.toElement();
    if (element.name().namespace().equals(Namespaces.TLS)) {
      stream.startTls(TlsStart.client("example.org", List.of()), null);
    } else if (element.name().name().equals("features")) {
      boolean tls =
          element.children().stream().anyMatch(each -> each.name().name().equals("starttls"));
      events.add(tls ? "features with TLS" : "features without TLS");
      if (tls) {
        stream.write(Element.of(Namespaces.TLS, "starttls"));
      } else {
        stream.establish();
      }
    } else if (element.name().name().equals("error")) {
      events.add("error");
      stream.receiveStreamElement(element.name());
    } else {
      stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    }
  }

  @Override
  public void ping() {}

  @Override
  public void ended(boolean lost) {
    events.add(lost ? "lost" : "ended");
  }

  @Override
  public @Nullable Jid peer() {
    return stream.isEstablished() ? DOMAIN : null;
  }
}
