package im.zonda.storage.cache;

import im.zonda.jid.Jid;
import im.zonda.store.PubSubStore;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A publish-subscribe store that keeps the last items of accounts' nodes in memory: each client of
/// a contact wants them when it logs in (XEP-0163, section 4.3.4). Everything else is read from the
/// database.
record CachedPubSub(PubSubStore store, OwnerCache<CachedPubSub.Known> cache)
    implements PubSubStore {
  /// The order of the bytes of names.
  private static final Comparator<String> NAME_ORDER =
      Comparator.comparing(name -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

  /// What is known of an owner's nodes.
  ///
  /// @param last the last item of each node by its name, empty if it has none; never changed
  record Known(Map<String, Optional<Item>> last) {
    static final Known NOTHING = new Known(Map.of());

    boolean isNegative() {
      return last.values().stream().allMatch(Optional::isEmpty);
    }

    Known with(Map<String, Optional<Item>> read) {
      Map<String, Optional<Item>> all = new HashMap<>(last);
      all.putAll(read);
      return new Known(all);
    }

    Known without(String node) {
      Map<String, Optional<Item>> all = new HashMap<>(last);
      all.remove(node);
      return new Known(all);
    }

    /// Without that node, if its last item is one of these.
    Known without(String node, Collection<String> ids) {
      Optional<Item> item = last.getOrDefault(node, Optional.empty());
      return item.isPresent() && ids.contains(item.get().id()) ? without(node) : this;
    }

    long size() {
      long sum = Sizes.OBJECT;
      for (Map.Entry<String, Optional<Item>> each : last.entrySet()) {
        sum += 2 * Sizes.OBJECT + Sizes.of(each.getKey());
        sum += each.getValue().map(Sizes::of).orElse(0L);
      }
      return sum;
    }
  }

  @Override
  public List<Last> lastItems(Jid owner, Set<String> nodes) {
    Known known = cache.peek(owner);
    Map<String, Optional<Item>> found = known == null ? Map.of() : known.last;
    Set<String> missing = new HashSet<>(nodes);
    missing.removeAll(found.keySet());
    if (missing.isEmpty()) {
      cache.countHit();
    } else {
      found = read(owner, missing).with(found).last;
    }
    List<Last> all = new ArrayList<>(nodes.size());
    for (String node : nodes) {
      found.getOrDefault(node, Optional.empty()).ifPresent(item -> all.add(new Last(node, item)));
    }
    all.sort(Comparator.comparing(Last::node, NAME_ORDER));
    return all;
  }

  private Known read(Jid owner, Set<String> nodes) {
    long stamp = cache.stamp(owner);
    long start = System.nanoTime();
    List<Last> items = store.lastItems(owner, nodes);
    cache.countMiss(System.nanoTime() - start);
    Map<String, Optional<Item>> read = new HashMap<>();
    nodes.forEach(node -> read.put(node, Optional.empty()));
    items.forEach(each -> read.put(each.node(), Optional.of(each.item())));
    cache.publish(owner, stamp, before -> (before == null ? Known.NOTHING : before).with(read));
    return new Known(read);
  }

  /// Makes a change of items; what is known of the owner changes with it.
  private <T> T write(Jid owner, Supplier<T> write, BiFunction<Known, T, Known> change) {
    return cache.write(
        owner, write, (before, result) -> before == null ? null : change.apply(before, result));
  }

  @Override
  public List<String> publish(Jid owner, String node, List<Item> items, int most) {
    return write(
        owner,
        () -> store.publish(owner, node, items, most),
        (before, gone) ->
            items.isEmpty() ? before : before.with(Map.of(node, Optional.of(items.getLast()))));
  }

  @Override
  public List<String> trim(Jid owner, String node, int most) {
    return write(
        owner, () -> store.trim(owner, node, most), (before, gone) -> before.without(node, gone));
  }

  @Override
  public Set<String> retract(Jid owner, String node, Collection<String> ids) {
    return write(
        owner, () -> store.retract(owner, node, ids), (before, gone) -> before.without(node, gone));
  }

  @Override
  public int purge(Jid owner, String node) {
    return write(owner, () -> store.purge(owner, node), (before, gone) -> before.without(node));
  }

  @Override
  public int expire(Jid owner, String node, Instant until) {
    return write(
        owner, () -> store.expire(owner, node, until), (before, gone) -> before.without(node));
  }

  @Override
  public boolean remove(Jid owner, String name) {
    return write(owner, () -> store.remove(owner, name), (before, was) -> before.without(name));
  }

  // ---- what is not kept

  @Override
  public @Nullable Stored find(Jid owner, String name) {
    return store.find(owner, name);
  }

  @Override
  public List<Stored> findAll(Jid owner) {
    return store.findAll(owner);
  }

  @Override
  public List<String> list(Jid owner, @Nullable String after, int limit) {
    return store.list(owner, after, limit);
  }

  @Override
  public List<Node> listed(Jid owner, @Nullable String after, int limit) {
    return store.listed(owner, after, limit);
  }

  @Override
  public List<AffiliatedNode> affiliationsOf(
      Jid owner, Jid user, @Nullable String after, int limit) {
    return store.affiliationsOf(owner, user, after, limit);
  }

  @Override
  public int countAffiliations(Jid owner, Jid user) {
    return store.countAffiliations(owner, user);
  }

  @Override
  public List<SubscribedNode> subscriptionsOf(
      Jid owner, Jid user, @Nullable SubscriptionPlace after, int limit) {
    return store.subscriptionsOf(owner, user, after, limit);
  }

  @Override
  public int countSubscriptions(Jid owner, Jid user) {
    return store.countSubscriptions(owner, user);
  }

  @Override
  public List<String> presenceNodes(Jid owner, Jid user, int limit) {
    return store.presenceNodes(owner, user, limit);
  }

  @Override
  public List<Place> placesOf(Jid user, int limit) {
    return store.placesOf(user, limit);
  }

  @Override
  public boolean hasPresenceNodes(Jid owner) {
    return store.hasPresenceNodes(owner);
  }

  @Override
  public boolean associate(Jid owner, String collection, String child) {
    return store.associate(owner, collection, child);
  }

  @Override
  public boolean dissociate(Jid owner, String collection, String child) {
    return store.dissociate(owner, collection, child);
  }

  @Override
  public List<String> collections(Jid owner, String child) {
    return store.collections(owner, child);
  }

  @Override
  public List<Node> children(Jid owner, String collection, @Nullable String after, int limit) {
    return store.children(owner, collection, after, limit);
  }

  @Override
  public int countChildren(Jid owner, String collection) {
    return store.countChildren(owner, collection);
  }

  @Override
  public Usage usage(Jid owner, Jid creator) {
    return store.usage(owner, creator);
  }

  @Override
  public int count(Jid owner) {
    return store.count(owner);
  }

  @Override
  public long bytes(Jid owner) {
    return store.bytes(owner);
  }

  @Override
  public void save(
      Node node, Collection<Affiliation> affiliations, Collection<Subscription> changed) {
    store.save(node, affiliations, changed);
  }

  @Override
  public List<Item> items(Jid owner, String node, Collection<String> ids) {
    return store.items(owner, node, ids);
  }

  @Override
  public Map<String, Jid> publishers(Jid owner, String node, Collection<String> ids) {
    return store.publishers(owner, node, ids);
  }

  @Override
  public List<String> newest(Jid owner, String node, int limit) {
    return store.newest(owner, node, limit);
  }

  @Override
  public @Nullable Page page(
      Jid owner,
      String node,
      Order order,
      @Nullable String reference,
      boolean backwards,
      int limit) {
    return store.page(owner, node, order, reference, backwards, limit);
  }

  @Override
  public @Nullable ItemHeads heads(Jid owner, String node, @Nullable String after, int limit) {
    return store.heads(owner, node, after, limit);
  }

  @Override
  public @Nullable List<Affiliation> affiliations(
      Jid owner, String node, @Nullable String after, int limit) {
    return store.affiliations(owner, node, after, limit);
  }

  @Override
  public @Nullable List<Subscription> subscriptions(
      Jid owner, String node, @Nullable String after, int limit) {
    return store.subscriptions(owner, node, after, limit);
  }

  @Override
  public @Nullable List<Item> select(
      Jid owner, String node, Range range, boolean backwards, int limit) {
    return store.select(owner, node, range, backwards, limit);
  }
}
