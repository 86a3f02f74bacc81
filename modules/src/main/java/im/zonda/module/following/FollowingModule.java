package im.zonda.module.following;

import im.zonda.config.ServerConfig;
import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.pubsub.PubSubModule;
import im.zonda.session.Home;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Subscribes accounts to nodes at the request of their clients, and keeps the list of what they
/// are subscribed to. Does nothing while publish-subscribe is off.
@Xep(
    number = 376,
    version = "0.2",
    title = "Pubsub Account Management",
    note =
        "Subscribing, unsubscribing, the list and its notifications. The server does not subscribe by"
            + " itself for clients that ask for notifications in their presence: those of contacts"
            + " come as XEP-0163 says")
@Xep(
    number = 465,
    version = "0.1.1",
    title = "Pubsub Public Subscriptions",
    note =
        "Nodes of accounts and of a service. A list has at most as many items as a node may have, the"
            + " newest ones")
public final class FollowingModule implements XmppModule {
  private static final QName REQUEST = new QName(ManagedSubscription.PAM, "pam");
  private static final QName LIST = new QName(ManagedSubscription.PAM, "subscriptions");
  private static final QName EVENT = new QName("http://jabber.org/protocol/pubsub#event", "event");

  private final PubSubModule pubsub;
  private @Nullable SubscriptionList opened;

  /// @param pubsub the module that has the nodes of accounts
  public FollowingModule(PubSubModule pubsub) {
    this.pubsub = pubsub;
  }

  @Override
  public String name() {
    return "following";
  }

  @Override
  public Ports ports() {
    return Ports.of(ExternalComponents.class);
  }

  @Override
  public void install(ModuleContext context) {
    if (!pubsub.nodes().areOn()) {
      return;
    }
    SubscriptionList list = new SubscriptionList(pubsub.nodes());
    list.open();
    opened = list;
    SubscriptionRequests requests =
        new SubscriptionRequests(
            context, context.port(ExternalComponents.class), pubsub.nodes(), list);
    context.advertiseForAccounts(ManagedSubscription.PAM);
    context.advertiseForAccounts(ManagedSubscription.PPS);
    context.onIq(Iq.Type.SET, REQUEST, Addressee.OWN_ACCOUNT, requests::forward);
    context.onIq(Iq.Type.GET, LIST, Addressee.OWN_ACCOUNT, request -> list(request, list));
    context.onMessage(
        HookPoint.ARRIVING,
        Phase.COPY,
        (message, home, session) -> arriving(message, home, context, requests));
  }

  @Override
  public void stop() {
    SubscriptionList list = opened;
    if (list != null) {
      list.close();
    }
  }

  /// What it does depends on which other modules are on.
  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    return before.modulesOff().equals(after.modulesOff());
  }

  /// XEP-0376, section 3.4. A client that has the current version gets an empty answer.
  private static IqReply list(IqRequest request, SubscriptionList list) {
    Home home = request.home();
    if (!home.exists()) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    List<ManagedSubscription> all = list.all(home);
    String version = SubscriptionList.version(all);
    if (version.equals(request.payload().attribute("ver"))) {
      return IqReply.empty();
    }
    Element.Builder answer = Element.builder(LIST).attribute("ver", version);
    all.forEach(each -> answer.child(each.listed(home.jid())));
    return IqReply.result(answer.build());
  }

  /// A service says that a subscription was approved or has ended, or that a node was deleted.
  private static Verdict arriving(
      Message message, Home home, ModuleContext context, SubscriptionRequests requests) {
    Jid from = message.from();
    Jid to = message.to();
    if (from == null || to == null || !to.isBare() || message.isError() || !message.has(EVENT)) {
      return Verdict.pass();
    }
    Element event = message.payload(EVENT);
    for (Element each : event == null ? List.<Element>of() : event.children()) {
      String node = each.attribute("node");
      boolean deleted = each.is(EVENT.namespace(), "delete");
      if (node != null && (deleted || each.is(EVENT.namespace(), "subscription"))) {
        String state = deleted ? SubscriptionRequests.NONE : each.attribute("subscription");
        String id = deleted ? null : each.attribute("subid");
        Jid service = from;
        context.atHome(home.jid(), again -> requests.changed(again, service, node, state, id));
      }
    }
    return Verdict.pass();
  }
}
