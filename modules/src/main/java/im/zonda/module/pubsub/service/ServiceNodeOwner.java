package im.zonda.module.pubsub.service;

import im.zonda.config.limits.PubSubLimits;
import im.zonda.jid.Jid;
import im.zonda.module.pubsub.node.Affiliation;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodePlace;
import im.zonda.module.pubsub.node.Requester;
import im.zonda.module.pubsub.node.Subscription;
import im.zonda.module.pubsub.request.EventMessages;
import im.zonda.module.pubsub.request.Leases;
import im.zonda.module.pubsub.request.NodeOwner;
import im.zonda.module.pubsub.request.NodeRows;
import im.zonda.stanza.Message;
import im.zonda.store.PubSubStore;
import im.zonda.store.PubSubStore.AffiliatedNode;
import im.zonda.store.PubSubStore.Last;
import im.zonda.store.PubSubStore.SubscribedNode;
import im.zonda.xml.Element;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The service as the owner of nodes, during one task.
final class ServiceNodeOwner implements NodeOwner {
  private static final NodePlace PLACE = NodePlace.SERVICE;

  /// Nodes of an answer to a request that names none.
  private static final int LISTED = 10_000;

  private final ServiceNodes nodes;
  private final @Nullable NodeHome home;

  ServiceNodeOwner(ServiceNodes nodes, @Nullable NodeHome home) {
    this.nodes = nodes;
    this.home = home;
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

  /// A service has no roster.
  @Override
  public Set<String> groups() {
    return Set.of();
  }

  @Override
  public @Nullable Node find(String name) {
    Node node = home == null ? null : home.node();
    if (node == null || !node.name().equals(name)) {
      PubSubStore.Stored stored = store().find(address(), name);
      if (stored == null) {
        return null;
      }
      node = NodeRows.read(stored, PLACE.defaults());
      if (home != null) {
        home.setNode(node);
      }
    }
    return Leases.end(this, node);
  }

  @Override
  public List<AffiliatedNode> affiliationsOf(Jid user, @Nullable String name) {
    if (name == null) {
      return store().affiliationsOf(address(), user.bare(), LISTED);
    }
    Node node = find(name);
    Affiliation affiliation = node == null ? Affiliation.NONE : node.affiliation(user);
    return affiliation == Affiliation.NONE
        ? List.of()
        : List.of(new AffiliatedNode(name, affiliation.word()));
  }

  @Override
  public Map<String, List<Subscription>> subscriptionsOf(Jid user, @Nullable String name) {
    if (name != null) {
      Node node = find(name);
      return node == null ? Map.of() : Map.of(name, node.subscriptionsOf(user));
    }
    Instant now = now();
    Map<String, List<Subscription>> found = new LinkedHashMap<>();
    for (SubscribedNode each : store().subscriptionsOf(address(), user.bare(), LISTED)) {
      Subscription subscription = NodeRows.read(each.subscription());
      if (subscription != null && !subscription.options().hasEnded(now)) {
        found.computeIfAbsent(each.node(), missing -> new ArrayList<>()).add(subscription);
      }
    }
    return found;
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
    int most = limits().userSubscriptions();
    return store().subscriptionsOf(address(), user.bare(), most).size() >= most;
  }

  /// Nobody's presence is known to a service.
  @Override
  public Requester requester(Jid user) {
    return Requester.stranger(user);
  }

  @Override
  public boolean mayCreate(Jid user) {
    return nodes.mayCreate(user);
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
  }

  @Override
  public void remove(Node node) {
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

  @Override
  public void notifyAll(Node node, List<Element> payloads) {
    Map<Jid, List<String>> receivers = new LinkedHashMap<>();
    for (Subscription each : node.subscriptions().values()) {
      if (node.notifies(each, requester(each.subscriber()))) {
        receivers.computeIfAbsent(each.subscriber(), missing -> new ArrayList<>(1)).add(each.id());
      }
    }
    deliver(EventMessages.type(node), payloads, receivers);
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

  private void deliver(
      Message.Type type, List<Element> payloads, Map<Jid, List<String>> receivers) {
    if (home == null) {
      throw new IllegalStateException("only the home of a node sends notifications");
    }
    home.deliveries().add(type, payloads, receivers, home);
  }
}
