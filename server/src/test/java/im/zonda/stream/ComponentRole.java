package im.zonda.stream;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.XmlLimits;
import im.zonda.xml.framing.Frame;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// A component's stream (XEP-0114, section 3), written against the core only: a content namespace
/// of its own, headers without a version, a handshake in place of features.
final class ComponentRole implements StreamRole {
  static final String NAMESPACE = "jabber:component:accept";
  private static final String SECRET = "secret";

  private final Stream stream;
  private final ServedDomains served;
  private @Nullable Jid domain;
  private @Nullable String id;
  private boolean authenticated;

  /// The stanzas that have come.
  final List<Frame> received = new ArrayList<>();

  private ComponentRole(Stream stream, ServedDomains served) {
    this.stream = stream;
    this.served = served;
  }

  /// The profile of its streams; roles are added to `made`.
  static StreamProfile profile(ServedDomains served, Executor workers, List<ComponentRole> made) {
    return new StreamProfile(
        new StreamProfile.Headers(NAMESPACE, false, false, Map.of()),
        new InputLimits(XmlLimits.BEFORE_AUTHENTICATION, 2_000),
        new StreamProfile.Times(
            Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofSeconds(10)),
        () -> "3BF96D32",
        workers,
        TlsStart.server(List.of()),
        stream -> {
          made.add(new ComponentRole(stream, served));
          return made.getLast();
        });
  }

  @Override
  public HeaderReply answer(StreamHeader header) {
    try {
      Jid to = HeaderRules.domainTo(header);
      if (to == null) {
        return HeaderReply.reject(null, null, StreamErrorCondition.HOST_UNKNOWN);
      }
      if (served.findHost(to.domain()) != null) {
        return HeaderReply.reject(to, null, StreamErrorCondition.CONFLICT);
      }
      domain = to;
      return HeaderReply.accept(to, null);
    } catch (JidFormatException e) {
      return HeaderReply.reject(null, null, StreamErrorCondition.IMPROPER_ADDRESSING);
    }
  }

  @Override
  public void opened(StreamHeader header, @Nullable String newId) {
    id = newId;
  }

  @Override
  public void receive(Frame frame) {
    if (authenticated) {
      received.add(frame);
    } else if (frame.name().equals(new QName(Namespaces.CLIENT, "handshake"))) {
      String given = frame.toElement().text();
      stream.runBlocking(
          () -> {
            boolean right = digest().equals(given);
            return () -> answer(right);
          },
          cause -> stream.fail(StreamErrorCondition.INTERNAL_SERVER_ERROR, null));
    } else {
      stream.fail(StreamErrorCondition.NOT_AUTHORIZED, null);
    }
  }

  private void answer(boolean right) {
    if (!right) {
      stream.fail(StreamErrorCondition.NOT_AUTHORIZED, null);
      return;
    }
    authenticated = true;
    stream.authenticated(InputLimits.ofElements(XmlLimits.CLIENT));
    stream.establish();
    stream.write(Element.of(Namespaces.CLIENT, "handshake"));
  }

  private String digest() throws GeneralSecurityException {
    byte[] text = (Objects.requireNonNull(id) + SECRET).getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(text));
  }

  @Override
  public void ping() {
    stream.write(Element.of(Namespaces.CLIENT, "presence"));
  }

  @Override
  public void ended(boolean lost) {
    authenticated = false;
  }

  @Override
  public @Nullable Jid peer() {
    return authenticated ? domain : null;
  }
}
