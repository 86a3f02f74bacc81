package im.zonda.stream.component;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.link.ComponentGate;
import im.zonda.link.ComponentLink;
import im.zonda.link.ToStream;
import im.zonda.module.Xep;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.HeaderReply;
import im.zonda.stream.HeaderRules;
import im.zonda.stream.Stream;
import im.zonda.stream.StreamRole;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.framing.Frame;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The role of a component's stream (XEP-0114, section 3): header, handshake, then stanzas.
/// Confined to the stream's thread, except for the methods of [ComponentLink].
@Xep(
    number = 114,
    version = "1.6",
    title = "Jabber Component Protocol",
    note = "Components connect to the server (`jabber:component:accept`)")
final class ComponentStream implements StreamRole, ComponentLink {
  private static final Logger LOG = LoggerFactory.getLogger(ComponentStream.class);
  private static final QName PING = new QName("urn:xmpp:ping", "ping");

  private final ComponentContext context;
  private final Stream stream;
  private @Nullable Jid domain;
  private @Nullable String secret;
  private @Nullable String id;
  private boolean authenticated;

  /// Whether the gate knows the stream.
  private boolean reported;

  ComponentStream(ComponentContext context, Stream stream) {
    this.context = context;
    this.stream = stream;
  }

  // ---- negotiation

  @Override
  public HeaderReply answer(StreamHeader header) {
    Jid to;
    try {
      to = HeaderRules.domainTo(header);
    } catch (JidFormatException e) {
      return HeaderReply.reject(null, null, StreamErrorCondition.IMPROPER_ADDRESSING);
    }
    if (to == null) {
      return HeaderReply.reject(null, null, StreamErrorCondition.HOST_UNKNOWN);
    }
    if (context.served().findHost(to.domain()) != null) {
      return HeaderReply.reject(to, null, StreamErrorCondition.CONFLICT);
    }
    secret = context.settings().secretOf(to.domain());
    if (secret == null) {
      return HeaderReply.reject(null, null, StreamErrorCondition.HOST_UNKNOWN);
    }
    domain = to;
    return HeaderReply.accept(to, null);
  }

  @Override
  public void opened(StreamHeader header, @Nullable String newId) {
    id = newId;
  }

  private void authenticate(Frame frame) {
    String expected = secret;
    if (!frame.name().name().equals("handshake") || expected == null || id == null) {
      stream.fail(StreamErrorCondition.NOT_AUTHORIZED, null);
      return;
    }
    String address = stream.transport().remoteAddress().getHostAddress();
    if (!Handshake.matches(frame.toElement().text(), id, expected)) {
      LOG.atWarn()
          .addKeyValue("domain", domain)
          .addKeyValue("address", address)
          .log("component_not_authorized");
      stream.fail(StreamErrorCondition.NOT_AUTHORIZED, null);
      return;
    }
    if (context.served().findHost(domain().domain()) != null) {
      // A host or a service that was added since the header.
      stream.fail(StreamErrorCondition.CONFLICT, null);
      return;
    }
    authenticated = true;
    secret = null;
    stream.authenticated(context.authenticatedLimits());
    stream.establish();
    stream.write(Element.of(Namespaces.CLIENT, "handshake"));
    LOG.atInfo()
        .addKeyValue("domain", domain)
        .addKeyValue("address", address)
        .log("component_connected");
    reported = true;
    context.gate().report(this, new ComponentGate.Event.Opened());
  }

  // ---- elements

  @Override
  public void receive(Frame frame) {
    QName name = frame.name();
    if (name.namespace().equals(Namespaces.STREAM)) {
      stream.receiveStreamElement(name);
    } else if (!authenticated) {
      authenticate(frame);
    } else if (isStanza(name)) {
      stanza(frame);
    } else {
      stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    }
  }

  private static boolean isStanza(QName name) {
    return name.namespace().equals(Namespaces.CLIENT)
        && switch (name.name()) {
          case "message", "presence", "iq" -> true;
          default -> false;
        };
  }

  private void stanza(Frame frame) {
    Stanza stanza;
    try {
      stanza = Stanza.received(frame);
    } catch (StanzaFormatException e) {
      refuse(e, frame);
      return;
    }
    stream.transport().received();
    Jid from = stanza.from();
    if (from == null || stanza.to() == null) {
      // As between servers (RFC 6120, section 4.9.3.7).
      stream.fail(StreamErrorCondition.IMPROPER_ADDRESSING, "a stanza needs `from` and `to`");
    } else if (!from.domain().equals(domain().domain())) {
      stream.fail(StreamErrorCondition.INVALID_FROM, null);
    } else {
      context.gate().received(this, stanza);
    }
  }

  /// Answers a stanza that could not be read; the stream goes on.
  private void refuse(StanzaFormatException e, Frame frame) {
    Stanza error = e.reply(context.server(), sender(frame));
    if (error != null) {
      stream.transport().write(error);
    }
  }

  /// The sender of a stanza that could not be read: its `from` if that is the component's.
  private Jid sender(Frame frame) {
    String from = frame.attribute("from");
    try {
      Jid sender = from == null ? domain() : Jid.of(from);
      return sender.domain().equals(domain().domain()) ? sender : domain();
    } catch (JidFormatException e) {
      return domain();
    }
  }

  // ---- the role

  @Override
  public void ping() {
    stream
        .transport()
        .write(
            Iq.of(Iq.Type.GET, context.server(), domain(), context.ids().next(), Element.of(PING)));
  }

  @Override
  public void written(long number) {
    context.gate().report(this, new ComponentGate.Event.Written(number));
  }

  @Override
  public void ended(boolean lost) {
    if (authenticated) {
      authenticated = false;
      LOG.atInfo().addKeyValue("domain", domain).log("component_disconnected");
      context.gate().report(this, new ComponentGate.Event.Ended());
    }
  }

  @Override
  public void outputEnded() {
    if (reported) {
      context.gate().report(this, new ComponentGate.Event.OutputEnded());
    }
  }

  @Override
  public @Nullable Jid peer() {
    return authenticated ? domain : null;
  }

  // ---- for the home, by any thread

  /// Set before the link is given to anyone.
  @Override
  public Jid domain() {
    return Objects.requireNonNull(domain);
  }

  @Override
  public void deliver(Stanza stanza, long number, long since) {
    stream.transport().deliver(new ToStream.Deliver(stanza, number, true, since));
  }

  @Override
  public void pauseReading() {
    stream.transport().execute(stream::pauseReading);
  }

  @Override
  public void resumeReading() {
    stream.transport().execute(stream::resumeReading);
  }

  @Override
  public void close(StreamErrorCondition condition, @Nullable String text) {
    stream.transport().enqueue(() -> stream.fail(condition, text));
  }
}
