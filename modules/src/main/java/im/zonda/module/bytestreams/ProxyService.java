package im.zonda.module.bytestreams;

import im.zonda.bytestream.Bytestreams;
import im.zonda.bytestream.Bytestreams.Activation;
import im.zonda.config.Proxy;
import im.zonda.hash.HashFunction;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.disco.RequestService;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The domain of the proxy.
final class ProxyService implements RequestService.Requests {
  private static final String NAMESPACE = "http://jabber.org/protocol/bytestreams";

  static final RequestService.Identity IDENTITY =
      new RequestService.Identity(
          "File Transfer Relay", "proxy", "bytestreams", List.of(NAMESPACE));

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
  public IqReply answer(Iq iq, Element payload) {
    if (!payload.name().equals(QUERY)) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    Jid from = iq.from();
    if (from == null || !mayUse(from)) {
      return IqReply.refuse(ErrorCondition.FORBIDDEN);
    }
    return iq.type() == Iq.Type.GET ? address() : activate(iq, from, payload);
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
  private IqReply activate(Iq iq, Jid requester, Element query) {
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
    String hash = HashFunction.SHA_1.hex(sid + requester + target);
    streams.activate(hash, requester.bare(), outcome -> context.send(answer(iq, outcome)));
    return IqReply.later();
  }

  private static Iq answer(Iq request, Activation outcome) {
    return switch (outcome) {
      case ACTIVE -> Iq.result(request, null);
      case NOT_CONNECTED -> Iq.error(request, StanzaError.of(ErrorCondition.ITEM_NOT_FOUND));
      case ONE_PARTY -> Iq.error(request, StanzaError.of(ErrorCondition.NOT_ALLOWED));
      case TOO_MANY ->
          Iq.error(
              request,
              StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT)
                  .withText("Too many streams of this account are active."));
    };
  }

  private static @Nullable Jid target(String text) {
    try {
      return Jid.of(text.strip());
    } catch (JidFormatException e) {
      return null;
    }
  }
}
