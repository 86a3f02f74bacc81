package im.zonda.module.bytestreams;

import im.zonda.bytestream.Bytestreams;
import im.zonda.config.Proxy;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The domain of the proxy.
final class ProxyService implements DomainService<Jid> {
  static final String TITLE = "File Transfer Relay";
  static final String NAMESPACE = "http://jabber.org/protocol/bytestreams";

  private static final String INFO = "http://jabber.org/protocol/disco#info";
  private static final String ITEMS = "http://jabber.org/protocol/disco#items";
  private static final QName INFO_QUERY = new QName(INFO, "query");
  private static final QName ITEMS_QUERY = new QName(ITEMS, "query");
  private static final QName QUERY = new QName(NAMESPACE, "query");
  private static final QName ACTIVATE = new QName(NAMESPACE, "activate");
  private static final String BELOW = "*.";

  private final Jid domain;
  private final ModuleContext context;
  private final Bytestreams streams;

  ProxyService(Jid domain, ModuleContext context, Bytestreams streams) {
    this.domain = domain;
    this.context = context;
    this.streams = streams;
  }

  @Override
  public Jid domain() {
    return domain;
  }

  @Override
  public String title() {
    return TITLE;
  }

  @Override
  public Jid load(Jid address) {
    return address;
  }

  @Override
  public boolean canUnload(Jid home) {
    return true;
  }

  @Override
  public boolean mayBlock(Jid home, Stanza stanza) {
    return false;
  }

  /// There are no addresses below the domain.
  @Override
  public void accept(Jid home, Envelope envelope) {
    reject(envelope.stanza(), StanzaError.of(ErrorCondition.ITEM_NOT_FOUND));
  }

  @Override
  public void acceptForDomain(Stanza stanza) {
    if (!(stanza instanceof Iq iq)) {
      reject(stanza, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE));
      return;
    }
    Element payload = iq.isRequest() ? iq.payload() : null;
    if (payload == null) {
      return;
    }
    switch (answer(iq, payload)) {
      case IqReply.Result(Element result) -> context.send(Iq.result(iq, result));
      case IqReply.Refuse(StanzaError error) -> context.send(Iq.error(iq, error));
      case IqReply.Later() -> {}
    }
  }

  private void reject(Stanza stanza, StanzaError error) {
    switch (stanza) {
      case Iq iq when iq.isRequest() -> context.send(Iq.error(iq, error));
      case Message message when !message.isError() -> context.send(Message.error(message, error));
      case Iq answer -> {}
      case Message message -> {}
      case Presence presence -> {
        // The service has no presence.
      }
    }
  }

  private IqReply answer(Iq iq, Element payload) {
    boolean get = iq.type() == Iq.Type.GET;
    QName name = payload.name();
    if (get && (name.equals(INFO_QUERY) || name.equals(ITEMS_QUERY))) {
      if (payload.attribute("node") != null) {
        return IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
      }
      return IqReply.result(name.equals(INFO_QUERY) ? info() : Element.of(ITEMS_QUERY));
    }
    if (!name.equals(QUERY)) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    Jid from = iq.from();
    if (from == null || !mayUse(from)) {
      return IqReply.refuse(ErrorCondition.FORBIDDEN);
    }
    return get ? address() : activate(from, payload);
  }

  private static Element info() {
    Element.Builder info =
        Element.builder(INFO_QUERY)
            .child(
                Element.builder(INFO, "identity")
                    .attribute("category", "proxy")
                    .attribute("type", "bytestreams")
                    .attribute("name", TITLE)
                    .build());
    for (String feature : List.of(INFO, ITEMS, NAMESPACE)) {
      info.child(Element.builder(INFO, "feature").attribute("var", feature).build());
    }
    return info.build();
  }

  /// Accounts of the host, and what the configuration names.
  private boolean mayUse(Jid from) {
    String other = from.domain();
    return other.equals(context.domain().domain())
        ? from.local() != null
        : context.config().proxy().allow().stream().anyMatch(each -> covers(each, other));
  }

  private static boolean covers(String pattern, String other) {
    return pattern.equals("*")
        || pattern.equals(other)
        || (pattern.startsWith(BELOW) && other.endsWith(pattern.substring(1)));
  }

  /// Section 4. A proxy that has no port cannot act as a streamhost.
  private IqReply address() {
    Proxy settings = context.config().proxy();
    String host = settings.address();
    Integer fixed = settings.port();
    int port = fixed == null ? streams.port() : fixed;
    if (port == 0) {
      return IqReply.refuse(ErrorCondition.NOT_ALLOWED);
    }
    return IqReply.result(
        Element.builder(QUERY)
            .child(
                Element.builder(NAMESPACE, "streamhost")
                    .attribute("host", host == null ? context.domain().domain() : host)
                    .attribute("jid", domain.toString())
                    .attribute("port", Integer.toString(port))
                    .build())
            .build());
  }

  /// Section 6.3.5. The hash says who may activate a stream: only the address that both parties
  /// have named the requester by.
  private IqReply activate(Jid requester, Element query) {
    String sid = query.attribute("sid");
    List<Element> children = query.children();
    Jid target =
        children.size() == 1 && children.getFirst().name().equals(ACTIVATE)
            ? target(children.getFirst().text())
            : null;
    if (sid == null || sid.isEmpty() || target == null) {
      return IqReply.refuse(
          ErrorCondition.BAD_REQUEST, "A stream ID and the target's address are needed.");
    }
    if ("udp".equals(query.attribute("mode"))) {
      return IqReply.refuse(ErrorCondition.FEATURE_NOT_IMPLEMENTED);
    }
    String hash = sha1(sid + requester + target);
    return switch (streams.activate(hash, requester.bare())) {
      case ACTIVE -> IqReply.empty();
      case NOT_CONNECTED -> IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
      case ONE_PARTY -> IqReply.refuse(ErrorCondition.NOT_ALLOWED);
      case TOO_MANY ->
          IqReply.refuse(
              ErrorCondition.RESOURCE_CONSTRAINT, "Too many streams of this account are active.");
    };
  }

  private static @Nullable Jid target(String text) {
    try {
      return Jid.of(text.strip());
    } catch (JidFormatException e) {
      return null;
    }
  }

  private static String sha1(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-1", e);
    }
  }
}
