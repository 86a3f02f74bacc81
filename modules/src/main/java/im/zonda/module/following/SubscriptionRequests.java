package im.zonda.module.following;

import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.pubsub.PepNodes;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Forwards requests to subscribe and unsubscribe from the account's address, and changes the
/// account's list when they are answered (XEP-0376, sections 3.2 and 3.3). Used at the account's
/// home.
///
/// While a request is not answered it is in memory only. If the account's home moves meanwhile, the
/// client gets no answer; when it asks again, the list is right again.
final class SubscriptionRequests {
  /// The state of a subscription that has ended.
  static final String NONE = "none";

  /// How long an answer is waited for.
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";
  private static final QName SUBSCRIBE = new QName(PUBSUB, "subscribe");
  private static final QName UNSUBSCRIBE = new QName(PUBSUB, "unsubscribe");
  private static final QName SUBSCRIPTION = new QName(PUBSUB, "subscription");
  private static final QName PUBLIC = new QName(ManagedSubscription.PPS, "public");
  private static final QName ERROR = new QName(Namespaces.CLIENT, "error");

  /// Errors of a service that has no such subscription.
  private static final Set<String> UNKNOWN = Set.of("item-not-found", "unexpected-request");

  private final ModuleContext context;
  private final ExternalComponents components;
  private final PepNodes nodes;
  private final SubscriptionList list;

  SubscriptionRequests(
      ModuleContext context, ExternalComponents components, PepNodes nodes, SubscriptionList list) {
    this.context = context;
    this.components = components;
    this.nodes = nodes;
    this.list = list;
  }

  /// A request of a client.
  ///
  /// @param service the address of the node
  /// @param node its name
  /// @param id the identifier of the subscription that is to end, or null
  /// @param subscribes whether it is to begin
  /// @param isPublic whether others are to learn of it
  private record Wanted(
      Jid service, String node, @Nullable String id, boolean subscribes, boolean isPublic) {
    ManagedSubscription subscription() {
      return new ManagedSubscription(service, node, NONE, id, isPublic);
    }
  }

  /// Forwards a request; the client is answered when the service has answered.
  IqReply forward(IqRequest request) {
    Home home = request.home();
    Jid service = jid(request.payload(), "jid");
    Element subscribe = request.payload().child(SUBSCRIBE);
    Element element = subscribe == null ? request.payload().child(UNSUBSCRIBE) : subscribe;
    if (!home.exists() || service == null || element == null) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST);
    }
    String node = element.attribute("node");
    if (node == null || node.isEmpty()) {
      return refuse(ErrorCondition.BAD_REQUEST, "nodeid-required");
    }
    if (!home.jid().equals(jid(element, "jid"))) {
      return refuse(ErrorCondition.BAD_REQUEST, "invalid-jid");
    }
    Wanted wanted =
        new Wanted(
            service,
            node,
            element.attribute("subid"),
            subscribe != null,
            subscribe != null && element.child(PUBLIC) != null);
    if (wanted.subscribes && list.isFull(home)) {
      return refuse(ErrorCondition.POLICY_VIOLATION, "too-many-subscriptions");
    }
    if (!wanted.isPublic && wanted.id == null) {
      // At once, so that no one sees it from here on, whatever the service answers.
      list.hide(home, wanted.subscription());
    }
    send(request, wanted);
    return IqReply.later();
  }

  private void send(IqRequest request, Wanted wanted) {
    Jid account = request.home().jid();
    Element.Builder pubsub = Element.builder(PUBSUB, "pubsub");
    for (Element each : request.payload().children()) {
      if (each.name().namespace().equals(PUBSUB)) {
        pubsub.child(each);
      }
    }
    String id = context.ids().next();
    Iq forwarded = Iq.of(Iq.Type.SET, account, wanted.service, id, pubsub.build());
    components.request(
        forwarded,
        account,
        PATIENCE,
        answer ->
            context.atHome(
                account,
                home -> {
                  if (answer.type() != Iq.Type.RESULT) {
                    refused(home, wanted, answer);
                    reply(home, request, error(request, answer, wanted));
                  } else if (answered(home, wanted, answer)) {
                    reply(home, request, Iq.result(request.iq(), null));
                  } else {
                    StanzaError full = StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT);
                    reply(home, request, Iq.error(request.iq(), full));
                  }
                }));
  }

  /// @return false if the account may have no more nodes
  private boolean answered(Home home, Wanted wanted, Iq answer) {
    Element pubsub = answer.payload();
    Element found = pubsub == null ? null : pubsub.child(SUBSCRIPTION);
    String state = found == null ? null : found.attribute("subscription");
    if (!wanted.subscribes) {
      end(home, wanted.service, wanted.node, wanted.id);
      return true;
    }
    ManagedSubscription subscription =
        new ManagedSubscription(
            wanted.service,
            wanted.node,
            state == null ? "subscribed" : state,
            found == null ? null : found.attribute("subid"),
            wanted.isPublic);
    boolean stored = list.put(home, subscription);
    notifyClients(home, subscription);
    return stored;
  }

  /// The service has no such subscription: the list must not have it either.
  private void refused(Home home, Wanted wanted, Iq answer) {
    Element error = answer.payload(ERROR);
    boolean unknown =
        error != null
            && error.children().stream()
                .anyMatch(each ->
                    each.name().namespace().equals(Namespaces.STANZA_ERRORS)
                        && UNKNOWN.contains(each.name().name()));
    if (unknown && !wanted.subscribes) {
      end(home, wanted.service, wanted.node, wanted.id);
    }
  }

  /// The service has said how a subscription is now.
  ///
  /// @param state the word for its state; null changes nothing
  /// @param id its identifier; null means all to the node
  void changed(Home home, Jid service, String node, @Nullable String state, @Nullable String id) {
    if (!home.exists() || state == null) {
      return;
    }
    if (state.equals(NONE)) {
      end(home, service, node, id);
      return;
    }
    for (ManagedSubscription each : list.all(home)) {
      boolean meant = each.isTo(service, node) && (id == null || id.equals(each.id()));
      if (meant && !each.state().equals(state)) {
        ManagedSubscription now =
            new ManagedSubscription(service, node, state, each.id(), each.isPublic());
        boolean _ = list.put(home, now);
        notifyClients(home, now);
      }
    }
  }

  private void end(Home home, Jid service, String node, @Nullable String id) {
    for (ManagedSubscription each : list.all(home)) {
      if (each.isTo(service, node) && (id == null || id.equals(each.id()))) {
        list.remove(home, each);
        notifyClients(
            home, new ManagedSubscription(service, node, NONE, each.id(), each.isPublic()));
      }
    }
  }

  /// Notifies the clients that support it (XEP-0376, section 3.2).
  private void notifyClients(Home home, ManagedSubscription changed) {
    Jid account = home.jid();
    Element notify =
        Element.builder(ManagedSubscription.PAM, "notify")
            .attribute("ver", SubscriptionList.version(list.all(home)))
            .attribute("service", changed.service().toString())
            .child(
                Element.builder(SUBSCRIPTION)
                    .attribute("node", changed.node())
                    .attribute("jid", account.toString())
                    .attribute("subscription", changed.state())
                    .attribute("subid", changed.id())
                    .build())
            .build();
    for (Jid client : nodes.clients(home, ManagedSubscription.PAM)) {
      String resource = client.resource();
      Session session = resource == null ? null : home.session(resource);
      if (session != null) {
        session.send(
            Message.of(
                Message.Type.NORMAL, account, client, context.ids().next(), List.of(notify)));
      }
    }
  }

  /// The error of the service, which says that it is from there.
  private static Iq error(IqRequest request, Iq answer, Wanted wanted) {
    Element error = answer.payload(ERROR);
    if (error == null) {
      return Iq.error(request.iq(), StanzaError.of(ErrorCondition.UNDEFINED_CONDITION));
    }
    Element stamped =
        error.attribute("by") != null
            ? error
            : error.toBuilder().attribute("by", wanted.service.toString()).build();
    Iq iq = request.iq();
    return Iq.of(Iq.Type.ERROR, iq.to(), iq.from(), iq.id(), stamped);
  }

  private static void reply(Home home, IqRequest request, Iq answer) {
    Session session = request.session();
    if (session != null && home.sessions().contains(session)) {
      session.send(answer);
    }
  }

  private static IqReply refuse(ErrorCondition condition, String detail) {
    return new IqReply.Refuse(
        StanzaError.of(condition)
            .withDetail(Element.of("http://jabber.org/protocol/pubsub#errors", detail)));
  }

  private static @Nullable Jid jid(Element element, String attribute) {
    String text = element.attribute(attribute);
    try {
      return text == null ? null : Jid.of(text.strip());
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
