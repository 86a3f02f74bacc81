package im.zonda.module.access;

import im.zonda.module.Addressee;
import im.zonda.module.ClientAccess;
import im.zonda.module.ClientAccess.Client;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.session.Session;
import im.zonda.session.UserAgent;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.store.StoreException;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lists the clients that have access to an account and revokes the access of a client.
///
/// Every client of this server has proved the password. Revoking one ends its sessions and its
/// tokens at once; the answer says whether it still knows the password. Only the account's own
/// sessions may ask.
@Xep(
    number = 494,
    version = "0.1.0",
    title = "Client Access Management",
    note = "Clients that send no identifier when they log in are listed only while connected.")
public final class AccessModule implements XmppModule {
  private static final Logger LOG = LoggerFactory.getLogger(AccessModule.class);
  private static final String NAMESPACE = "urn:xmpp:cam:0";
  private static final QName LIST = new QName(NAMESPACE, "list");
  private static final QName REVOKE = new QName(NAMESPACE, "revoke");

  /// Prefix of the id of a session whose client has sent no identifier.
  private static final String SESSION = "session:";

  @Override
  public String name() {
    return "access";
  }

  @Override
  public Ports ports() {
    return Ports.of(ClientAccess.class);
  }

  @Override
  public void install(ModuleContext context) {
    context.advertiseForAccounts(NAMESPACE);
    ClientAccess clients = context.port(ClientAccess.class);
    context.onIq(Iq.Type.GET, LIST, Addressee.OWN_ACCOUNT, request -> list(clients, request));
    context.onIq(Iq.Type.SET, REVOKE, Addressee.OWN_ACCOUNT, request -> revoke(clients, request));
  }

  private static IqReply list(ClientAccess clients, IqRequest request) {
    try {
      Element.Builder list = Element.builder(NAMESPACE, "clients");
      for (Client client : clients.list(request.home().jid())) {
        boolean connected = isConnected(request, client.id());
        if (connected || client.knowsPassword()) {
          list.child(element(client, connected));
        }
      }
      for (Session session : request.home().sessions()) {
        if (idOf(session) == null) {
          list.child(element(session));
        }
      }
      return IqReply.result(list.build());
    } catch (StoreException e) {
      return failed(e);
    }
  }

  private static Element element(Client client, boolean connected) {
    Element.Builder auth = Element.builder(NAMESPACE, "auth");
    if (client.knowsPassword()) {
      auth.child(Element.of(NAMESPACE, "password"));
    }
    if (client.hasToken()) {
      auth.child(Element.of(NAMESPACE, "fast"));
    }
    return Element.builder(NAMESPACE, "client")
        .attribute("connected", Boolean.toString(connected))
        .attribute("id", client.id())
        .attribute("type", "session")
        .child("first-seen", client.firstSeen().truncatedTo(ChronoUnit.SECONDS).toString())
        .child("last-seen", client.lastSeen().truncatedTo(ChronoUnit.SECONDS).toString())
        .child(auth.build())
        .child(unrestricted())
        .child(agent(client.software(), client.device()))
        .build();
  }

  /// The entry for a session whose client has sent no identifier.
  private static Element element(Session session) {
    UserAgent agent = session.get(UserAgent.KEY);
    Element password = Element.of(NAMESPACE, "password");
    return Element.builder(NAMESPACE, "client")
        .attribute("connected", "true")
        .attribute("id", SESSION + session.jid().resource())
        .attribute("type", "session")
        .child(Element.builder(NAMESPACE, "auth").child(password).build())
        .child(unrestricted())
        .child(agent == null ? agent(null, null) : agent(agent.software(), agent.device()))
        .build();
  }

  private static Element unrestricted() {
    return Element.builder(NAMESPACE, "permission").attribute("status", "unrestricted").build();
  }

  private static Element agent(@Nullable String software, @Nullable String device) {
    Element.Builder agent = Element.builder(NAMESPACE, "user-agent");
    if (software != null) {
      agent.child("software", software);
    }
    if (device != null) {
      agent.child("device", device);
    }
    return agent.build();
  }

  private static IqReply revoke(ClientAccess clients, IqRequest request) {
    String id = request.payload().attribute("id");
    if (id == null || id.isEmpty()) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST, "The id is missing.");
    }
    try {
      Client client = id.startsWith(SESSION) ? null : find(clients, request, id);
      if (client != null) {
        // Before its sessions end, or it could log in again by its token.
        clients.remove(request.home().jid(), id);
      }
      boolean ended = closeSessions(request, id);
      if (client == null && !ended) {
        return IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
      }
      LOG.atInfo().addKeyValue("jid", request.home().jid()).log("client_revoked");
      return client == null || client.knowsPassword() ? passwordResetRequired() : IqReply.empty();
    } catch (StoreException e) {
      return failed(e);
    }
  }

  private static @Nullable Client find(ClientAccess clients, IqRequest request, String id) {
    for (Client each : clients.list(request.home().jid())) {
      if (each.id().equals(id)) {
        return each;
      }
    }
    return null;
  }

  /// Closes the sessions of a client, the requesting one included; false if it has none.
  private static boolean closeSessions(IqRequest request, String id) {
    boolean any = false;
    for (Session session : List.copyOf(request.home().sessions())) {
      String agent = idOf(session);
      String known = agent == null ? SESSION + session.jid().resource() : agent;
      if (known.equals(id)) {
        any = true;
        session.close(StreamErrorCondition.NOT_AUTHORIZED, "Access has been revoked.");
      }
    }
    return any;
  }

  private static boolean isConnected(IqRequest request, String id) {
    return request.home().sessions().stream().anyMatch(session -> id.equals(idOf(session)));
  }

  private static @Nullable String idOf(Session session) {
    UserAgent agent = session.get(UserAgent.KEY);
    return agent == null ? null : agent.id();
  }

  /// Section 3.2: revoked, but the client knows the password.
  private static IqReply passwordResetRequired() {
    return new IqReply.Refuse(
        StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE)
            .withText(
                "Its sessions and tokens have ended, but it knows the password: change the password too.")
            .withDetail(Element.of(NAMESPACE, "password-reset-required")));
  }

  private static IqReply failed(StoreException cause) {
    LOG.atError().addKeyValue("store", cause.category()).setCause(cause).log("clients_failed");
    return IqReply.refuse(
        cause.retryable()
            ? ErrorCondition.RESOURCE_CONSTRAINT
            : ErrorCondition.INTERNAL_SERVER_ERROR);
  }
}
