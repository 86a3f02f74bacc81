package im.zonda.module.pubsub.pep;

import im.zonda.config.limits.PubSubLimits;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.pubsub.node.Affiliation;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeConfig;
import im.zonda.module.pubsub.node.NodePlace;
import im.zonda.module.pubsub.node.Requester;
import im.zonda.module.pubsub.node.Subscription;
import im.zonda.module.pubsub.request.Leases;
import im.zonda.module.pubsub.request.NodeOwner;
import im.zonda.module.pubsub.request.NodeRows;
import im.zonda.session.Home;
import im.zonda.stanza.Message;
import im.zonda.store.PubSubStore;
import im.zonda.store.PubSubStore.AffiliatedNode;
import im.zonda.store.RosterItem;
import im.zonda.xml.Element;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// An account as the owner of nodes, during one task at its home.
final class AccountNodeOwner implements NodeOwner {
  private static final NodePlace PLACE = NodePlace.ACCOUNT;

  private final Pep pep;
  private final Home home;

  AccountNodeOwner(Pep pep, Home home) {
    this.pep = pep;
    this.home = home;
  }

  private ModuleContext context() {
    return pep.context();
  }

  private AccountState state() {
    return home.state(pep.key());
  }

  /// The nodes in memory, read from the store if they are not.
  private Map<String, Node> read() {
    if (!home.exists()) {
      return Map.of();
    }
    Map<String, Node> known = state().nodes();
    if (known != null) {
      return known;
    }
    Map<String, Node> all = new TreeMap<>();
    for (PubSubStore.Stored stored : store().findAll(home.jid())) {
      Node node = NodeRows.read(stored, PLACE.defaults());
      all.put(node.name(), node);
    }
    state().read(all);
    return all;
  }

  @Override
  public Jid address() {
    return home.jid();
  }

  @Override
  public PubSubStore store() {
    return pep.store();
  }

  @Override
  public Bounds bounds() {
    PubSubLimits limits = context().config().limits().pubsub();
    return new Bounds(limits.nodes(), limits.items(), limits.itemBytes(), limits.bytes());
  }

  @Override
  public NodePlace place() {
    return PLACE;
  }

  @Override
  public NodeConfig defaults(String node) {
    return pep.known().config(node, PLACE.defaults());
  }

  @Override
  public boolean isWellKnown(String node) {
    return pep.known().isConfigured(node);
  }

  @Override
  public boolean accepts(String node, Element payload) {
    return pep.known().accepts(home, node, payload);
  }

  @Override
  public void changed(Node node, Change change) {
    pep.known().changed(home, node.name(), change);
  }

  @Override
  public Set<String> groups() {
    Set<String> groups = new TreeSet<>();
    pep.rosters().of(home).items().forEach(item -> groups.addAll(item.groups()));
    return groups;
  }

  @Override
  public @Nullable Node find(String name) {
    Node node = read().get(name);
    return node == null ? null : Leases.end(this, node);
  }

  /// All nodes.
  Collection<Node> nodes() {
    return List.copyOf(read().values());
  }

  /// The nodes of that name, or all.
  private List<Node> nodes(@Nullable String name) {
    List<Node> nodes = new ArrayList<>();
    for (String each : name == null ? List.copyOf(read().keySet()) : List.of(name)) {
      Node node = find(each);
      if (node != null) {
        nodes.add(node);
      }
    }
    return nodes;
  }

  @Override
  public List<AffiliatedNode> affiliationsOf(Jid user, @Nullable String name) {
    List<AffiliatedNode> found = new ArrayList<>();
    for (Node node : nodes(name)) {
      Affiliation affiliation = node.affiliation(user);
      if (affiliation != Affiliation.NONE) {
        found.add(new AffiliatedNode(node.name(), affiliation.word()));
      }
    }
    return found;
  }

  @Override
  public Map<String, List<Subscription>> subscriptionsOf(Jid user, @Nullable String name) {
    Map<String, List<Subscription>> found = new TreeMap<>();
    for (Node node : nodes(name)) {
      found.put(node.name(), node.subscriptionsOf(user));
    }
    return found;
  }

  @Override
  public PubSubStore.Usage usage(Jid creator) {
    return new PubSubStore.Usage(read().size(), store().bytes(home.jid()), 0);
  }

  /// All nodes have one limit together.
  @Override
  public boolean mayHaveMore(Node node, int entries) {
    int all = read().values().stream().mapToInt(Node::entries).sum();
    return all + entries <= context().config().limits().pubsub().subscriptions();
  }

  /// One user is not limited apart.
  @Override
  public boolean isFullySubscribed(Jid user) {
    return false;
  }

  @Override
  public Requester requester(Jid user) {
    RosterItem item = home.exists() ? pep.rosters().of(home).find(user.bare()) : null;
    return item == null
        ? Requester.stranger(user)
        : new Requester(user, item.subscription().from(), new TreeSet<>(item.groups()));
  }

  @Override
  public boolean mayCreate(Jid user) {
    return home.exists() && user.bare().equals(home.jid());
  }

  @Override
  public boolean ownsAll(Jid user) {
    return mayCreate(user);
  }

  @Override
  public void save(@Nullable Node before, Node after) {
    Map<String, Node> known = read();
    NodeRows.write(store(), home.jid(), before, after, PLACE.defaults());
    known.put(after.name(), after);
  }

  @Override
  public void remove(Node node) {
    Map<String, Node> known = read();
    store().remove(home.jid(), node.name());
    known.remove(node.name());
    state().removed(node.name());
  }

  @Override
  public String newId() {
    return context().ids().next();
  }

  @Override
  public Instant now() {
    return context().clock().instant().truncatedTo(ChronoUnit.MICROS);
  }

  @Override
  public void notifyAll(Node node, List<Element> payloads) {
    state().published(node.name());
    context().atHome(home.jid(), again -> new Notifications(pep, again).notifyAll(node, payloads));
  }

  @Override
  public void sendLastItem(Node node, Jid subscriber) {
    context()
        .atHome(
            home.jid(),
            again -> new Notifications(pep, again).sendLast(subscriber, Set.of(node.name())));
  }

  @Override
  public void send(Jid to, Message.Type type, List<Element> payloads) {
    context().atHome(home.jid(), again -> new Notifications(pep, again).send(to, type, payloads));
  }
}
