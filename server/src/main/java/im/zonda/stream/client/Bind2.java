package im.zonda.stream.client;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.Xep;
import im.zonda.router.BoundSession;
import im.zonda.router.SessionGate;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.session.UserAgent;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.StreamTransport;
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
  private final StreamContext context;
  private final ClientStream stream;
  private final StreamTransport transport;

  Bind2(
      Negotiation negotiation,
      StreamContext context,
      ClientStream stream,
      StreamTransport transport) {
    this.negotiation = negotiation;
    this.context = context;
    this.stream = stream;
    this.transport = transport;
  }

  /// The feature for the list of what can be negotiated inline.
  static Element feature(StreamHost at) {
    List<String> names = new ArrayList<>(at.inlineBind().features());
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
    at.gate().bind(account, resource, stream, new Answer(at, account, agent, bind, success));
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

  private final class Answer implements SessionGate.Binding {
    private final StreamHost at;
    private final Jid account;
    private final UserAgent agent;
    private final Element bind;
    private final Sasl2Success success;
    private List<Element> answers = List.of();

    private Answer(
        StreamHost at, Jid account, UserAgent agent, Element bind, Sasl2Success success) {
      this.at = at;
      this.account = account;
      this.agent = agent;
      this.bind = bind;
      this.success = success;
    }

    @Override
    public void atHome(Home home, Session session) {
      session.set(UserAgent.KEY, agent);
      String client = agent.id();
      for (Session other : List.copyOf(home.sessions())) {
        UserAgent its = other.equals(session) ? null : other.get(UserAgent.KEY);
        if (client != null && its != null && client.equals(its.id())) {
          other.close(StreamErrorCondition.CONFLICT, "the same client has connected again");
        }
      }
      answers = List.copyOf(at.inlineBind().bound(home, session, bind));
    }

    @Override
    public void bound(BoundSession session) {
      transport.execute(() -> {
        if (stream.closed()) {
          session.lost();
          return;
        }
        BoundStream live = stream.bound(at, session);
        session.attach(() -> success.bound(at, session.jid(), answer(live), live.isManaged()));
        if (bind.child(INACTIVE) != null) {
          session.active(false);
        }
        negotiation.goOn();
      });
    }

    private Element answer(BoundStream live) {
      Element.Builder bound = Element.builder(NAMESPACE, "bound").children(answers);
      Element enable = bind.child(ENABLE);
      if (enable != null) {
        live.manage(enable, bound::child);
      }
      return bound.build();
    }

    @Override
    public void refused(ErrorCondition condition) {
      transport.execute(() -> {
        if (stream.closed()) {
          return;
        }
        LOG.atInfo()
            .addKeyValue("account", account)
            .addKeyValue("condition", condition)
            .log("inline_bind_refused");
        // Authenticated all the same: the client may bind by a request and learn why it cannot.
        success.notBound(at, account);
        negotiation.goOn();
      });
    }
  }
}
