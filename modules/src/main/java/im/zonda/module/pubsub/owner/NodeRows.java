package im.zonda.module.pubsub.owner;

import im.zonda.jid.Jid;
import im.zonda.module.pubsub.node.Affiliation;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeConfig;
import im.zonda.module.pubsub.node.Subscription;
import im.zonda.module.pubsub.node.SubscriptionOptions;
import im.zonda.store.PubSubStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Nodes as they are stored.
public final class NodeRows {
  private NodeRows() {}

  /// Reads a node. Words that this version does not know are ignored.
  public static Node read(PubSubStore.Stored stored, NodeConfig defaults) {
    PubSubStore.Node row = stored.node();
    Map<Jid, Affiliation> affiliations = new LinkedHashMap<>();
    for (PubSubStore.Affiliation each : stored.affiliations()) {
      Affiliation affiliation = Affiliation.of(each.affiliation());
      if (affiliation != null) {
        affiliations.put(each.user(), affiliation);
      }
    }
    Map<String, Subscription> subscriptions = new LinkedHashMap<>();
    for (PubSubStore.Subscription each : stored.subscriptions()) {
      Subscription subscription = read(each);
      if (subscription != null) {
        subscriptions.put(each.id(), subscription);
      }
    }
    return new Node(
        row.name(),
        row.creator(),
        row.created(),
        NodeConfig.of(row.settings(), defaults),
        affiliations,
        subscriptions);
  }

  /// Reads a subscription; null if this version does not know its state.
  public static @Nullable Subscription read(PubSubStore.Subscription row) {
    Subscription.State state = Subscription.State.of(row.state());
    return state == null
        ? null
        : new Subscription(
            row.id(), row.subscriber(), state, SubscriptionOptions.of(row.options()));
  }

  /// Stores a node and what differs from how it was.
  public static void write(
      PubSubStore store, Jid owner, @Nullable Node before, Node after, NodeConfig defaults) {
    store.save(
        new PubSubStore.Node(
            owner,
            after.name(),
            after.creator(),
            after.created(),
            after.config().differences(defaults),
            after.isListed(),
            after.entries(),
            after.needsPresence()),
        affiliations(before == null ? Map.of() : before.affiliations(), after.affiliations()),
        subscriptions(before == null ? Map.of() : before.subscriptions(), after.subscriptions()));
  }

  private static List<PubSubStore.Affiliation> affiliations(
      Map<Jid, Affiliation> before, Map<Jid, Affiliation> after) {
    List<PubSubStore.Affiliation> changed = new ArrayList<>();
    before.forEach((user, affiliation) -> {
      if (!after.containsKey(user)) {
        changed.add(new PubSubStore.Affiliation(user, Affiliation.NONE.word()));
      }
    });
    after.forEach((user, affiliation) -> {
      if (before.get(user) != affiliation) {
        changed.add(new PubSubStore.Affiliation(user, affiliation.word()));
      }
    });
    return changed;
  }

  private static List<PubSubStore.Subscription> subscriptions(
      Map<String, Subscription> before, Map<String, Subscription> after) {
    List<PubSubStore.Subscription> changed = new ArrayList<>();
    before.forEach((id, each) -> {
      if (!after.containsKey(id)) {
        changed.add(row(each.withState(Subscription.State.NONE)));
      }
    });
    after.forEach((id, each) -> {
      if (!each.equals(before.get(id))) {
        changed.add(row(each));
      }
    });
    return changed;
  }

  private static PubSubStore.Subscription row(Subscription each) {
    return new PubSubStore.Subscription(
        each.id(), each.subscriber(), each.state().word(), each.options().text());
  }
}
