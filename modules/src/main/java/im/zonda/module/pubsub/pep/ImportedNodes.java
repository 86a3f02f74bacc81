package im.zonda.module.pubsub.pep;

import im.zonda.jid.Jid;
import im.zonda.module.pubsub.node.Affiliation;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeConfig;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.node.Subscription;
import im.zonda.module.pubsub.node.SubscriptionOptions;
import im.zonda.store.PubSubStore;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Nodes of accounts that move here from another server.
public final class ImportedNodes {
  private ImportedNodes() {}

  /// The node with what this server knows of its configuration.
  ///
  /// @param options values by the fields of the form; unknown ones, and values that are not
  ///   allowed, are left out
  /// @param affiliations words by bare addresses; unknown words are left out
  public static Node node(
      PubSubStore.Place place,
      Map<String, List<String>> options,
      Map<Jid, String> affiliations,
      List<Jid> subscribers,
      Instant created) {
    NodeConfig config = NodeConfig.ofAccounts();
    for (Map.Entry<String, List<String>> each : options.entrySet()) {
      NodeOption option = NodeOption.ofField(each.getKey());
      NodeConfig changed = option == null ? null : config.with(option, each.getValue());
      config = changed == null || changed.isCollection() ? config : changed;
    }
    Map<Jid, Affiliation> users = new LinkedHashMap<>();
    affiliations.forEach((user, word) -> {
      Affiliation affiliation = Affiliation.of(word);
      if (affiliation != null && affiliation != Affiliation.NONE) {
        users.put(user, affiliation);
      }
    });
    users.put(place.owner(), Affiliation.OWNER);
    Map<String, Subscription> subscriptions = new LinkedHashMap<>();
    for (Jid subscriber : subscribers) {
      String id = "i" + (subscriptions.size() + 1);
      subscriptions.put(
          id,
          new Subscription(
              id, subscriber, Subscription.State.SUBSCRIBED, SubscriptionOptions.DEFAULT));
    }
    return new Node(place.node(), place.owner(), created, config, users, subscriptions);
  }
}
