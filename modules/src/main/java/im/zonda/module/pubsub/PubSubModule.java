package im.zonda.module.pubsub;

import im.zonda.account.RemovedUser;
import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.SessionListener;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.DiscoIdentity;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.disco.AccountNodes;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.forms.DataForm;
import im.zonda.module.mam.MamModule;
import im.zonda.module.pubsub.attachment.Attachments;
import im.zonda.module.pubsub.caps.CapsLearner;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeConfig;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.owner.NodeRows;
import im.zonda.module.pubsub.owner.PubSubXml;
import im.zonda.module.pubsub.owner.ShimHeaders;
import im.zonda.module.pubsub.pep.ImportedNodes;
import im.zonda.module.pubsub.pep.KnownNodes;
import im.zonda.module.pubsub.pep.Pep;
import im.zonda.module.pubsub.pep.PresenceWatch;
import im.zonda.module.pubsub.request.NodeArchives;
import im.zonda.module.pubsub.request.NodeDiscovery;
import im.zonda.module.pubsub.request.PubSubRequests;
import im.zonda.module.pubsub.request.RemovedSubscribers;
import im.zonda.module.pubsub.request.SocialFeed;
import im.zonda.module.pubsub.request.TypeFilter;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.rsm.OrderRequest;
import im.zonda.session.CapabilityCache;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.store.PubSubStore;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Publish-subscribe nodes of accounts.
///
/// Everyone may learn that a node of an account exists that is open, as XEP-0163 wants it. The
/// nodes of an account that does not exist look like nodes that do not.
@Xep(
    number = 60,
    version = "1.30.0",
    title = "Publish-Subscribe",
    note =
        "Nodes of accounts and of a service. Subscription options are whether to deliver, the end of"
            + " a lease, and at the service temporary subscriptions; no digests and bodies. The"
            + " service learns presence from its host's accounts, and of others from directed"
            + " presence. Lists of an owner come in pages of 2,000, those of a user in pages of 500")
@Xep(number = 163, version = "1.2.2", title = "Personal Eventing Protocol")
@Xep(number = 223, version = "1.1.1", title = "Persistent Storage of Private Data via PubSub")
@Xep(
    number = 462,
    version = "0.1.1",
    title = "PubSub Type Filtering",
    note = "Nodes of accounts and of a service")
public final class PubSubModule implements XmppModule {
  private static final List<String> FEATURES =
      List.of(
          "auto-subscribe",
          "filtered-notifications",
          "last-published",
          "presence-notifications",
          "presence-subscribe");

  /// A page of an archive may use this part of a session's outbound limit.
  private static final int ARCHIVE_SHARE = 4;

  private static final String RSM = "http://jabber.org/protocol/rsm";

  private final RosterModule roster;
  private final DiscoModule disco;
  private final MamModule mam;
  private final KnownNodes known = new KnownNodes();
  private final PepNodes nodes = new PepNodes(known);

  /// @param roster the module whose rosters decide on access
  /// @param disco the module that answers for the nodes
  /// @param mam the module that gets queries for the archives of nodes
  public PubSubModule(RosterModule roster, DiscoModule disco, MamModule mam) {
    this.roster = roster;
    this.disco = disco;
    this.mam = mam;
  }

  /// The nodes of accounts, for other modules.
  public PepNodes nodes() {
    return nodes;
  }

  /// Stores a node of an account with its items while no server runs. Options that are unknown or
  /// not allowed keep their default. Blocks.
  ///
  /// @param options values by the fields of the form (XEP-0060, section 16.4.4)
  /// @param affiliations words by bare addresses; the account is the owner
  /// @param items the oldest first
  /// @param most how many items a node keeps at most
  public static void store(
      PubSubStore store,
      PubSubStore.Place place,
      Map<String, List<String>> options,
      Map<Jid, String> affiliations,
      List<Jid> subscribers,
      List<PubSubStore.Item> items,
      Instant now,
      int most) {
    Node node = ImportedNodes.node(place, options, affiliations, subscribers, now);
    NodeRows.write(store, place.owner(), null, node, NodeConfig.ofAccounts());
    int kept = node.config().number(NodeOption.MAX_ITEMS, most);
    if (!items.isEmpty()) {
      store.publish(place.owner(), place.node(), items, Math.max(1, kept));
    }
  }

  @Override
  public String name() {
    return "pubsub";
  }

  @Override
  public Ports ports() {
    return Ports.of(PubSubStore.class, CapabilityCache.class, ExternalComponents.class);
  }

  @Override
  public void install(ModuleContext context) {
    CapsLearner learner =
        new CapsLearner(
            context.port(CapabilityCache.class),
            context.port(ExternalComponents.class),
            context.ids());
    Pep pep = Pep.of(context, context.port(PubSubStore.class), roster.rosters(), learner, known);
    nodes.installed(pep);
    context.addAccountIdentity(new DiscoIdentity("pubsub", "pep", null));
    context.advertiseForAccounts(PubSubXml.NAMESPACE);
    Stream.concat(FEATURES.stream(), PubSubRequests.FEATURES.stream())
        .sorted()
        .forEach(each -> context.advertiseForAccounts(PubSubXml.NAMESPACE + "#" + each));
    SocialFeed.FEATURES.forEach(context::advertiseForAccounts);
    context.advertiseForAccounts(Attachments.FEATURE);
    context.advertiseForAccounts(RSM);
    context.advertiseForAccounts(OrderRequest.NAMESPACE);
    context.advertiseForAccounts(OrderRequest.feature(PubSubXml.NAMESPACE));
    context.advertiseForAccounts(ShimHeaders.NAMESPACE);
    context.advertiseForAccounts(TypeFilter.NAMESPACE);
    for (Iq.Type type : List.of(Iq.Type.GET, Iq.Type.SET)) {
      for (QName payload : List.of(PubSubXml.PUBSUB, PubSubXml.PUBSUB_OWNER)) {
        for (Addressee addressee : List.of(Addressee.OWN_ACCOUNT, Addressee.OTHER_ACCOUNT)) {
          context.onIq(type, payload, addressee, request -> answer(request, pep));
        }
      }
    }
    context.onIq(
        Iq.Type.SET,
        RemovedUser.NODE,
        Addressee.OTHER_ACCOUNT,
        request -> RemovedSubscribers.answer(request.iq(), pep.owner(request.home())));
    PresenceWatch watch = new PresenceWatch(pep);
    watchPresence(context, watch);
    roster.rosters().onPush(name(), (home, query) -> watch.rosterChanged(home, query));
    context.onMessage(
        HookPoint.ARRIVING,
        Phase.REWRITE,
        (message, home, session) -> arriving(message, home, pep));
    disco.describeNodes(nodes(pep));
    mam.answerForNodes(request -> archived(request, pep));
    new NodeActions(context).offers().forEach(context::offer);
  }

  @Override
  public void stop() {
    roster.rosters().onPush(name(), null);
    nodes.installed(null);
    disco.describeNodes(null);
    mam.answerForNodes(null);
  }

  private static IqReply answer(IqRequest request, Pep pep) {
    return request.iq().from() == null
        ? IqReply.refuse(ErrorCondition.BAD_REQUEST)
        : PubSubRequests.answer(request.iq(), request.payload(), pep.owner(request.home()));
  }

  private static IqReply archived(IqRequest request, Pep pep) {
    ModuleContext context = pep.context();
    Jid account = request.home().jid();
    Session session = request.session();
    return NodeArchives.answer(
        request.iq(),
        request.payload(),
        pep.owner(request.home()),
        context.config().archive().page(),
        context.config().limits().outboundBytes() / ARCHIVE_SHARE,
        result -> {
          Message message =
              Message.of(
                  Message.Type.NORMAL,
                  account,
                  request.iq().from(),
                  context.ids().next(),
                  List.of(result));
          if (session == null) {
            context.send(message);
          } else {
            session.send(message);
          }
        });
  }

  private static void watchPresence(ModuleContext context, PresenceWatch watch) {
    context.onPresence(
        HookPoint.SENT_BY_CLIENT,
        Phase.REWRITE,
        (presence, home, session) -> watch.sent(presence, home, session));
    context.onPresence(
        HookPoint.ARRIVING,
        Phase.COPY,
        (presence, home, session) -> watch.arriving(presence, home));
    context.onSession(
        new SessionListener() {
          @Override
          public void ended(Home home, Session session) {
            watch.ended(home, session);
          }
        });
  }

  /// Answers to requests for subscriptions, and errors in answer to notifications, are for the
  /// account and not for its clients (XEP-0163, section 4.3.1).
  private static Verdict arriving(Message message, Home home, Pep pep) {
    Jid to = message.to();
    Jid from = message.from();
    if (to == null || from == null || !to.isBare()) {
      return Verdict.pass();
    }
    if (message.isError()) {
      return PubSubRequests.isNotification(message.id()) ? Verdict.handled() : Verdict.pass();
    }
    Element form = message.has(DataForm.X) ? message.payload(DataForm.X) : null;
    if (form == null || !PubSubRequests.isAuthorization(form)) {
      return Verdict.pass();
    }
    pep.context()
        .atHome(home.jid(), again -> PubSubRequests.authorize(from, form, pep.owner(again)));
    return Verdict.handled();
  }

  private static AccountNodes nodes(Pep pep) {
    return new AccountNodes() {
      @Override
      public @Nullable List<Element> list(IqRequest request) {
        TypeFilter filter = TypeFilter.of(request.payload());
        return filter == null
            ? null
            : NodeDiscovery.nodes(
                pep.owner(request.home()), pep.nodes(request.home()), from(request), filter);
      }

      @Override
      public IqReply info(IqRequest request, String node) {
        // The same for every address, so that it reveals nothing of an account.
        return node.equals(ShimHeaders.NAMESPACE)
            ? ShimHeaders.info("pep", false)
            : NodeDiscovery.info(pep.owner(request.home()), from(request), node);
      }

      @Override
      public IqReply items(IqRequest request, String node) {
        return NodeDiscovery.items(pep.owner(request.home()), from(request), node);
      }

      private Jid from(IqRequest request) {
        return Objects.requireNonNull(request.iq().from());
      }
    };
  }
}
