package im.zonda.module.pubsub.pep;

import im.zonda.config.limits.PubSubLimits;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.pubsub.following.PublicSubscribers;
import im.zonda.module.pubsub.following.ServerMadeNodes;
import im.zonda.module.pubsub.node.Affiliation;
import im.zonda.module.pubsub.node.DerivedNode;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeConfig;
import im.zonda.module.pubsub.node.NodePlace;
import im.zonda.module.pubsub.node.Requester;
import im.zonda.module.pubsub.node.Subscription;
import im.zonda.module.pubsub.owner.Leases;
import im.zonda.module.pubsub.owner.NodeOwner;
import im.zonda.module.pubsub.owner.NodeRows;
import im.zonda.module.roster.Roster;
import im.zonda.session.Home;
import im.zonda.stanza.Message;
import im.zonda.store.PubSubStore;
import im.zonda.store.PubSubStore.AffiliatedNode;
import im.zonda.store.PubSubStore.SubscriptionPlace;
import im.zonda.store.RosterItem;
import im.zonda.xml.Element;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// An account as the owner of nodes, during one task at its home.
final class AccountNodeOwner implements NodeOwner {
  private static final NodePlace PLACE = NodePlace.ACCOUNT;

  private final Pep pep;
  private final Home home;

  /// Whose request causes what is sent, or null.
  private @Nullable Jid cause;

  AccountNodeOwner(Pep pep, Home home) {
    this.pep = pep;
    this.home = home;
  }

  private ModuleContext context() {
    return pep.context();
  }

  private PepState state() {
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
  public Set<String> groups(Jid user) {
    Set<String> groups = new TreeSet<>();
    if (!ownsAll(user)) {
      return groups;
    }
    Roster roster = pep.rosters().of(home);
    roster.items().forEach(item -> groups.addAll(item.groups()));
    roster.shared().seen().forEach(group -> groups.add(group.name()));
    return groups;
  }

  @Override
  public @Nullable Node find(String name) {
    Node stored = read().get(name);
    return ServerMadeNodes.effective(this, name, stored == null ? null : Leases.end(this, stored));
  }

  /// All nodes.
  Collection<Node> nodes() {
    return read().values().stream()
        .map(node -> ServerMadeNodes.effective(this, node.name(), node))
        .filter(Objects::nonNull)
        .toList();
  }

  @Override
  public List<AffiliatedNode> affiliations(Jid user, @Nullable String after, int limit) {
    List<AffiliatedNode> found = new ArrayList<>();
    for (String name : List.copyOf(read().keySet())) {
      Node node = after == null || name.compareTo(after) > 0 ? find(name) : null;
      Affiliation affiliation = node == null ? Affiliation.NONE : node.affiliation(user);
      if (affiliation != Affiliation.NONE && found.size() < limit) {
        found.add(new AffiliatedNode(name, affiliation.word()));
      }
    }
    return found;
  }

  @Override
  public int countAffiliations(Jid user) {
    return affiliations(user, null, Integer.MAX_VALUE).size();
  }

  @Override
  public List<Owned> subscriptions(Jid user, @Nullable SubscriptionPlace after, int limit) {
    List<Owned> found = new ArrayList<>();
    for (String name : List.copyOf(read().keySet())) {
      int order = after == null ? 1 : name.compareTo(after.node());
      Node node = order < 0 ? null : find(name);
      List<Subscription> own = node == null ? List.of() : node.subscriptionsOf(user);
      own.stream()
          .sorted(Comparator.comparing(Subscription::id))
          .filter(each -> after == null || order > 0 || each.id().compareTo(after.id()) > 0)
          .limit((long) limit - found.size())
          .forEach(each -> found.add(new Owned(name, each)));
    }
    return found;
  }

  @Override
  public int countSubscriptions(Jid user) {
    return subscriptions(user, null, Integer.MAX_VALUE).size();
  }

  @Override
  public PubSubStore.Usage usage(Jid creator) {
    int nodes = read().size() - countDerived();
    return new PubSubStore.Usage(nodes, store().bytes(home.jid()), 0);
  }

  private int countDerived() {
    return (int) read().keySet().stream().filter(DerivedNode::isReserved).count();
  }

  /// They are not counted as nodes of the account: others have them created. There are at most as
  /// many as a node may have items.
  @Override
  public boolean hasRoomForAttachments(Jid user) {
    return countDerived() < bounds().items();
  }

  @Override
  public void refresh(String name, String item) {
    ServerMadeNodes.refresh(this, name, item);
  }

  /// All nodes have one limit together.
  @Override
  public boolean mayHaveMore(Node node, int entries) {
    int all = read().values().stream().mapToInt(AccountNodeOwner::entries).sum();
    return all + entries <= context().config().limits().pubsub().subscriptions();
  }

  /// Who is affiliated with a derived node is so with its target.
  private static int entries(Node node) {
    return DerivedNode.isReserved(node.name()) ? node.subscriptions().size() : node.entries();
  }

  /// One user is not limited apart.
  @Override
  public boolean isFullySubscribed(Jid user) {
    return false;
  }

  @Override
  public void causedBy(@Nullable Jid user) {
    cause = user;
  }

  @Override
  public boolean isExhausted(Jid user) {
    return pep.budgets().isExhausted(user);
  }

  @Override
  public void charge(long bytes) {
    pep.budgets().charge(cause, 1, bytes);
  }

  /// Also a contact who sees the account's presence.
  @Override
  public boolean mayBeSubscribed(Jid user) {
    RosterItem item = pep.rosters().of(home).find(user.bare());
    return (item != null && item.subscription().from())
        || (user.local() != null && user.domain().equals(home.jid().domain()));
  }

  @Override
  public Requester requester(Node node, Jid user) {
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
    // The host asks for its administrators.
    return mayCreate(user) || (home.exists() && user.equals(context().domain()));
  }

  @Override
  public void save(@Nullable Node before, Node after) {
    Map<String, Node> known = read();
    NodeRows.write(store(), home.jid(), before, after, PLACE.defaults());
    known.put(after.name(), after);
    PublicSubscribers.saved(this, before, after);
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
    Jid by = cause;
    context()
        .atHome(home.jid(), again -> new Notifications(pep, again).notifyAll(node, payloads, by));
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
    Jid by = cause;
    context()
        .atHome(home.jid(), again -> new Notifications(pep, again).sendOne(to, type, payloads, by));
  }
}
