package im.zonda.module.disco;

import im.zonda.group.SharedGroups;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.DiscoIdentity;
import im.zonda.module.DomainService;
import im.zonda.module.HostInfo;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.store.RosterStore;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Answers service discovery requests to the server and to accounts.
///
/// Accounts answer only their owner and contacts that may see their presence. For all others they
/// look like accounts that do not exist (XEP-0030, section 8): `service-unavailable` for
/// information, an empty list for items. Nodes that are open to everyone are the exception.
@Xep(number = 30, version = "2.5.0", title = "Service Discovery")
@Xep(number = 115, version = "1.6.0", title = "Entity Capabilities")
@Xep(number = 128, version = "1.0.1", title = "Service Discovery Extensions")
@Xep(
    number = 390,
    version = "0.3.2",
    title = "Entity Capabilities 2.0",
    note = "Capabilities are not pushed before initial presence, and presence is not optimized")
public final class DiscoModule implements XmppModule {
  public static final String INFO = "http://jabber.org/protocol/disco#info";
  static final String ITEMS = "http://jabber.org/protocol/disco#items";

  private static final QName INFO_QUERY = new QName(INFO, "query");
  private static final QName ITEMS_QUERY = new QName(ITEMS, "query");

  private volatile @Nullable AccountNodes accountNodes;
  private volatile @Nullable CommandNodes commandNodes;

  /// Has `nodes` describe the nodes of accounts. Replaces the one before; null is none.
  public void describeNodes(@Nullable AccountNodes nodes) {
    accountNodes = nodes;
  }

  /// Has `nodes` describe the commands of the server and, to their owners, of accounts. Replaces
  /// the one before; null is none.
  public void describeCommands(@Nullable CommandNodes nodes) {
    commandNodes = nodes;
  }

  private final SharedGroups groups;

  /// A host without shared groups.
  public DiscoModule() {
    this(SharedGroups.NONE);
  }

  /// @param groups the shared groups of the host
  public DiscoModule(SharedGroups groups) {
    this.groups = groups;
  }

  @Override
  public String name() {
    return "disco";
  }

  @Override
  public Ports ports() {
    return Ports.of(RosterStore.class);
  }

  @Override
  public void install(ModuleContext context) {
    context.addIdentity(new DiscoIdentity("server", "im", "Zonda"));
    for (String feature : List.of(INFO, ITEMS)) {
      context.advertise(feature);
      context.advertiseForAccounts(feature);
    }
    context.advertise(ServerCaps.NAMESPACE);
    ServerCaps caps = new ServerCaps(context.host());
    context.addStreamFeature(caps::element);
    context.advertise(CapabilityHash.NAMESPACE);
    context.addStreamFeature(caps::hashes);

    HostInfo host = context.host();
    RosterStore rosters = context.port(RosterStore.class);
    context.onIq(
        Iq.Type.GET,
        INFO_QUERY,
        Addressee.SERVER,
        request ->
            firstOf(commandInfo(request, context.domain()), () -> serverInfo(request, host, caps)));
    context.onIq(
        Iq.Type.GET,
        ITEMS_QUERY,
        Addressee.SERVER,
        request ->
            firstOf(commandItems(request, context.domain()), () -> serverItems(request, host)));
    context.onIq(
        Iq.Type.GET,
        INFO_QUERY,
        Addressee.OWN_ACCOUNT,
        request ->
            firstOf(commandInfo(request, request.home().jid()), () -> accountInfo(request, host)));
    context.onIq(
        Iq.Type.GET,
        ITEMS_QUERY,
        Addressee.OWN_ACCOUNT,
        request ->
            firstOf(commandItems(request, request.home().jid()), () -> accountItems(request)));
    context.onIq(
        Iq.Type.GET,
        INFO_QUERY,
        Addressee.OTHER_ACCOUNT,
        request -> sees(request, rosters) ? accountInfo(request, host) : infoForStranger(request));
    context.onIq(
        Iq.Type.GET,
        ITEMS_QUERY,
        Addressee.OTHER_ACCOUNT,
        request -> sees(request, rosters) ? accountItems(request) : itemsForStranger(request));
  }

  private static IqReply firstOf(@Nullable IqReply first, Supplier<IqReply> otherwise) {
    return first == null ? otherwise.get() : first;
  }

  /// What the commands of an address say; null if the request is not about them.
  private @Nullable IqReply commandInfo(IqRequest request, Jid address) {
    CommandNodes commands = commandNodes;
    String node = node(request);
    return commands == null || node == null ? null : commands.info(request, address, node);
  }

  private @Nullable IqReply commandItems(IqRequest request, Jid address) {
    CommandNodes commands = commandNodes;
    String node = node(request);
    return commands == null || node == null ? null : commands.items(request, address, node);
  }

  /// A stranger learns of nodes that are open to everyone, and of nothing else.
  private IqReply infoForStranger(IqRequest request) {
    String node = node(request);
    AccountNodes nodes = accountNodes;
    return node != null
            && nodes != null
            && nodes.info(request, node) instanceof IqReply.Result result
        ? result
        : IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
  }

  private IqReply itemsForStranger(IqRequest request) {
    String node = node(request);
    AccountNodes nodes = accountNodes;
    if (node == null) {
      return accountItems(request, List.of());
    }
    return nodes != null && nodes.items(request, node) instanceof IqReply.Result result
        ? result
        : IqReply.result(query(ITEMS_QUERY, node).build());
  }

  /// The server's complete information, in answer to a query for `node`.
  static Element info(HostInfo host, @Nullable String node) {
    return info(host.identities(), host.features(), node).children(host.forms()).build();
  }

  private static IqReply serverInfo(IqRequest request, HostInfo host, ServerCaps caps) {
    String node = node(request);
    return node == null || caps.isNode(node)
        ? IqReply.result(info(host, node))
        : IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
  }

  private static IqReply serverItems(IqRequest request, HostInfo host) {
    if (node(request) != null) {
      return IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    Element.Builder items = query(ITEMS_QUERY, null);
    for (DomainService<?> service : host.services()) {
      items.child(
          Element.builder(ITEMS, "item")
              .attribute("jid", service.domain().toString())
              .attribute("name", service.title())
              .build());
    }
    for (Jid component : host.components()) {
      items.child(Element.builder(ITEMS, "item").attribute("jid", component.toString()).build());
    }
    return IqReply.result(items.build());
  }

  private IqReply accountInfo(IqRequest request, HostInfo host) {
    String node = node(request);
    AccountNodes nodes = accountNodes;
    if (node == null) {
      return IqReply.result(
          info(host.accountIdentities(), host.accountFeatures(), null)
              .children(host.accountForms())
              .build());
    }
    return nodes == null
        ? IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND)
        : nodes.info(request, node);
  }

  /// The account's sessions and the nodes that the sender may know.
  private IqReply accountItems(IqRequest request, List<Element> sessions) {
    AccountNodes nodes = accountNodes;
    List<Element> listed = nodes == null ? List.of() : nodes.list(request);
    return listed == null
        ? IqReply.refuse(ErrorCondition.BAD_REQUEST)
        : IqReply.result(query(ITEMS_QUERY, null).children(sessions).children(listed).build());
  }

  private IqReply accountItems(IqRequest request) {
    String node = node(request);
    AccountNodes nodes = accountNodes;
    if (node != null) {
      return nodes == null
          ? IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND)
          : nodes.items(request, node);
    }
    List<Element> sessions = new ArrayList<>();
    for (Session session : request.home().sessions()) {
      if (session.available()) {
        sessions.add(
            Element.builder(ITEMS, "item").attribute("jid", session.jid().toString()).build());
      }
    }
    return accountItems(request, sessions);
  }

  /// Whether the sender may see the presence of the account.
  private boolean sees(IqRequest request, RosterStore rosters) {
    Home home = request.home();
    Jid from = request.iq().from();
    return from != null
        && home.exists()
        && (groups.current().of(home.jid()).isSeenBy(from.bare())
            || rosters.subscription(home.jid(), from.bare()).from());
  }

  private static Element.Builder info(
      List<DiscoIdentity> identities, List<String> features, @Nullable String node) {
    Element.Builder info = query(INFO_QUERY, node);
    for (DiscoIdentity identity : identities) {
      info.child(
          Element.builder(INFO, "identity")
              .attribute("category", identity.category())
              .attribute("type", identity.type())
              .attribute("name", identity.name())
              .build());
    }
    for (String feature : features) {
      info.child(Element.builder(INFO, "feature").attribute("var", feature).build());
    }
    return info;
  }

  private static Element.Builder query(QName name, @Nullable String node) {
    return Element.builder(name).attribute("node", node);
  }

  private static @Nullable String node(IqRequest request) {
    return request.payload().attribute("node");
  }
}
