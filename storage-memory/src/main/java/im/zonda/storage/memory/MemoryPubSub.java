package im.zonda.storage.memory;

import im.zonda.jid.Jid;
import im.zonda.storage.memory.MemoryData.Owner;
import im.zonda.store.PubSubStore;
import im.zonda.store.Stores;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The publish-subscribe nodes.
record MemoryPubSub(MemoryDatabase database) implements PubSubStore {
  /// A node with what belongs to it.
  static final class NodeData {
    private Node node;
    private final Map<Jid, Affiliation> affiliations =
        new TreeMap<>(Comparator.comparing(Jid::toString, MemoryData.TEXT_ORDER));
    private final Map<String, Subscription> subscriptions = new TreeMap<>(MemoryData.TEXT_ORDER);
    private final Set<String> children = new TreeSet<>(MemoryData.TEXT_ORDER);

    private final NodeItems items = new NodeItems();

    NodeData(Node node) {
      this.node = node;
    }

    Stored stored() {
      return new Stored(
          node,
          List.copyOf(affiliations.values()),
          List.copyOf(subscriptions.values()),
          items.size(),
          items.bytes());
    }

    boolean concerns(Jid user) {
      return affiliations.containsKey(user) || hasSubscription(user);
    }

    /// As [#concerns], but not only as an outcast.
    boolean grants(Jid user) {
      Affiliation affiliation = affiliations.get(user);
      return hasSubscription(user)
          || (affiliation != null && !affiliation.affiliation().equals("outcast"));
    }

    private boolean hasSubscription(Jid user) {
      return subscriptions.values().stream()
          .anyMatch(each -> each.subscriber().bare().equals(user));
    }
  }

  private Map<String, NodeData> nodes(Jid owner) {
    Owner found = database.data().owners.get(owner);
    return found == null ? Map.of() : found.nodes;
  }

  private <T> T at(Jid owner, String node, T missing, Function<NodeData, T> call) {
    return database.call(() -> {
      NodeData found = nodes(owner).get(node);
      return found == null ? missing : call.apply(found);
    });
  }

  @Override
  public @Nullable Stored find(Jid owner, String name) {
    return database.<@Nullable Stored>call(() -> {
      NodeData found = nodes(owner).get(name);
      return found == null ? null : found.stored();
    });
  }

  @Override
  public List<Stored> findAll(Jid owner) {
    return database.call(() -> nodes(owner).values().stream().map(NodeData::stored).toList());
  }

  @Override
  public List<String> list(Jid owner, @Nullable String after, int limit) {
    return database.call(() ->
        nodes(owner).keySet().stream()
            .filter(name -> after == null || MemoryData.TEXT_ORDER.compare(name, after) > 0)
            .limit(limit)
            .toList());
  }

  @Override
  public List<Node> listed(Jid owner, @Nullable String after, int limit) {
    return database.call(() ->
        nodes(owner).entrySet().stream()
            .filter(
                each -> after == null || MemoryData.TEXT_ORDER.compare(each.getKey(), after) > 0)
            .filter(each -> collections(owner, each.getKey()).isEmpty())
            .map(each -> each.getValue().node)
            .filter(Node::listed)
            .limit(limit)
            .toList());
  }

  @Override
  public List<AffiliatedNode> affiliationsOf(
      Jid owner, Jid user, @Nullable String after, int limit) {
    return database.call(() ->
        nodes(owner).entrySet().stream()
            .filter(each -> isAfter(each.getKey(), after))
            .flatMap(each ->
                each.getValue().affiliations.values().stream()
                    .filter(affiliation -> affiliation.user().equals(user))
                    .map(found -> new AffiliatedNode(each.getKey(), found.affiliation())))
            .limit(limit)
            .toList());
  }

  private static boolean isAfter(String name, @Nullable String after) {
    return after == null || MemoryData.TEXT_ORDER.compare(name, after) > 0;
  }

  @Override
  public int countAffiliations(Jid owner, Jid user) {
    return affiliationsOf(owner, user, null, Integer.MAX_VALUE).size();
  }

  @Override
  public List<SubscribedNode> subscriptionsOf(
      Jid owner, Jid user, @Nullable SubscriptionPlace after, int limit) {
    return database.call(() ->
        nodes(owner).entrySet().stream()
            .flatMap(each ->
                each.getValue().subscriptions.values().stream()
                    .filter(subscription -> subscription.subscriber().bare().equals(user))
                    .map(found -> new SubscribedNode(each.getKey(), found)))
            .filter(each -> isAfter(each, after))
            .limit(limit)
            .toList());
  }

  private static boolean isAfter(SubscribedNode each, @Nullable SubscriptionPlace after) {
    int order = after == null ? 1 : MemoryData.TEXT_ORDER.compare(each.node(), after.node());
    return after == null
        || order > 0
        || (order == 0 && isAfter(each.subscription().id(), after.id()));
  }

  @Override
  public int countSubscriptions(Jid owner, Jid user) {
    return subscriptionsOf(owner, user, null, Integer.MAX_VALUE).size();
  }

  @Override
  public List<String> presenceNodes(Jid owner, Jid user, int limit) {
    return database.call(() ->
        nodes(owner).values().stream()
            .filter(each -> each.node.presence() && each.concerns(user))
            .map(each -> each.node.name())
            .limit(limit)
            .toList());
  }

  @Override
  public List<Place> placesOf(Jid user, int limit) {
    return database.call(() ->
        database.data().owners.values().stream()
            .flatMap(owner -> owner.nodes.values().stream())
            .filter(each -> each.grants(user))
            .map(each -> new Place(each.node.owner(), each.node.name()))
            .limit(limit)
            .toList());
  }

  @Override
  public boolean hasPresenceNodes(Jid owner) {
    return database.call(
        () -> nodes(owner).values().stream().anyMatch(each -> each.node.presence()));
  }

  @Override
  public boolean associate(Jid owner, String collection, String child) {
    return at(
        owner,
        collection,
        false,
        data -> nodes(owner).containsKey(child) && data.children.add(child));
  }

  @Override
  public boolean dissociate(Jid owner, String collection, String child) {
    return at(owner, collection, false, data -> data.children.remove(child));
  }

  @Override
  public List<String> collections(Jid owner, String child) {
    return database.call(() ->
        nodes(owner).entrySet().stream()
            .filter(each -> each.getValue().children.contains(child))
            .map(Map.Entry::getKey)
            .toList());
  }

  @Override
  public List<Node> children(Jid owner, String collection, @Nullable String after, int limit) {
    return at(
        owner,
        collection,
        List.of(),
        data ->
            data.children.stream()
                .filter(name -> isAfter(name, after))
                .limit(limit)
                .map(name -> Objects.requireNonNull(nodes(owner).get(name)).node)
                .toList());
  }

  @Override
  public int countChildren(Jid owner, String collection) {
    return at(owner, collection, 0, data -> data.children.size());
  }

  @Override
  public Usage usage(Jid owner, Jid creator) {
    return database.call(() -> {
      List<NodeData> own =
          nodes(owner).values().stream()
              .filter(each -> each.node.creator().equals(creator))
              .toList();
      return new Usage(
          own.size(),
          own.stream().mapToLong(each -> each.stored().bytes()).sum(),
          own.stream().mapToLong(each -> each.node.entries()).sum());
    });
  }

  @Override
  public int count(Jid owner) {
    return database.call(() -> nodes(owner).size());
  }

  @Override
  public long bytes(Jid owner) {
    return database.call(
        () -> nodes(owner).values().stream().mapToLong(node -> node.stored().bytes()).sum());
  }

  @Override
  public void save(
      Node node, Collection<Affiliation> affiliations, Collection<Subscription> changed) {
    if (node.owner().isFull()) {
      throw new IllegalArgumentException("not the owner of a node: " + node.owner());
    }
    requireName(node.name());
    boolean saved =
        database.call(() -> {
          Map<Jid, Owner> owners = database.data().owners;
          if (node.owner().local() == null) {
            owners.computeIfAbsent(node.owner(), missing -> new Owner());
          }
          Owner owner = owners.get(node.owner());
          if (owner == null) {
            return false;
          }
          NodeData data =
              owner.nodes.computeIfAbsent(node.name(), missing -> new NodeData(rounded(node)));
          data.node =
              new Node(
                  node.owner(),
                  node.name(),
                  data.node.creator(),
                  data.node.created(),
                  node.settings(),
                  node.listed(),
                  node.entries(),
                  node.presence());
          for (Affiliation each : affiliations) {
            if (each.affiliation().equals("none")) {
              data.affiliations.remove(each.user());
            } else {
              data.affiliations.put(each.user(), each);
            }
          }
          for (Subscription each : changed) {
            if (each.state().equals("none")) {
              data.subscriptions.remove(each.id());
            } else {
              data.subscriptions.put(each.id(), each);
            }
          }
          return true;
        });
    if (!saved) {
      throw new Stores.MissingOwnerException(node.owner());
    }
  }

  private static Node rounded(Node node) {
    return new Node(
        node.owner(),
        node.name(),
        node.creator(),
        node.created().truncatedTo(ChronoUnit.MICROS),
        node.settings(),
        node.listed(),
        node.entries(),
        node.presence());
  }

  private static void requireName(String name) {
    if (name.isEmpty() || name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
      throw new IllegalArgumentException("a name is empty or too long: " + name.length());
    }
  }

  @Override
  public boolean remove(Jid owner, String name) {
    return database.call(() -> {
      Map<String, NodeData> nodes = nodes(owner);
      nodes.values().forEach(each -> each.children.remove(name));
      return nodes.containsKey(name) && nodes.remove(name) != null;
    });
  }

  @Override
  public List<String> publish(Jid owner, String node, List<Item> items, int most) {
    items.forEach(item -> requireName(item.id()));
    return database.call(() -> {
      NodeData data = nodes(owner).get(node);
      if (data == null) {
        throw new IllegalStateException("no node " + node + " of " + owner);
      }
      for (Item item : items) {
        data.items.put(
            new Item(
                item.id(),
                item.publisher(),
                item.published().truncatedTo(ChronoUnit.MICROS),
                item.payload()));
      }
      return data.items.trim(most);
    });
  }

  @Override
  public List<String> trim(Jid owner, String node, int most) {
    return at(owner, node, List.of(), data -> data.items.trim(most));
  }

  @Override
  public Set<String> retract(Jid owner, String node, Collection<String> ids) {
    return at(
        owner,
        node,
        Set.of(),
        data -> {
          Set<String> removed = new LinkedHashSet<>();
          for (String id : ids) {
            if (data.items.remove(id)) {
              removed.add(id);
            }
          }
          return removed;
        });
  }

  @Override
  public int purge(Jid owner, String node) {
    return at(owner, node, 0, data -> data.items.trim(0).size());
  }

  @Override
  public int expire(Jid owner, String node, Instant before) {
    return at(
        owner,
        node,
        0,
        data -> {
          List<Item> expired =
              data.items.all().stream().filter(item -> item.published().isBefore(before)).toList();
          expired.forEach(item -> data.items.remove(item.id()));
          return expired.size();
        });
  }

  @Override
  public List<Item> items(Jid owner, String node, Collection<String> ids) {
    return at(
        owner,
        node,
        List.of(),
        data ->
            NodeItems.fitting(
                data.items.all().stream().filter(item -> ids.contains(item.id())).toList(), false));
  }

  @Override
  public Map<String, Jid> publishers(Jid owner, String node, Collection<String> ids) {
    Map<String, Jid> publishers = new HashMap<>();
    List<Item> all = at(owner, node, List.of(), data -> data.items.all());
    all.stream()
        .filter(item -> ids.contains(item.id()))
        .forEach(item -> publishers.put(item.id(), item.publisher()));
    return publishers;
  }

  @Override
  public List<String> newest(Jid owner, String node, int limit) {
    List<Item> all = at(owner, node, List.of(), data -> data.items.all());
    return all.stream().skip(Math.max(0, all.size() - limit)).map(Item::id).toList();
  }

  @Override
  public @Nullable Page page(
      Jid owner,
      String node,
      Order order,
      @Nullable String reference,
      boolean backwards,
      int limit) {
    return database.<@Nullable Page>call(() -> {
      NodeData data = nodes(owner).get(node);
      List<Item> all = data == null ? List.of() : data.items.all(order);
      int place = -1;
      for (int i = 0; i < all.size(); i++) {
        place = all.get(i).id().equals(reference) ? i : place;
      }
      if (reference != null && place < 0) {
        return null;
      }
      int from = backwards ? 0 : place + 1;
      int to = backwards && reference != null ? place : all.size();
      if (backwards) {
        from = Math.max(from, to - limit);
      } else {
        to = Math.min(to, from + limit);
      }
      List<Item> items = NodeItems.fitting(all.subList(from, to), backwards);
      return new Page(items, backwards ? to - items.size() : from, all.size());
    });
  }

  @Override
  public @Nullable List<Item> select(
      Jid owner, String node, Range range, boolean backwards, int limit) {
    return database.<@Nullable List<Item>>call(() -> {
      NodeData data = nodes(owner).get(node);
      List<Item> all = data == null ? List.of() : data.items.all(range.order());
      List<String> ids = all.stream().map(Item::id).toList();
      int from = range.after() == null ? 0 : ids.indexOf(range.after()) + 1;
      int to = range.before() == null ? all.size() : ids.indexOf(range.before());
      if (to < 0 || (range.after() != null && from == 0)) {
        return null;
      }
      List<Item> found =
          all.subList(Math.min(from, to), to).stream().filter(each -> isIn(each, range)).toList();
      int most = Math.min(limit, found.size());
      return NodeItems.fitting(
          backwards ? found.subList(found.size() - most, found.size()) : found.subList(0, most),
          backwards);
    });
  }

  private static boolean isIn(Item item, Range range) {
    Jid publisher = range.publisher();
    return (range.from() == null || !item.published().isBefore(range.from()))
        && (range.to() == null || !item.published().isAfter(range.to()))
        && (publisher == null
            || item.publisher().equals(publisher)
            || item.publisher().bare().equals(publisher));
  }

  @Override
  public List<Last> lastItems(Jid owner, Set<String> names) {
    return database.call(() ->
        nodes(owner).entrySet().stream()
            .filter(each -> names.contains(each.getKey()) && !each.getValue().items.isEmpty())
            .map(each ->
                new Last(
                    each.getKey(), Objects.requireNonNull(each.getValue().items.all().getLast())))
            .toList());
  }
}
