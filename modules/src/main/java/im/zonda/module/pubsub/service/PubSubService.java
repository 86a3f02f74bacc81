package im.zonda.module.pubsub.service;

import im.zonda.account.RemovedUser;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.forms.DataForm;
import im.zonda.module.mam.ArchiveQueries;
import im.zonda.module.pubsub.following.ServerMadeNodes;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.owner.NodeOwner;
import im.zonda.module.pubsub.owner.PubSubXml;
import im.zonda.module.pubsub.request.NodeArchives;
import im.zonda.module.pubsub.request.NodeDiscovery;
import im.zonda.module.pubsub.request.PendingRequests;
import im.zonda.module.pubsub.request.PubSubRequests;
import im.zonda.module.pubsub.request.RemovedSubscribers;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The publish-subscribe service of a host. A stanza that names a node is for the node's home.
final class PubSubService implements DomainService<NodeHome> {
  /// The state of a home that says who is available.
  private static final String AVAILABLE = "available";

  static final QName PING = new QName("urn:xmpp:ping", "ping");

  /// How long a node that is not used stays in memory.
  private static final Duration IDLE_TIME = Duration.ofMinutes(1);

  /// A page of an archive may use this part of a session's outbound limit.
  private static final int ARCHIVE_SHARE = 4;

  private final ServiceNodes nodes;
  private final ServiceDiscovery discovery;
  private final PresenceOfUsers presences;

  PubSubService(ServiceNodes nodes) {
    this.nodes = nodes;
    this.discovery = new ServiceDiscovery(nodes);
    this.presences = new PresenceOfUsers(nodes);
  }

  @Override
  public Jid domain() {
    return nodes.domain();
  }

  @Override
  public String title() {
    return ServiceDiscovery.TITLE;
  }

  @Override
  public NodeHome load(Jid address) {
    NodeHome home = nodes.load(address);
    if (nodes.unloaded().remove(address)) {
      home.presence().setKnown();
    }
    return home;
  }

  @Override
  public void unloaded(NodeHome home) {
    if (home.presence().isKnown() && home.presence().isEmpty()) {
      nodes.unloaded().add(home.address());
    }
  }

  /// A home that knows who is available stays, because what it knows cannot be read again.
  @Override
  public boolean canUnload(NodeHome home) {
    return home.deliveries().isEmpty()
        && home.presence().isEmpty()
        && home.lastUsed().isBefore(nodes.context().clock().instant().minus(IDLE_TIME));
  }

  /// What has to be sent is not known where the home is next.
  @Override
  public Map<String, byte[]> leaving(NodeHome home) {
    home.deliveries().sendAll(home);
    return home.presence().isKnown() ? Map.of(AVAILABLE, home.presence().bytes()) : Map.of();
  }

  @Override
  public void arrived(NodeHome home, Map<String, byte[]> state) {
    byte[] available = state.get(AVAILABLE);
    if (available != null) {
      home.presence().restore(available);
    }
  }

  @Override
  public @Nullable Jid homeOf(Stanza stanza) {
    if (stanza instanceof Presence presence) {
      Jid from = presence.from();
      boolean counts =
          presence.type() == Presence.Type.AVAILABLE
              || presence.type() == Presence.Type.UNAVAILABLE
              || presence.type() == Presence.Type.ERROR;
      return from == null || !counts ? null : nodes.presenceHome(from);
    }
    String node =
        switch (stanza) {
          case Iq iq -> iq.isRequest() ? nodeOf(iq) : null;
          case Message message -> nodeOf(message);
          case Presence presence -> null;
        };
    return node == null ? null : nodes.home(node);
  }

  private static @Nullable String nodeOf(Iq iq) {
    QName name = iq.payloadName();
    boolean discovered = ServiceDiscovery.INFO.equals(name) || ServiceDiscovery.ITEMS.equals(name);
    boolean requested = PubSubXml.PUBSUB.equals(name) || PubSubXml.PUBSUB_OWNER.equals(name);
    boolean archived = ArchiveQueries.QUERY.equals(name);
    boolean removed = RemovedUser.NODE.equals(name);
    Element payload =
        removed || discovered || requested || archived || PendingRequests.COMMAND.equals(name)
            ? iq.payload()
            : null;
    if (payload == null) {
      return null;
    }
    if (requested) {
      return PubSubRequests.nodeOf(payload);
    }
    if (removed) {
      return payload.attribute("node");
    }
    if (discovered || archived) {
      String node = payload.attribute("node");
      return node == null || ServiceDiscovery.isOfService(node) ? null : node;
    }
    return PendingRequests.nodeOf(payload);
  }

  private @Nullable String nodeOf(Message message) {
    if (HomeMessage.is(message, domain())) {
      return HomeMessage.nodeOf(message);
    }
    Element form =
        !message.isError() && message.has(DataForm.X) ? message.payload(DataForm.X) : null;
    return form != null && PubSubRequests.isAuthorization(form)
        ? PubSubRequests.nodeOfAuthorization(form)
        : null;
  }

  @Override
  public boolean mayBlock(NodeHome home, Stanza stanza) {
    return true;
  }

  @Override
  public void accept(NodeHome home, Envelope envelope) {
    Stanza stanza = envelope.stanza();
    Jid to = stanza.to();
    Jid from = stanza.from();
    home.touch(nodes.context().clock().instant());
    if (from == null || to == null || to.local() != null) {
      reject(stanza, ErrorCondition.ITEM_NOT_FOUND);
      return;
    }
    ServiceNodeOwner owner = nodes.owner(home);
    switch (stanza) {
      case Iq iq -> reply(iq, answer(iq, from, owner));
      case Message message when HomeMessage.is(message, domain()) -> accept(message, home, owner);
      case Message message ->
          PubSubRequests.authorize(
              from, Objects.requireNonNull(message.payload(DataForm.X)), owner);
      case Presence presence -> presences.accept(presence);
    }
  }

  private void accept(Message message, NodeHome home, ServiceNodeOwner owner) {
    switch (HomeMessage.read(message)) {
      case HomeMessage.UserPresence presence -> presences.accept(presence, home, owner);
      case HomeMessage.OfDescendant notification -> {
        owner.causedBy(notification.by());
        owner.notifyOfDescendant(notification);
      }
      case HomeMessage.Refresh(String node, String item, Jid by) -> {
        owner.causedBy(by);
        ServerMadeNodes.refresh(owner, node, item);
      }
      case null -> {}
    }
  }

  /// The answer to a request that names a node.
  private IqReply answer(Iq iq, Jid from, NodeOwner owner) {
    Element payload = Objects.requireNonNull(iq.payload());
    String node = payload.attribute("node");
    if (payload.name().equals(PubSubXml.PUBSUB) || payload.name().equals(PubSubXml.PUBSUB_OWNER)) {
      return PubSubRequests.answer(iq, payload, owner);
    }
    if (payload.name().equals(RemovedUser.NODE)) {
      return RemovedSubscribers.answer(iq, owner);
    }
    if (payload.name().equals(PendingRequests.COMMAND)) {
      String wanted = PendingRequests.nodeOf(payload);
      return iq.type() == Iq.Type.SET && wanted != null
          ? new PendingRequests(owner, from, payload).send(wanted)
          : IqReply.refuse(ErrorCondition.BAD_REQUEST);
    }
    if (payload.name().equals(ArchiveQueries.QUERY)) {
      return archived(iq, payload, from, owner);
    }
    if (iq.type() != Iq.Type.GET || node == null) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    return payload.name().equals(ServiceDiscovery.INFO)
        ? NodeDiscovery.info(owner, from, node)
        : items(payload, from, node, owner);
  }

  private IqReply items(Element request, Jid from, String name, NodeOwner owner) {
    Node node = owner.find(name);
    boolean collection =
        node != null
            && node.config().isCollection()
            && node.refuseAccess(owner.requester(node, from)) == null;
    return collection ? discovery.children(request, name) : NodeDiscovery.items(owner, from, name);
  }

  private IqReply archived(Iq iq, Element query, Jid from, NodeOwner owner) {
    ModuleContext context = nodes.context();
    ServerConfig config = context.config();
    if (!ArchiveQueries.available(config)) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    return NodeArchives.answer(
        iq,
        query,
        owner,
        config.archive().page(),
        config.limits().outboundBytes() / ARCHIVE_SHARE,
        result ->
            context.send(
                Message.of(
                    Message.Type.NORMAL, domain(), from, context.ids().next(), List.of(result))));
  }

  @Override
  public void acceptForDomain(Stanza stanza) {
    Jid from = stanza.from();
    if (stanza instanceof Iq iq && iq.isRequest() && from != null) {
      reply(iq, answerForAll(iq, from));
    } else {
      reject(stanza, ErrorCondition.SERVICE_UNAVAILABLE);
    }
  }

  /// The answer to a request that names no node.
  private IqReply answerForAll(Iq iq, Jid from) {
    Element payload = iq.payload();
    if (payload == null) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST);
    }
    QName name = payload.name();
    if (name.equals(PubSubXml.PUBSUB) || name.equals(PubSubXml.PUBSUB_OWNER)) {
      return PubSubRequests.answer(iq, payload, nodes.owner(null));
    }
    if (iq.type() == Iq.Type.SET) {
      return name.equals(PendingRequests.COMMAND)
          ? new PendingRequests(nodes.owner(null), from, payload).nodes(payload)
          : IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    if (name.equals(ServiceDiscovery.INFO)) {
      return discovery.info(payload.attribute("node"));
    }
    if (name.equals(ServiceDiscovery.ITEMS)) {
      return discovery.items(payload);
    }
    return name.equals(PING) ? IqReply.empty() : IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
  }

  private void reply(Iq iq, IqReply reply) {
    switch (reply) {
      case IqReply.Result(Element result) -> nodes.context().send(Iq.result(iq, result));
      case IqReply.Refuse(StanzaError error) -> nodes.context().send(Iq.error(iq, error));
      case IqReply.Later() -> {}
    }
  }

  private void reject(Stanza stanza, ErrorCondition condition) {
    StanzaError error = StanzaError.of(condition);
    switch (stanza) {
      case Iq iq when iq.isRequest() -> nodes.context().send(Iq.error(iq, error));
      case Message message when !message.isError() ->
          nodes.context().send(Message.error(message, error));
      case Iq answer -> {}
      case Message answer -> {}
      case Presence presence -> {
        // The service has no presence.
      }
    }
  }
}
