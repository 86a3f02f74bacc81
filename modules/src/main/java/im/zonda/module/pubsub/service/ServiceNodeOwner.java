package im.zonda.module.pubsub.service;

import im.zonda.config.limits.PubSubLimits;
import im.zonda.jid.Jid;
import im.zonda.module.pubsub.following.PublicSubscribers;
import im.zonda.module.pubsub.following.ServerMadeNodes;
import im.zonda.module.pubsub.node.DerivedNode;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.node.NodePlace;
import im.zonda.module.pubsub.node.Requester;
import im.zonda.module.pubsub.node.Subscription;
import im.zonda.module.pubsub.node.SubscriptionOptions;
import im.zonda.module.pubsub.owner.EventMessages;
import im.zonda.module.pubsub.owner.Leases;
import im.zonda.module.pubsub.owner.NodeOwner;
import im.zonda.module.pubsub.owner.NodeRows;
import im.zonda.module.pubsub.owner.ShimHeaders;
import im.zonda.module.pubsub.request.Associations;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.store.PubSubStore;
import im.zonda.store.PubSubStore.AffiliatedNode;
import im.zonda.store.PubSubStore.Last;
import im.zonda.store.PubSubStore.SubscribedNode;
import im.zonda.store.PubSubStore.SubscriptionPlace;
import im.zonda.xml.Element;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The service as the owner of nodes, during one task.
final class ServiceNodeOwner implements NodeOwner {
  private static final NodePlace PLACE = NodePlace.SERVICE;

  /// How long answers to probes are waited for before a notification is sent.
  private static final Duration PROBE_TIME = Duration.ofSeconds(2);

  /// How long presence counts as the answer to a probe.
  private static final Duration ANSWER_TIME = Duration.ofSeconds(30);

  private final ServiceNodes nodes;
  private final @Nullable NodeHome home;
  private final CreatorRosters rosters;

  /// Whose request causes what is sent, or null.
  private @Nullable Jid cause;

  /// The collections of a node that was removed during the task.
  private Map<String, Integer> removedFrom = Map.of();

  ServiceNodeOwner(ServiceNodes nodes, @Nullable NodeHome home) {
    this.nodes = nodes;
    this.home = home;
    this.rosters = new CreatorRosters(nodes.rosters(), nodes.context().domain().domain());
  }

  private PubSubLimits limits() {
    return nodes.context().config().limits().pubsub();
  }

  @Override
  public Jid address() {
    return nodes.domain();
  }

  @Override
  public PubSubStore store() {
    return nodes.store();
  }

  @Override
  public Bounds bounds() {
    PubSubLimits limits = limits();
    return new Bounds(
        limits.createdNodes(), limits.items(), limits.itemBytes(), limits.createdBytes());
  }

  @Override
  public NodePlace place() {
    return PLACE;
  }

  @Override
  public Set<String> groups(Jid user) {
    return rosters.groups(user);
  }

  @Override
  public @Nullable Node other(String name) {
    PubSubStore.Stored stored = store().find(address(), name);
    return stored == null ? null : NodeRows.read(stored, PLACE.defaults());
  }

  @Override
  public @Nullable Node find(String name) {
    Node node = home == null ? null : home.node();
    if (node == null || !node.name().equals(name)) {
      PubSubStore.Stored stored = store().find(address(), name);
      if (stored == null) {
        return ServerMadeNodes.effective(this, name, null);
      }
      node = NodeRows.read(stored, PLACE.defaults());
      if (home != null) {
        home.setNode(node);
      }
    }
    return ServerMadeNodes.effective(this, name, Leases.end(this, node));
  }

  @Override
  public void refresh(String name, String item) {
    nodes.send(new HomeMessage.Refresh(name, item, cause));
  }

  @Override
  public List<AffiliatedNode> affiliations(Jid user, @Nullable String after, int limit) {
    return store().affiliationsOf(address(), user.bare(), after, limit);
  }

  @Override
  public int countAffiliations(Jid user) {
    return store().countAffiliations(address(), user.bare());
  }

  @Override
  public List<Owned> subscriptions(Jid user, @Nullable SubscriptionPlace after, int limit) {
    List<Owned> found = new ArrayList<>();
    for (SubscribedNode each : store().subscriptionsOf(address(), user.bare(), after, limit)) {
      Subscription subscription = NodeRows.read(each.subscription());
      if (subscription != null) {
        found.add(new Owned(each.node(), subscription));
      }
    }
    return found;
  }

  @Override
  public int countSubscriptions(Jid user) {
    return store().countSubscriptions(address(), user.bare());
  }

  @Override
  public PubSubStore.Usage usage(Jid creator) {
    return store().usage(address(), creator.bare());
  }

  @Override
  public boolean mayHaveMore(Node node, int entries) {
    return node.entries() + entries <= limits().nodeSubscriptions()
        && usage(node.creator()).entries() + entries <= limits().createdSubscriptions();
  }

  @Override
  public boolean isFullySubscribed(Jid user) {
    return countSubscriptions(user) >= limits().userSubscriptions();
  }

  @Override
  public void causedBy(@Nullable Jid user) {
    cause = user;
  }

  @Override
  public boolean isExhausted(Jid user) {
    return nodes.budgets().isExhausted(user);
  }

  /// An account of the host can end its subscription at once, and has a limit of its own.
  @Override
  public boolean mayBeSubscribed(Jid user) {
    return user.local() != null && user.domain().equals(nodes.context().domain().domain());
  }

  @Override
  public Requester requester(Node node, Jid user) {
    return rosters.requester(node, user, this::creatorOf);
  }

  /// Whose roster decides on access to a node; that of its target's creator, if it is derived. Null
  /// if the creator no longer owns it.
  private @Nullable Jid creatorOf(Node node) {
    String name = DerivedNode.targetOf(node.name(), address());
    Node target = name == null ? node : other(name);
    return target != null && target.isOwner(target.creator()) ? target.creator() : null;
  }

  @Override
  public boolean mayCreate(Jid user) {
    return nodes.mayCreate(user);
  }

  @Override
  public boolean isReserved(String name, Jid user) {
    return nodes.isReserved(name, user);
  }

  @Override
  public boolean ownsAll(Jid user) {
    return nodes.isAdmin(user);
  }

  @Override
  public void save(@Nullable Node before, Node after) {
    try {
      NodeRows.write(store(), address(), before, after, PLACE.defaults());
    } catch (RuntimeException e) {
      keep(null); // it may have been stored nevertheless
      throw e;
    }
    keep(after);
    PublicSubscribers.saved(this, before, after);
    if (after.needsPresence()) {
      nodes.interest().begin();
    }
  }

  @Override
  public void remove(Node node) {
    removedFrom = Associations.ancestors(this, node.name());
    keep(null);
    store().remove(address(), node.name());
  }

  private void keep(@Nullable Node node) {
    if (home != null) {
      home.setNode(node);
    }
  }

  @Override
  public String newId() {
    return nodes.context().ids().next();
  }

  @Override
  public Instant now() {
    return nodes.context().clock().instant().truncatedTo(ChronoUnit.MICROS);
  }

  /// Also those who are subscribed to collections that have the node as a descendant.
  @Override
  public void notifyAll(Node node, List<Element> payloads) {
    Map<Jid, List<String>> receivers = new LinkedHashMap<>();
    for (Subscription each : node.subscriptions().values()) {
      if (node.notifies(each, requester(node, each.subscriber()))) {
        receivers.computeIfAbsent(each.subscriber(), missing -> new ArrayList<>(1)).add(each.id());
      }
    }
    askForPresence(node);
    deliver(EventMessages.type(node), payloads, receivers);
    Map<String, Integer> collections =
        removedFrom.isEmpty() ? Associations.ancestors(this, node.name()) : removedFrom;
    SubscriptionOptions.Type about = EventMessages.about(payloads.getFirst());
    if (node.config().isOn(NodeOption.DELIVER_NOTIFICATIONS)) {
      collections.forEach((collection, depth) ->
          nodes.send(
              new HomeMessage.OfDescendant(
                  collection, about, depth, EventMessages.type(node), true, payloads, cause)));
    }
  }

  @Override
  public void notifyCollection(String collection, List<Element> payloads) {
    nodes.send(
        new HomeMessage.OfDescendant(
            collection,
            SubscriptionOptions.Type.NODES,
            1,
            Message.Type.HEADLINE,
            false,
            payloads,
            cause));
  }

  /// Notifies those who are subscribed to a collection of what has happened to a descendant.
  void notifyOfDescendant(HomeMessage.OfDescendant notification) {
    Node node = find(notification.node());
    if (node == null || !node.config().isCollection()) {
      return;
    }
    Map<Jid, List<String>> receivers = new LinkedHashMap<>();
    for (Subscription each : node.subscriptions().values()) {
      Requester requester = requester(node, each.subscriber());
      if (node.notifies(each, requester, notification.about(), notification.depth())) {
        receivers.computeIfAbsent(each.subscriber(), missing -> new ArrayList<>(1)).add(each.id());
      }
    }
    List<Element> payloads = new ArrayList<>(notification.payloads());
    if (notification.named()) {
      payloads.add(ShimHeaders.ofCollection(node.name()));
    }
    askForPresence(node);
    deliver(notification.type(), payloads, receivers);
  }

  /// Asks subscribers for their presence if it decides on delivery and is not known.
  private void askForPresence(Node node) {
    if (home == null
        || home.presence().isKnown()
        || !node.config().isOn(NodeOption.PRESENCE_BASED_DELIVERY)) {
      return;
    }
    home.presence().asked(now().plus(ANSWER_TIME));
    home.deliveries().hold(PROBE_TIME);
    Set<Jid> users = new LinkedHashSet<>();
    node.subscriptions().values().forEach(each -> users.add(each.subscriber().bare()));
    users.forEach(this::probe);
  }

  private void probe(Jid user) {
    nodes.context().send(Presence.of(Presence.Type.PROBE, address(), user, newId(), List.of()));
  }

  /// The presence of a new subscriber is asked for if it matters.
  @Override
  public void subscribed(Node node, Jid subscriber) {
    if (node.needsPresence() && home != null && !home.presence().isAvailable(subscriber)) {
      if (!home.presence().isKnown() && node.subscriptions().size() == 1) {
        home.presence().setKnown();
      }
      home.presence().expectAnswer(now().plus(PROBE_TIME));
      probe(subscriber.bare());
    }
  }

  @Override
  public void sendLastItem(Node node, Jid subscriber) {
    for (Last last : store().lastItems(address(), Set.of(node.name()))) {
      List<Element> payloads = EventMessages.lastItem(node, address(), last.item(), now());
      if (payloads != null) {
        deliver(EventMessages.type(node), payloads, Map.of(subscriber, List.of()));
      }
    }
  }

  @Override
  public void send(Jid to, Message.Type type, List<Element> payloads) {
    deliver(type, payloads, Map.of(to, List.of()));
  }

  @Override
  public void charge(long bytes) {
    nodes.budgets().charge(cause, 1, bytes);
  }

  private void deliver(
      Message.Type type, List<Element> payloads, Map<Jid, List<String>> receivers) {
    if (home == null) {
      throw new IllegalStateException("only the home of a node sends notifications");
    }
    nodes.budgets().charge(cause, receivers.size(), payloads);
    home.deliveries().add(type, payloads, receivers, home);
  }
}
