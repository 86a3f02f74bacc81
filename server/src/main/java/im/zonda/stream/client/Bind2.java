package im.zonda.stream.client;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.module.Xep;
import im.zonda.session.UserAgent;
import im.zonda.stream.bound.BoundStream;
import im.zonda.stream.bound.SessionLink;
import im.zonda.stream.bound.StreamManagement;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Binds a resource within the authentication, with the features that the client wants.
///
/// A client that tells its identifier gets the same resource each time, so that it takes over from
/// its own older connection; nobody can tell the identifier from the resource.
@Xep(
    number = 386,
    version = "1.1.0",
    title = "Bind 2",
    note =
        "Offline messages are delivered, not cleared; they carry the id that they have in the"
            + " archive.")
final class Bind2 {
  private static final Logger LOG = LoggerFactory.getLogger(Bind2.class);
  private static final String NAMESPACE = Sasl2Request.BIND.namespace();

  private static final QName ENABLE = new QName(StreamManagement.NAMESPACE, "enable");
  private static final QName INACTIVE = new QName("urn:xmpp:csi:0", "inactive");

  /// The characters that are kept of a tag.
  private static final int MAX_TAG = 64;

  private final Negotiation negotiation;
  private final NegotiationContext context;
  private final ClientStream stream;

  Bind2(Negotiation negotiation, NegotiationContext context, ClientStream stream) {
    this.negotiation = negotiation;
    this.context = context;
    this.stream = stream;
  }

  /// The feature for the list of what can be negotiated inline.
  static Element feature(StreamHost at) {
    List<String> names = new ArrayList<>(at.inlineFeatures().get());
    names.add(INACTIVE.namespace());
    names.add(ENABLE.namespace());
    Element.Builder inline = Element.builder(NAMESPACE, "inline");
    for (String name : names) {
      inline.child(Element.builder(NAMESPACE, "feature").attribute("var", name).build());
    }
    return Element.builder(Sasl2Request.BIND).child(inline.build()).build();
  }

  /// Binds, and has `success` tell the client.
  void bind(StreamHost at, Jid account, UserAgent agent, Element bind, Sasl2Success success) {
    negotiation.await();
    String resource = resource(at, account, agent, bind.child("tag"));
    SessionLink link = stream.link(at);
    ToSession.Inline inline =
        new ToSession.Inline(agent, bind, management(bind), bind.child(INACTIVE) != null);
    link.bind(
        new ToSession.Bind(
            account, resource, inline, negotiation.guest(), negotiation.connection()),
        answer -> ended(at, account, link, answer, success));
  }

  private String resource(StreamHost at, Jid account, UserAgent agent, @Nullable Element tag) {
    String text = tag == null ? "" : tag.text().strip();
    if (text.codePointCount(0, text.length()) > MAX_TAG) {
      text = text.substring(0, text.offsetByCodePoints(0, MAX_TAG));
    }
    String client = agent.id();
    String made =
        client == null
            ? context.ids().next()
            : context.authenticator().stableName(at, account, client, text);
    if (text.isEmpty()) {
      return made;
    }
    try {
      return Objects.requireNonNull(account.withResource(text + "/" + made).resource());
    } catch (JidFormatException e) {
      return made;
    }
  }

  private static ToSession.Management management(Element bind) {
    Element enable = bind.child(ENABLE);
    if (enable == null) {
      return ToSession.Management.NONE;
    }
    return StreamManagement.wantsResumption(enable)
        ? ToSession.Management.RESUMABLE
        : ToSession.Management.NOT_RESUMABLE;
  }

  private void ended(
      StreamHost at, Jid account, SessionLink link, ToStream answer, Sasl2Success success) {
    switch (answer) {
      case ToStream.Bound(var jid, var answers, var enabled) -> {
        BoundStream live = stream.bound(at.domain(), link, jid);
        Element.Builder bound = Element.builder(NAMESPACE, "bound").children(answers);
        if (enabled != null) {
          bound.child(StreamManagement.enabled(jid, enabled));
          live.managed(0, enabled.id() != null);
        }
        success.bound(at, jid, bound.build(), enabled != null);
      }
      case ToStream.NotBound(var condition) -> {
        LOG.atInfo()
            .addKeyValue("account", account)
            .addKeyValue("condition", condition)
            .log("inline_bind_refused");
        // Authenticated all the same: the client may bind by a request and learn why it cannot.
        success.notBound(at, account);
      }
      default -> throw new IllegalStateException("no answer to a bind: " + answer);
    }
    negotiation.goOn();
  }
}
